"""What ``generate`` writes and ``check`` compares: the packages of some subjects, as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..codec.generate import generate
from ..codec.registry import Registry
from ..codec.tag import Format
from ..errors import ConfigError

_DATA = """\"\"\"Made of {0}.json: edit that.\"\"\"

from instar.migrations.data import from_data

migration = from_data({1!r})
"""
"""A migration that is data as a module, so that its package needs no other file."""


def packages(
    registry: Registry, subjects: Sequence[str], migrations: Path | None, format_: Format
) -> dict[str, str]:
    """The files of the packages of ``subjects``, by relative name with ``/``.

    Raises ConfigError where a name cannot be imported or a migration does not read.
    """
    files: dict[str, str] = {}
    for name in subjects:
        files |= generate(registry.subject(name), _sources(migrations, name), format=format_)
    return files


def _sources(migrations: Path | None, subject: str) -> dict[str, str]:
    if migrations is None:
        return {}
    files = sorted((migrations / subject).glob("v*_v*.*"))
    python = {path.name: _text(path) for path in files if path.suffix == ".py"}
    data = {path.stem: _text(path) for path in files if path.suffix == ".json"}
    return python | {f"{step}.py": _DATA.format(step, text) for step, text in data.items()}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the file does not read: {error}", where=str(path)) from error
