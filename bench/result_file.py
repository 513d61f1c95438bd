"""Results as JSON files."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..errors import ConfigError
from .result import FORM, Result


def to_json(result: Result) -> str:
    """The result as indented JSON, with a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(result), indent=1).decode() + "\n"


def from_json(text: str | bytes, where: str = "") -> Result:
    """The result that ``to_json`` wrote.

    Raises ``ConfigError``, which names ``where``, for anything else, and for a later form.
    """
    try:
        result = msgspec.json.decode(text, type=Result)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"this is no result of instar bench: {error}",
            where=where,
            mend="give a file that `instar bench --json FILE` wrote",
        ) from error
    if result.form != FORM:
        raise ConfigError(f"its form is {result.form}, and {FORM} is known here", where=where)
    return result


def read_result(file: Path) -> Result:
    """The result in ``file``. Raises ``ConfigError``, and ``OSError``."""
    return from_json(file.read_bytes(), str(file))
