"""``instar record``: golden blobs of released versions, which are kept for ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ..codec.engines import engines, missing_kernel
from ..codec.goldens import Draft, Replay, check_goldens, draft_goldens, find_goldens
from ..codec.registry import Registry
from ..codec.subject import Subject
from .check import tell_findings
from .findings import Finding, found_golden, open_whole
from .options import Json, Migrations, Schemas
from .output import count, line, print_json, progress, warn
from .project import Workplace, find_workplace

EXAMPLE: Final = """\b
Example:
  instar record
  instar record agent_state
"""


@dataclass(slots=True)
class Recording:
    """What one run wrote, how many goldens there are, and what is wrong with any."""

    written: list[Path] = field(default_factory=list[Path])
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    goldens: dict[str, int] = field(default_factory=dict[str, int])
    findings: list[Finding] = field(default_factory=list[Finding])

    def add(self, drafts: Sequence[Draft]) -> None:
        """Write what is new in ``drafts``."""
        for draft in drafts:
            draft.write()
            self.written += draft.paths
            self.left_out |= left_out(draft)


def record(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(metavar="SUBJECT", help="All subjects, if none is named."),
    ] = None,
    *,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Write golden blobs of every released version, in every format.

    A golden that is there is never written over: it is read in each engine, at its own version
    and at every later one, and exit code 1 says that one is not what it was. Commit the
    goldens with the schemas; `instar release` writes those of the versions it releases.
    """
    place = find_workplace(schemas, migrations)
    registry, findings = open_whole(place, subjects or None)
    recording = Recording(findings=findings)
    for name in registry.subjects:
        recording.add(draft_goldens(registry.subject(name), place.schemas))
    for name in registry.subjects:
        recording.findings += _checked(registry.subject(name), place, recording)
    if json:
        print_json(_to_json(recording))
    else:
        _tell(recording, registry)
    if recording.findings:
        raise typer.Exit(1)


def _checked(subject: Subject, place: Workplace, recording: Recording) -> list[Finding]:
    """What is wrong with the files, or where nothing is, with what they are read as."""
    findings = check_goldens(subject, place.schemas)
    goldens = find_goldens(subject, place.schemas)
    recording.goldens[subject.name] = len(goldens)
    player = Replay(subject)
    with progress(f"reading goldens of {subject.name}", len(goldens)) as step:
        for golden in () if findings else goldens:
            findings += player.play(golden)
            step()
    return [found_golden(finding) for finding in findings]


def left_out(draft: Draft) -> dict[str, str]:
    """Why, by path, a golden of a draft was not made."""
    return {str(draft.folder.path / name): str(error) for name, error in draft.left_out.items()}


def _to_json(recording: Recording) -> dict[str, Any]:
    return {
        "written": [str(path) for path in recording.written],
        "left_out": recording.left_out,
        "goldens": recording.goldens,
        "engines": list(engines()),
        "findings": [asdict(finding) for finding in recording.findings],
    }


def _tell(recording: Recording, registry: Registry) -> None:
    tell_left_out(recording.left_out)
    if missing := missing_kernel():
        warn(f"goldens were read by the library engine alone: {missing}")
    if recording.findings:
        tell_findings(recording.findings)
    for name in registry.subjects:
        new = [path for path in recording.written if path.parent.parent.parent.name == name]
        line(f"{name}: {count(recording.goldens[name], 'golden')}, {count(len(new), 'new file')}")
    if recording.written:
        line("commit them with the schemas; they never change from now on")


def tell_left_out(reasons: dict[str, str]) -> None:
    """Warn of goldens that could not be made, once for each reason."""
    for reason in dict.fromkeys(reasons.values()):
        paths = [path for path, other in reasons.items() if other == reason]
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        warn(f"{paths[0]}{more} not recorded: {reason}")
