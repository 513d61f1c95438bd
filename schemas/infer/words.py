"""Names made from the keys of documents."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import count

from ..naming import pascal
from .thresholds import DIGITS_OF_ID, KEY_LENGTH

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPED_IN_JSON = re.compile(r'["\\\x00-\x1f]')
_WORD = re.compile(r"[$@_]*[A-Za-z_][A-Za-z0-9_-]*")


def is_name(text: str) -> bool:
    """Whether ``text`` may stand as a name in a schema."""
    return _NAME.fullmatch(text) is not None


def can_be_key(text: str) -> bool:
    """Whether ``text`` may be the key of a field: msgspec writes keys as they are, unescaped."""
    return not _ESCAPED_IN_JSON.search(text)


def is_word(key: str) -> bool:
    """Whether a programmer may have chosen ``key`` as the name of a field."""
    digits = sum(character.isdigit() for character in key)
    return len(key) <= KEY_LENGTH and digits < DIGITS_OF_ID and bool(_WORD.fullmatch(key))


def field_names(keys: Iterable[str]) -> dict[str, str]:
    """Give each key a name that no other key has. A key that is a name keeps it."""
    keys = tuple(keys)
    taken = {key for key in keys if is_name(key)}
    chosen: dict[str, str] = {}
    for key in keys:
        chosen[key] = key if key in taken else unused(_sanitised(key), taken)
        taken.add(chosen[key])
    return chosen


def _sanitised(key: str) -> str:
    stem = re.sub(r"[^A-Za-z0-9]+", "_", key).strip("_") or "field"
    return stem if is_name(stem) else f"_{stem}"


def unused(stem: str, taken: Collection[str], joint: str = "_") -> str:
    """Return ``stem``, with a number after ``joint`` where it is taken."""
    if stem not in taken:
        return stem
    return next(name for number in count(2) if (name := f"{stem}{joint}{number}") not in taken)


def type_name(word: str) -> str:
    """Make the name of a record or an enum from a key or a subject."""
    return pascal(_sanitised(word))


def singular(word: str) -> str:
    """Return the word for one of what ``word`` names in the plural, where that is regular."""
    if word.endswith("ies") and len(word) > len("series"):
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "series")):
        return word[:-1]
    return word
