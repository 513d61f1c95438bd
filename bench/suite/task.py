"""What one process of the bench is told, and what it tells: plain data, as JSON between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..measure import Spread
from ..payload import Chosen
from ..peers import Gives
from ..result import LeftOut, Memory, PeerNote, Size, Work

TOO_SLOW: Final = 0.05
"""Seconds of one run above which a peer is left out, unless it was asked for by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a process is to measure.

    ``older`` are the versions that ``migrate`` reads. ``peers`` are names of the catalogue,
    ``own`` are peers of the user's as ``module:NAME``, and ``named`` says that the user chose.
    ``fit`` are the peers and payloads that a first process found to be equal; it is None for
    that first process, which checks all of them and measures memory too.
    """

    schemas: str
    migrations: str | None
    subject: str
    version: int
    older: tuple[int, ...]
    payloads: tuple[Chosen, ...]
    peers: tuple[str, ...]
    own: tuple[str, ...] = ()
    named: bool = False
    works: tuple[Work, ...] = ("hydrate", "dehydrate", "round trip", "migrate", "project")
    paths: tuple[str, ...] = ()
    base: str
    rounds: int
    sample: float
    fit: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """Which row times belong to."""

    work: Work
    peer: str
    payload: str
    version: int | None = None
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Seconds of one run, and of the base, in each round; ``base`` says what that is."""

    key: Key
    gives: Gives
    base: str
    seconds: tuple[float, ...]
    base_seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """What one process found. ``overhead`` is what calling a run takes by itself, in seconds."""

    timed: tuple[Timed, ...]
    fit: tuple[tuple[str, str], ...]
    peers: tuple[PeerNote, ...]
    left_out: tuple[LeftOut, ...]
    sizes: tuple[Size, ...]
    memory: tuple[Memory, ...]
    overhead: Spread
