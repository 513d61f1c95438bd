"""The modes of compatibility: which versions must read which, over a line of versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias, get_args

from ...schemas.model import Schema
from .change import Direction, Reading
from .execute import DEFAULT_SETTINGS, Settings, Verdict, run

Mode: TypeAlias = Literal[
    "NONE",
    "BACKWARD",
    "BACKWARD_TRANSITIVE",
    "FORWARD",
    "FORWARD_TRANSITIVE",
    "FULL",
    "FULL_TRANSITIVE",
]
"""BACKWARD: the newest version reads the one before it; FORWARD: the one before reads the
newest; FULL: both. TRANSITIVE: the same with every earlier version. NONE asks for nothing.
"""
MODES: tuple[Mode, ...] = get_args(Mode)


def verdicts(
    line: Sequence[Schema],
    mode: Mode,
    reading: Reading,
    settings: Settings = DEFAULT_SETTINGS,
) -> tuple[Verdict, ...]:
    """The newest version of ``line``, oldest first, against those that ``mode`` asks for.

    Raises MissingExtra without hypothesis.
    """
    newest = line[-1]
    return tuple(
        run(older, newest, direction, reading, settings)
        for older in _asked(line, mode)
        for direction in directions(mode)
    )


def verdict(
    older: Schema,
    newer: Schema,
    mode: Mode,
    reading: Reading,
    settings: Settings = DEFAULT_SETTINGS,
) -> tuple[Verdict, ...]:
    """Two versions alone: one verdict for each direction that ``mode`` asks for."""
    return verdicts((older, newer), mode, reading, settings)


def _asked(line: Sequence[Schema], mode: Mode) -> Iterator[Schema]:
    """The earlier versions that the newest is held against, nearest first."""
    earlier = line[-2::-1] if len(line) > 1 else ()
    yield from earlier if mode.endswith("TRANSITIVE") else earlier[:1]


def directions(mode: Mode) -> tuple[Direction, ...]:
    """The directions that a mode asks for."""
    match mode.removesuffix("_TRANSITIVE"):
        case "BACKWARD":
            return ("backward",)
        case "FORWARD":
            return ("forward",)
        case "FULL":
            return ("backward", "forward")
        case _:
            return ()
