"""How likely it is that two names mean one thing."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from ...schemas.model import Optional, Type

ENOUGH: Final = 0.6
"""From here on a likeness is worth a guess."""
_SHORTEST: Final = 3
"""Letters of a short name."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def words(name: str) -> list[str]:
    """The words of a name, in lower case: ``lastSeen``, ``last_seen`` and ``LAST_SEEN`` alike."""
    return [word.lower() for word in _WORD.findall(name)]


def likeness(old: str, new: str) -> float:
    """From 0 to 1: 1 for the same words, less for shared words and letters."""
    first, second = words(old), words(new)
    if first == second:
        return 1.0
    shared = len(set(first) & set(second)) / max(len(first), len(second), 1)
    letters = SequenceMatcher(None, "".join(first), "".join(second)).ratio()
    return max(letters, (shared + letters) / 2 if shared else 0.0, _shortened(first, second))


def _shortened(first: list[str], second: list[str]) -> float:
    """Where one name is short for the other, as ``msgs`` is for ``messages``."""
    short, long = sorted(("".join(first), "".join(second)), key=len)
    letters = iter(long)
    is_short = (
        len(short) >= _SHORTEST and long[:1] == short[:1] and all(s in letters for s in short)
    )
    return 0.7 if is_short else 0.0


def bare(kind: Type) -> Type:
    """A type without its option of null."""
    return kind.item if isinstance(kind, Optional) else kind
