"""What ``check`` asks of compatibility: the mode of each subject, and whether it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from ..codec.compatibility import Failure, Mode, Settings, Verdict, verdicts
from ..codec.compatibility.modes import MODES
from ..codec.project import find_settings
from ..codec.registry import Registry
from ..errors import ConfigError, InstarError, MissingExtra
from .findings import COMPATIBILITY, Finding, found
from .project import Workplace

DEFAULT: Final[Mode] = "BACKWARD_TRANSITIVE"
_LONGEST: Final = 200
"""Characters of a value that are shown."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The modes that ``compatibility`` of pyproject.toml asks for; ``is_set`` if it is there."""

    default: Mode = DEFAULT
    subjects: Mapping[str, Mode] | None = None
    is_set: bool = False

    def mode(self, subject: str) -> Mode:
        """The mode of a subject."""
        return (self.subjects or {}).get(subject, self.default)


def find_asked() -> Asked:
    """The modes that the nearest pyproject.toml asks for: one for all, or a table by subject.

    Raises ConfigError for anything that is no mode.
    """
    file, settings = find_settings(Path.cwd())
    value = settings.get("compatibility")
    where = f"{file} [tool.instar]"
    if value is None:
        return Asked()
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        modes: dict[str, Mode] = {}
        for name, mode in table.items():
            modes[name] = _mode(mode, f"{where} compatibility.{name}")
        return Asked(DEFAULT, modes, is_set=True)
    return Asked(_mode(value, where), is_set=True)


def _mode(value: object, where: str) -> Mode:
    for mode in MODES:
        if mode == value:
            return mode
    raise ConfigError(
        f"compatibility is {value!r}", where=where, mend=f"modes are {', '.join(MODES)}"
    )


def compatibility_findings(
    registry: Registry, asked: Asked
) -> tuple[list[Finding], dict[str, Mode] | None]:
    """Every pair of versions that cannot be read as its subject asks, and the modes.

    Instar reads, with the migrations, what it wrote itself. Without hypothesis nothing is
    run and there are no modes; that is a finding only where the settings ask for it.
    """
    modes: dict[str, Mode] = {name: asked.mode(name) for name in registry.subjects}
    findings = [
        Finding(COMPATIBILITY.id, "[tool.instar] compatibility", f"no subject is {name!r}", "")
        for name in asked.subjects or ()
        if name not in modes
    ]
    for name, mode in modes.items():
        try:
            findings += _of(registry, name, mode)
        except MissingExtra as error:
            return [found(error)] if asked.is_set else [], None
        except InstarError as error:
            findings.append(found(error))
    return findings, modes


def release_findings(registry: Registry, place: Workplace) -> list[Finding]:
    """The findings that keep the subjects of ``registry`` from being released."""
    del place
    asked = find_asked()
    known = {name: asked.mode(name) for name in registry.subjects}
    findings, _ = compatibility_findings(registry, replace(asked, subjects=known))
    return findings


def _of(registry: Registry, name: str, mode: Mode) -> Iterator[Finding]:
    subject = registry.subject(name)
    line = [subject.schema(version) for version in subject.chain.versions]
    for verdict in verdicts(line, mode, "instar", Settings(subject)):
        for failure in verdict.failures:
            yield _finding(name, mode, verdict, failure)


def _finding(name: str, mode: Mode, verdict: Verdict, failure: Failure) -> Finding:
    example = repr(failure.value)
    short = example if len(example) <= _LONGEST else f"{example[:_LONGEST]}..."
    what = f"{mode}: version {failure.reader} does not read a state that version"
    what = f"{what} {failure.writer} wrote: {failure.what} (for example {short})"
    pair = f"{verdict.older} {verdict.newer}"
    return Finding(
        COMPATIBILITY.id,
        f"{name} {failure.writer} -> {failure.reader}",
        what,
        f"see: instar diff {name} {pair}; change the newer version, or what"
        " [tool.instar] compatibility asks for",
    )
