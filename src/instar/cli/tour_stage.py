"""What the scenes of the tour share: the state they follow, and how they speak."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any, Final

from ..bench.sample import agent_state
from ..codec.codec import Codec
from ..codec.registry import Registry
from .output import line
from .tour_folder import SUBJECT, TourFolder

KEY: Final = "agent-007"
"""The agent that the tour follows; its conversation has 100 messages."""

_WIDTH: Final = 76


@dataclass(frozen=True, slots=True)
class Stage:
    """A folder, old code and new code, and a state of version 1."""

    folder: TourFolder
    registry: Registry
    old: Codec[Any]
    new: Codec[Any]
    state: Any

    @classmethod
    def open(cls, folder: TourFolder) -> Stage:
        """The stage in ``folder``, with the state of ``KEY`` made by the old code."""
        registry = Registry.open(folder.schemas, folder.migrations)
        old = registry.codec(SUBJECT, version=1)
        return cls(folder, registry, old, registry.codec(SUBJECT), agent_state(old))


def say(text: str) -> None:
    """Print a paragraph."""
    for row in textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False):
        line(f"  {row}")


def code(*rows: str) -> None:
    """Print the Python that does what the scene shows, as the interactive prompt does."""
    for row in rows:
        line(f"  {'...' if not row or row.startswith(' ') else '>>>'} {row}".rstrip())
    line()
