"""What a user asked of ``instar bench``, option by option and not yet checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class WantedPayloads:
    """Files of documents, a store, or numbers of items to make states up with: one of them."""

    files: Sequence[Path]
    store: str | None
    generated: Sequence[int]


@dataclass(frozen=True, slots=True)
class WantedPeers:
    """Formats of instar, others by name or kind (None: all), peers of the user's, the base."""

    formats: Sequence[str]
    others: Sequence[str] | None
    own: Sequence[str]
    base: str


@dataclass(frozen=True, slots=True)
class WantedEffort:
    """How long, and what beside the usual rows; None where nothing was said."""

    rounds: int | None
    processes: int | None
    seconds: float | None
    quick: bool
    cold: bool
    scale: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """All of it; ``command`` is how a user can run it again."""

    subject: str | None
    version: int | None
    payloads: WantedPayloads
    peers: WantedPeers
    effort: WantedEffort
    paths: Sequence[str]
    command: str
