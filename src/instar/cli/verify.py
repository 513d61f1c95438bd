"""``instar verify``: runs the laws of migrations on generated states."""

from __future__ import annotations

import json as json_text
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ..codec.extras import import_hypothesis
from ..codec.goldens import replay
from ..codec.verify import Broken, Outcome, Settings, prepare
from ..codec.verify.law import EXAMPLES
from ..errors import ConfigError
from .options import Json, Migrations, Schemas
from .output import count, heading, line, print_json, progress
from .project import find_workplace

EXAMPLE: Final = """\b
Example:
  instar verify
  instar verify agent_state --max-examples 500
  instar verify agent_state --law round-trip --seed 7
"""

_LONGEST: Final = 4000
"""Characters of a state that are shown; --json has all of it."""


def verify(  # noqa: PLR0913 - each is one option
    subject: Annotated[
        str | None,
        typer.Argument(metavar="SUBJECT", help="The subject. Without it, every subject."),
    ] = None,
    *,
    max_examples: Annotated[
        int, typer.Option(metavar="N", min=1, help="States to generate for each case.")
    ] = EXAMPLES,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Which states are generated; the same each time.")
    ] = 0,
    law: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A law to run, without the others. Can be repeated."),
    ] = None,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Run the laws of migrations on generated states of every version.

    States go up, down, there and back, are edited by older code, and are read in every format
    by both engines. What a migration says that it loses may differ, and nothing else. A law
    that is broken is shown with the simplest state that breaks it, and the exit code is 1.
    """
    outcomes = list(_run(subject, max_examples, seed, law or [], schemas, migrations))
    broken = [(outcome, outcome.broken) for outcome in outcomes if outcome.broken is not None]
    if json:
        print_json({"seed": seed, "laws": [_to_json(outcome) for outcome in outcomes]})
    else:
        _tell(outcomes)
        for outcome, found in broken:
            _tell_broken(outcome, found, seed)
        held = "every law holds" if not broken else f"{count(len(broken), 'case')} broken"
        tried = sum(outcome.examples for outcome in outcomes)
        line(f"\n{held}: {count(tried, 'state')} tried, seed {seed}")
    if broken:
        raise typer.Exit(1)


def _run(  # noqa: PLR0913, PLR0917 - the options of the command
    subject: str | None,
    examples: int,
    seed: int,
    laws: Sequence[str],
    schemas: Path | None,
    migrations: Path | None,
) -> Iterator[Outcome]:
    import_hypothesis()
    place = find_workplace(schemas, migrations)
    registry = place.open(None if subject is None else [subject])
    if not registry.subjects:
        raise ConfigError("there is no subject", mend="write the first schema")
    settings = Settings(examples, seed, partial(replay, schemas=place.schemas))
    runs = [prepare(registry.subject(name), settings, laws) for name in registry.subjects]
    with progress("Running laws", sum(len(each.cases) for each in runs)) as advance:
        for each in runs:
            for outcome in each.outcomes():
                yield outcome
                advance()


def _to_json(outcome: Outcome) -> dict[str, Any]:
    broken = None if outcome.broken is None else asdict(outcome.broken)
    if broken is not None:
        del broken["route"]  # that of the outcome
    return {**asdict(outcome), "route": list(outcome.route), "broken": broken}


def _tell(outcomes: Sequence[Outcome]) -> None:
    """A line for each law and subject."""
    rows: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        rows[outcome.subject, outcome.law].append(outcome)
    told = ""
    for (subject, law), found in rows.items():
        if subject != told:
            heading(subject)
            told = subject
        wrong = [outcome.path for outcome in found if outcome.broken is not None]
        states = count(sum(outcome.examples for outcome in found), "state")
        says = f"BROKEN at {', '.join(wrong)}" if wrong else "holds"
        line(f"  {law:<16} {says}  ({count(len(found), 'route')}, {states})")
        for reason in found[0].left_out:
            line(f"    without {reason}")


def _tell_broken(outcome: Outcome, broken: Broken, seed: int) -> None:
    heading(f"{outcome.law}: {outcome.subject} {outcome.path}")
    line(f"  {outcome.purpose}")
    for part in explained(broken):
        line(f"  {part}")
    line(f"  again: instar verify {outcome.subject} --law {outcome.law} --seed {seed}")


def explained(broken: Broken) -> Iterator[str]:
    """Lines that show a state that breaks a law, and what became of it."""
    yield broken.what
    for name, value in (
        ("state", broken.example),
        ("expected", broken.expected),
        ("found", broken.found),
    ):
        if value is not None:
            yield f"{name}:"
            yield from _indented(value)


def _indented(value: Any) -> Iterator[str]:
    text = value if isinstance(value, str) else json_text.dumps(value, ensure_ascii=False, indent=2)
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...  (all of it: --json)"
    return (f"  {part}" for part in shown.splitlines())
