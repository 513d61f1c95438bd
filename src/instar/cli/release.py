"""``instar release``: freezes the newest version of a subject in ``instar.lock``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from ..codec.goldens import Draft, draft_goldens
from ..codec.registry import Registry
from ..errors import ConfigError, InstarError
from ..schemas.lock import Lock, read_lock, released
from ..schemas.lock.facts import Fact, Release, fact_line
from ..store.durable import replace_file
from .check import tell_findings
from .compatibility import release_findings
from .findings import (
    Finding,
    default_findings,
    golden_findings,
    open_whole,
    type_findings,
    unchanged_findings,
)
from .options import Json, Migrations, Schemas
from .output import count, heading, line, print_json
from .project import Workplace, find_workplace
from .record import left_out, tell_left_out

EXAMPLE: Final = """\b
Example:
  instar release agent_state --dry-run
  instar release agent_state
"""

Check: TypeAlias = Callable[[Registry, Workplace], Iterable[Finding]]
CHECKS: Final[Sequence[Check]] = (
    lambda registry, _: type_findings(registry),
    unchanged_findings,
    default_findings,
    release_findings,
    partial(golden_findings, releasing=True),
)
"""What a subject has to pass besides opening; each is given a registry of it alone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a release does: the facts that it adds to ``lock``, and the goldens that it writes."""

    subject: str
    lock: Lock
    facts: tuple[Fact, ...]
    goldens: Sequence[Draft] = ()

    @property
    def releases(self) -> list[Release]:
        """The versions that it freezes."""
        return [fact for fact in self.facts if isinstance(fact, Release)]

    @property
    def paths(self) -> list[Path]:
        """The files of goldens that it writes."""
        return [path for draft in self.goldens for path in draft.paths]


def release(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="The subject to release.")],
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; print what would be written.")
    ] = False,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Freeze every version of SUBJECT that is not released yet.

    Refuses, with exit code 1, while anything is wrong with the subject, or a version that was
    released before has no goldens (instar record). A released version never changes: its
    fingerprint, names and numbers go into instar.lock of the folder of schemas, and its golden
    blobs into SUBJECT/golden. Commit both together with the schema.
    """
    place = find_workplace(schemas, migrations)
    outcome, findings = _prepared(place, subject)
    writes = bool(outcome.facts) and not (findings or dry_run)
    if writes:
        _write(outcome)
    if json:
        print_json(_to_json(outcome, findings, written=writes))
    elif findings:
        tell_findings(findings)
        line(f"{subject} was not released")
    else:
        _tell(outcome, dry_run=dry_run)
    if findings:
        raise typer.Exit(1)


def _prepared(place: Workplace, subject: str) -> tuple[Outcome, list[Finding]]:
    if any(character.isspace() for character in subject):
        raise ConfigError(
            f"{subject!r} cannot be released", mend="rename the subject's folder without blanks"
        )
    registry, findings = open_whole(place, [subject])
    if not findings:
        findings = [finding for check in CHECKS for finding in check(registry, place)]
    problems: list[InstarError] = []
    lock = read_lock(place.schemas, problems)
    if findings:
        return Outcome(subject, lock, ()), findings
    found = registry.subject(subject)
    outcome = Outcome(subject, lock, released(lock, tuple(found.schemas.values())))
    wanted = [fact.version for fact in outcome.releases]
    return replace(outcome, goldens=draft_goldens(found, place.schemas, wanted)), findings


def _write(outcome: Outcome) -> None:
    path = outcome.lock.path
    if not path.exists():
        path.touch()  # with the usual mode: a lock is no secret, as states are
    replace_file(path, [outcome.lock.text(outcome.facts).encode()])
    # Goldens of a version that could still be edited would be wrong for ever, so they follow.
    for draft in outcome.goldens:
        draft.write()


def _to_json(outcome: Outcome, findings: Sequence[Finding], *, written: bool) -> dict[str, Any]:
    return {
        "subject": outcome.subject,
        "lock": str(outcome.lock.path),
        "written": written,
        "released": [
            {"version": fact.version, "fingerprint": f"{fact.fingerprint:016x}"}
            for fact in outcome.releases
        ],
        "lines": sorted(fact_line(fact) for fact in outcome.facts),
        "goldens": [str(path) for path in outcome.paths],
        "findings": [asdict(finding) for finding in findings],
    }


def _tell(outcome: Outcome, *, dry_run: bool) -> None:
    if not outcome.facts:
        line(f"every version of {outcome.subject} is released already")
        return
    for fact in outcome.releases:
        line(f"{fact.subject} v{fact.version}  {fact.fingerprint:016x}")
    for draft in outcome.goldens:
        tell_left_out(left_out(draft))
    numbers = len(outcome.facts) - len(outcome.releases)
    if dry_run:
        heading("Lines for the lock")
        for text in sorted(fact_line(fact) for fact in outcome.facts):
            line(text)
        line(f"\n{count(len(outcome.paths), 'file')} of goldens would be written")
        line("nothing was written")
        return
    line(f"{outcome.lock.path}: {count(numbers, 'number and name', 'numbers and names')} added")
    for draft in outcome.goldens:
        line(f"{draft.folder.path}: {count(len(draft.files), 'file')} of goldens")
    line("commit them with the schemas; the versions above never change from now on")
