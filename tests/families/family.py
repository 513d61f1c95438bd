"""What the histories of both languages have in common for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from instar.migrations import Migration


class Family(Protocol):
    """A module with the migrations of a family, and with the same steps written once more."""

    FAMILY: str
    SUBJECT: str
    MIGRATIONS: Sequence[Migration]
    HOPS: Mapping[int, Any]
    DIFFERENT: Mapping[tuple[int, int], str]
    LOSSY: frozenset[int]


@dataclass(frozen=True)
class Blob:
    """A payload of the suite, its form at its own version, and what the suite reads of it at
    ``target``; ``None`` where that says nothing.
    """

    name: str
    source: int
    target: int
    payload: bytes
    form: Any
    suite: Any
