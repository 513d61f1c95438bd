"""Paths in states, as errors write them: ``messages[3].content``, ``memory['goal']``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

Path: TypeAlias = tuple[str, ...]
"""Names of fields, and ``[3]`` or ``['goal']`` for what stands in a list or a map."""


def written(path: Path) -> str:
    """A path as one text."""
    return "".join(
        part if part.startswith("[") or not index else f".{part}" for index, part in enumerate(path)
    )


def are_related(path: Path, others: Collection[Sequence[str]]) -> bool:
    """Whether ``path`` is one of ``others``, leads through one, or to one."""
    return any(all(a == b for a, b in zip(path, other, strict=False)) for other in others)
