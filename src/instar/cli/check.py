"""``instar check``: everything that is wrong with schemas, migrations and generated code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ..codec.registry import Registry
from ..errors import ConfigError
from .findings import (
    Finding,
    generated_findings,
    open_whole,
    orphan_findings,
    strange_findings,
    type_findings,
)
from .options import Json, Migrations, Schemas, WrittenFormat
from .output import count, github_error, line, print_json
from .project import find_workplace

EXAMPLE: Final = """\b
Example:
  instar check
  instar check --generated src/myapp/state --json
"""


def check(  # noqa: PLR0913 - each is one option
    *,
    generated: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Generated packages to compare. Without it, `generated` of pyproject.toml.",
        ),
    ] = None,
    format: WrittenFormat = None,  # noqa: A002 - the name of the option
    schemas: Schemas = None,
    migrations: Migrations = None,
    github: Annotated[
        bool, typer.Option("--github", help="Print findings as annotations of a GitHub workflow.")
    ] = False,
    json: Json = False,
) -> None:
    """Find everything that is wrong with schemas, migrations, the lock and generated code.

    Opens the registry, links every version to the next, builds the types, and compares the
    generated packages. Each finding has an id that never changes; exit code 1 if there is any.
    """
    place = find_workplace(schemas, migrations)
    registry, findings = open_whole(place)
    findings += [
        *type_findings(registry),
        *orphan_findings(place),
        *strange_findings(place),
    ]
    packages = generated or place.generated
    if packages is not None:
        findings += generated_findings(registry, place, packages, format or place.format)
    checked = _checked(registry, packages)
    if json and github:
        raise ConfigError("--json and --github are two forms of output", mend="choose one")
    if json:
        print_json({"findings": [asdict(finding) for finding in findings], "checked": checked})
    elif github:
        for finding in findings:
            github_error(finding.id, finding.where, finding.what, finding.mend)
    else:
        _tell(findings, checked)
    if findings:
        raise typer.Exit(1)


def _checked(registry: Registry, generated: Path | None) -> dict[str, Any]:
    return {
        "subjects": {name: registry.subject(name).latest for name in registry.subjects},
        "generated": None if generated is None else str(generated),
    }


def tell_findings(findings: Sequence[Finding]) -> None:
    """Print findings, and how many there are."""
    for finding in findings:
        place = f"{finding.where}: " if finding.where else ""
        line(f"{finding.id}: {place}{finding.what}")
        if finding.mend:
            line(f"    {finding.mend}")
    line(f"\n{count(len(findings), 'finding')}")


def _tell(findings: Sequence[Finding], checked: dict[str, Any]) -> None:
    if findings:
        tell_findings(findings)
        return
    for name, latest in checked["subjects"].items():
        line(f"  {name}: {count(latest, 'version')}, each linked to the next")
    generated = checked["generated"]
    told = f"{generated} is current" if generated else "generated code was not checked"
    line(f"{count(len(checked['subjects']), 'subject')} opened; {told}")
