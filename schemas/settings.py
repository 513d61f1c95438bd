"""Settings of a project: ``[tool.instar]`` of the nearest ``pyproject.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ..errors import ConfigError


def find_settings(start: Path) -> tuple[Path | None, Mapping[str, Any]]:
    """The nearest ``pyproject.toml`` with ``[tool.instar]``, and what stands there.

    Nothing where there is none. Raises ``ConfigError`` for a file that does not read.
    """
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            settings: Any = _read(file).get("tool", {}).get("instar")
            if isinstance(settings, dict):
                return file, cast("dict[str, Any]", settings)
    return None, {}


def find_roots(folder: Path) -> Mapping[str, str]:
    """The full name of the root of each subject that ``roots`` names, for schemas in ``folder``.

    Raises ``ConfigError`` where ``roots`` is no table of names.
    """
    file, settings = find_settings(folder.resolve())
    roots: Any = settings.get("roots", {})
    names = cast("dict[str, object]", roots) if isinstance(roots, dict) else {"roots": roots}
    wrong = next((key for key, name in names.items() if not isinstance(name, str)), None)
    if wrong is not None or not isinstance(roots, dict):
        raise ConfigError(
            f"roots must name the root of each subject, found {names[wrong or 'roots']!r}",
            where=f"{file} [tool.instar]",
            mend='write it as roots = {order = "shop.v1.Order"}',
        )
    return cast("dict[str, str]", roots)


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"the file does not read: {error}", where=str(file)) from error
