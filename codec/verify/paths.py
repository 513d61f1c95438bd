"""Paths in states, as errors write them: ``messages[3].content``, ``memory['goal']``.

In a list of losses every item of a list and every value of a map is meant: ``messages[]``,
``memory[*]``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TypeAlias

Path: TypeAlias = tuple[str, ...]
"""Names of fields, and ``[3]`` or ``['goal']`` for what stands in a list or a map."""

_ITEM = re.compile(r"""\[(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]]*)\]""", re.DOTALL)


def written(path: Path) -> str:
    """A path as one text."""
    return "".join(
        part if part.startswith("[") or not index else f".{part}" for index, part in enumerate(path)
    )


def is_lost(path: str, lost: Collection[str]) -> bool:
    """Whether ``path`` is, or lies below, one of ``lost``, whichever item it goes through."""
    wanted = general(path)
    return any(is_under(wanted, general(other)) for other in lost)


def general(path: str) -> str:
    """A path with ``[]`` in place of each item of a list or map."""
    return _ITEM.sub("[]", path)


def is_under(path: str, other: str) -> bool:
    """Whether ``path`` is ``other`` or leads through it."""
    return path == other or path.startswith((f"{other}.", f"{other}["))


def are_related(path: Path, others: Collection[Sequence[str]]) -> bool:
    """Whether ``path`` is one of ``others``, leads through one, or to one."""
    return any(all(a == b for a, b in zip(path, other, strict=False)) for other in others)
