"""``instar migration path``: how a state of one version becomes one of another, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Annotated, Any, Final

import msgspec
import typer

from ..codec.plan import Segment
from ..codec.subject import Subject
from ..migrations.explain import FieldNote, explain
from ..migrations.ops import title
from .losses import Way, losses_json, tell_losses
from .options import Json, Migrations, Schemas
from .output import WIDTH, count, heading, line, print_json, table
from .project import find_workplace

EXAMPLE: Final = """\b
Example:
  instar migration path agent_state 1 3
  instar migration path agent_state 3 1 --json
"""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step between adjacent versions: its ops in words, and what it loses."""

    ops: tuple[str, ...]
    way: Way


def path(  # noqa: PLR0913 - each is one option
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="A kind of state.")],
    source: Annotated[int, typer.Argument(metavar="A", min=1, help="The version it is of.")],
    target: Annotated[int, typer.Argument(metavar="B", min=1, help="The version it becomes.")],
    *,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Explain how a state of version A is read as version B, up or down.

    All steps between the two are fused, so a field comes straight from where it was, through
    whatever happens to it on the way. What is lost is told for the whole way, and for each
    step of it.
    """
    found = find_workplace(schemas, migrations).open([subject]).subject(subject)
    for version in (source, target):
        found.schema(version)
    passes = found.plan(source, target).segments
    notes = [_explained(found, each) for each in passes]
    hops = [_hop(found, *hop) for hop in found.chain.hops(source, target)]
    lost = Way.of(found, source, target)
    if json:
        print_json(_plain(subject, (passes, notes), lost, hops))
    else:
        _tell(subject, (passes, notes), lost, hops)


_Passes = tuple[Sequence[Segment], Sequence[list[FieldNote]]]


def _explained(subject: Subject, each: Segment) -> list[FieldNote]:
    return explain(each.graph, subject.schema(each.source), subject.schema(each.target))


def _hop(subject: Subject, source: int, target: int) -> Hop:
    step = subject.chain.step(source, target)
    ops = () if step is None else tuple(title(op) for op in step.ops)
    return Hop(ops, Way.of(subject, source, target))


def _tell(subject: str, found: _Passes, lost: Way, hops: Sequence[Hop]) -> None:
    passes, notes = found
    way = f"{lost.source} -> {lost.target}"
    if not passes:
        line(f"{subject} {way}: nothing to do")
        return
    steps = count(len(hops), "step")
    line(f"{subject} {way}: {steps} in {count(len(passes), 'pass', 'passes')} over the state")
    for each, told in zip(passes, notes, strict=True):
        if len(passes) > 1:
            heading(f"Pass {each.source} -> {each.target}")
        _tell_fields(told)
    heading(f"Lost from {lost.source} to {lost.target}")
    tell_losses(lost)
    heading("Step by step")
    for hop in hops:
        _tell_hop(hop, alone=len(hops) == 1)


def _tell_fields(notes: Sequence[FieldNote]) -> None:
    kept = [note.path for note in notes if note.is_kept]
    changed = [note for note in notes if not note.is_kept]
    told = [note for note in changed if not _follows(note, changed)]
    if told:
        line()
        table(["field", "from", "how"], [_row(note) for note in told])
    if kept:
        line()
        shown = _outermost(kept, {note.path for note in told})
        for part in wrap(f"as they were: {', '.join(shown)}", WIDTH - 2):
            line(f"  {part}")


def _follows(note: FieldNote, others: Sequence[FieldNote]) -> bool:
    """Whether a field only comes along with what it is inside of."""
    if note.steps or len(note.sources) != 1:
        return False
    return any(
        _is_inside(note.path, other.path)
        and note.sources[0] == other.sources[0] + note.path[len(other.path) :]
        for other in others
        if len(other.sources) == 1
    )


def _outermost(kept: Sequence[str], changed: set[str]) -> list[str]:
    """The paths that are kept with all that is inside, without what is inside."""
    whole = [path for path in kept if not any(_is_inside(other, path) for other in changed)]
    return [path for path in kept if not any(_is_inside(path, other) for other in whole)]


def _is_inside(path: str, outer: str) -> bool:
    return path.startswith((f"{outer}.", f"{outer}[", f"{outer}<"))


def _row(note: FieldNote) -> list[str]:
    names = {path.rpartition(".")[2] for path in (note.path, *note.sources)}
    moved = "moved" if len(names) == 1 else "renamed"
    return [note.path, ", ".join(note.sources), note.steps or moved]


def _tell_hop(hop: Hop, *, alone: bool) -> None:
    way = f"{hop.way.source} -> {hop.way.target}"
    how = "; ".join(hop.ops) or "derived from the two schemas"
    for part in wrap(f"{way}: {how}", WIDTH - 2, subsequent_indent=" " * 8):
        line(f"  {part}")
    for loss in () if alone else hop.way.losses:
        text = f"{loss.path}: {loss.kind}: {loss.what}"
        for part in wrap(text, WIDTH - 10, subsequent_indent="  "):
            line(f"          {part}")


def _plain(subject: str, found: _Passes, lost: Way, hops: Sequence[Hop]) -> dict[str, Any]:
    return {
        "subject": subject,
        "from": lost.source,
        "to": lost.target,
        "passes": [
            {
                "from": each.source,
                "to": each.target,
                "fields": [msgspec.to_builtins(note) for note in told],
            }
            for each, told in zip(*found, strict=True)
        ],
        "losses": losses_json(lost.losses),
        "steps": [
            {
                "from": hop.way.source,
                "to": hop.way.target,
                "ops": list(hop.ops),
                "losses": losses_json(hop.way.losses),
            }
            for hop in hops
        ],
    }
