"""Arguments of another type than a call takes: said at the call, in words of the caller."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from ..errors import ConfigError, InstarError
from .expect import excerpt
from .model import JsonValue


def check_argument(
    what: str,
    found: object,
    kinds: type | tuple[type, ...],
    wanted: str,
    error: type[InstarError] = ConfigError,
) -> None:
    """Raise ``error`` unless ``found`` is of one of the classes; a bool is no number.

    ``what`` is the argument as the caller wrote it, and ``wanted`` says what it takes.
    """
    known = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(found, known) or (isinstance(found, bool) and bool not in known):
        raise wrong_argument(what, found, wanted, error)


def wrong_argument(
    what: str, found: object, wanted: str, error: type[InstarError] = ConfigError
) -> InstarError:
    """The error for an argument: what was given, and what is wanted."""
    shown = "None" if found is None else excerpt(cast("JsonValue", found))
    return error(f"{what} is {shown}, of the type {type(found).__name__}", mend=f"give {wanted}")


def check_items(what: str, found: object, kind: type, wanted: str) -> None:
    """Raise ConfigError unless ``found`` is a collection, other than a text, of ``kind``."""
    if isinstance(found, str | bytes):
        raise wrong_argument(what, found, wanted)
    check_argument(what, found, Collection, wanted)
    for item in cast("Collection[object]", found):
        check_argument(f"an item of {what}", item, kind, wanted)


def check_version(what: str, found: object) -> None:
    """Raise ConfigError unless ``found`` is a number that may be one of a version."""
    check_argument(what, found, int, "the number of a version")
