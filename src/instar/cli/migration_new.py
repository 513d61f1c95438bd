"""``instar migration new``: writes the migration of the newest step, as far as it can be told."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Final

import typer

from ..errors import ConfigError
from ..migrations.ops import title
from ..migrations.propose import Proposal, Proposed, file_text, propose
from ..schemas.folder import load_subjects
from .options import Json, Migrations, Schemas
from .output import WIDTH, heading, line, print_json
from .project import Workplace, find_workplace

EXAMPLE: Final = """\b
Example:
  instar migration new agent_state
  instar migration new agent_state --dry-run
"""


def new(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="A kind of state.")],
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; print the file.")
    ] = False,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Write the migration from the last version but one of SUBJECT to its newest.

    What the two schemas say needs no op, and is told in a comment. An op that is guessed, from
    a name that is alike or a type that became another, is marked `# confirm`. Where only a
    function can help, a typed one is begun, and `instar check` names its line until it is
    written. A file that is there is never touched, and where no op is needed none is written.
    """
    place = find_workplace(schemas, migrations)
    versions = load_subjects(place.schemas, [subject], settings=place.reading)[subject]
    if len(versions) == 1:
        raise ConfigError(
            "there is one version only", where=subject, mend=f"start the next: instar new {subject}"
        )
    older, newer = versions[-2:]
    target = _folder(place) / subject / f"v{older.version}_v{newer.version}.py"
    _check_free(target)
    found = propose(older, newer)
    text = file_text(found) if found.is_needed else ""
    written = bool(text) and not dry_run
    if written:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    if json:
        print_json(_plain(found, target if written else None, text))
    elif dry_run and text:
        line(text.rstrip("\n"))
    else:
        _tell(found, target)


def _folder(place: Workplace) -> Path:
    """Where migrations are, or will be looked for once there are some."""
    return place.migrations or place.schemas.with_name("migrations")


def _check_free(target: Path) -> None:
    for path in (target, target.with_suffix(".json")):
        if path.exists():
            raise ConfigError(
                "the file is there already", where=str(path), mend="edit it, or move it away"
            )


def _tell(found: Proposal, target: Path) -> None:
    step = f"{found.subject} {found.source} -> {found.target}"
    if not found.is_needed:
        line(f"{step} needs no migration: the two schemas say it all")
        _list("Derived", found.derived)
        return
    line(f"{target}")
    _list("Derived, and needing no op", found.derived)
    _list("Ops", [_op_words(op) for op in found.ops])
    _list("To write", [f"{stub.name}: {stub.purpose.replace('``', '')}" for stub in found.stubs])
    _list("Left open", found.open)
    heading("Next")
    line("  instar check")


def _op_words(op: Proposed) -> str:
    place = f"in {op.path}: " if op.path else ""
    text = title(op.op) if op.stubs else op.text
    return f"{place}{text}" + (f" (confirm: {op.confirm})" if op.confirm else "")


def _list(title: str, texts: list[str]) -> None:
    if texts:
        heading(title)
        for text in texts:
            for part in wrap(text, WIDTH - 2, subsequent_indent="    "):
                line(f"  {part}")


def _plain(found: Proposal, written: Path | None, text: str) -> dict[str, Any]:
    return {
        "subject": found.subject,
        "from": found.source,
        "to": found.target,
        "written": None if written is None else str(written),
        "text": text,
        "derived": found.derived,
        "ops": [
            {"path": op.path, "op": op.text, "confirm": op.confirm or None} for op in found.ops
        ],
        "functions": [stub.name for stub in found.stubs],
        "open": found.open,
    }
