"""``instar check``: everything that is wrong with schemas, migrations and generated code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Final, TypeAlias

import typer

from ..codec.registry import Registry
from ..errors import ConfigError
from .compatibility import compatibility_findings, find_asked
from .findings import (
    Finding,
    generated_findings,
    golden_findings,
    open_whole,
    orphan_findings,
    place_findings,
    strange_findings,
    type_findings,
)
from .losses import Way, newest_step, way_words
from .options import Json, Migrations, Schemas, WrittenFormat
from .output import WIDTH, count, github_error, line, print_json
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
    """Find what is wrong with schemas, migrations, lock, goldens and generated code.

    Opens the registry, links every version to the next, builds the types, compares the
    generated packages, and runs the compatibility that each subject asks for. Each finding has
    an id that never changes; exit code 1 if there is any.
    """
    place = find_workplace(schemas, migrations)
    registry, findings = open_whole(place)
    findings += [
        *place_findings(place),
        *type_findings(registry),
        *orphan_findings(place),
        *strange_findings(place),
        *golden_findings(registry, place),
    ]
    packages = generated or place.generated
    if packages is not None:
        findings += generated_findings(registry, place, packages, format or place.format)
    incompatible, modes = compatibility_findings(registry, find_asked())
    findings += [finding for finding in incompatible if finding not in findings]
    ways = {name: newest_step(registry.subject(name)) for name in registry.subjects}
    checked = _checked(registry, packages, modes, ways)
    if json and github:
        raise ConfigError("--json and --github are two forms of output", mend="choose one")
    if json:
        print_json({"findings": [asdict(finding) for finding in findings], "checked": checked})
    elif github:
        for finding in findings:
            github_error(finding.id, finding.where, finding.what, finding.mend)
    else:
        _tell(findings, checked, ways)
    if findings:
        raise typer.Exit(1)


_Ways: TypeAlias = Mapping[str, Sequence[Way]]


def _checked(
    registry: Registry, generated: Path | None, modes: Mapping[str, str] | None, ways: _Ways
) -> dict[str, Any]:
    return {
        "subjects": {name: registry.subject(name).latest for name in registry.subjects},
        "generated": None if generated is None else str(generated),
        "compatibility": modes,
        "losses": {name: [way.plain() for way in found] for name, found in ways.items()},
    }


def tell_findings(findings: Sequence[Finding]) -> None:
    """Print findings, and how many there are."""
    for finding in findings:
        place = f"{finding.where}: " if finding.where else ""
        line(f"{finding.id}: {place}{finding.what}")
        if finding.mend:
            line(f"    {finding.mend}")
    line(f"\n{count(len(findings), 'finding')}")


def _tell(findings: Sequence[Finding], checked: dict[str, Any], ways: _Ways) -> None:
    if findings:
        tell_findings(findings)
        return
    modes: dict[str, str] = checked["compatibility"] or {}
    for name, latest in checked["subjects"].items():
        kept = f", {modes[name]} kept" if name in modes else ""
        line(f"  {name}: {count(latest, 'version')}, each linked to the next{kept}")
        for way in ways[name]:
            if words := way_words(way):
                _wrapped(f"{way.source} -> {way.target} {words}")
    generated = checked["generated"]
    told = f"{generated} is current" if generated else "generated code was not checked"
    line(f"{count(len(checked['subjects']), 'subject')} opened; {told}")
    if checked["compatibility"] is None:
        line("compatibility was not run: pip install 'instar[test]'")


def _wrapped(text: str) -> None:
    for part in wrap(text, WIDTH - 4, subsequent_indent="  "):
        line(f"    {part}")
