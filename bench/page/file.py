"""The page as a file."""

from __future__ import annotations

from pathlib import Path

from ...errors import ConfigError
from ..result import Result
from .page import render


def write_page(result: Result, path: Path) -> None:
    """Write the page to ``path``, over what is there. Raises ``ConfigError`` where that fails."""
    # A file name that is no text may stand in the result: it is shown, as \udc.., and not lost.
    page = render(result).encode("utf-8", "backslashreplace")
    try:
        path.write_bytes(page)
    except OSError as error:
        raise ConfigError(
            f"the page cannot be written: {error.strerror}",
            where=str(path),
            mend="name a file in a folder that exists and can be written",
        ) from error
