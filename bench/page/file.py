"""The page as a file."""

from __future__ import annotations

from pathlib import Path

from ...errors import ConfigError
from ..result import Result
from .page import render


def check_place(path: Path) -> None:
    """Raise ``ConfigError`` where no page can be written, before a long run is made for it."""
    if path.is_dir() or not path.parent.is_dir():
        raise _unwritable(
            path, "there is no such folder" if not path.is_dir() else "it is a folder"
        )


def write_page(result: Result, path: Path) -> None:
    """Write the page to ``path``, over what is there. Raises ``ConfigError`` where that fails."""
    # A file name that is no text may stand in the result: it is shown, as \udc.., and not lost.
    page = render(result).encode("utf-8", "backslashreplace")
    try:
        path.write_bytes(page)
    except OSError as error:
        raise _unwritable(path, error.strerror or "") from error


def _unwritable(path: Path, why: str) -> ConfigError:
    return ConfigError(
        f"the page cannot be written: {why}",
        where=str(path),
        mend="name a file in a folder that exists and can be written",
    )
