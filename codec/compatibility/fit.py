"""How well a reader's type takes what a writer's type wrote."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from ...schemas.model import Schema, Type


class Fit(IntEnum):
    """From best to worst."""

    SAME = 0
    """Every value is read as it was written; floating point may be rounded."""
    VALUE = 1
    """It parses, and some values are read as others."""
    LAYOUT = 2
    """Some bytes do not parse."""


class Reads(NamedTuple):
    """A fit, and why it is no better."""

    fit: Fit
    why: str = ""


class Typed(NamedTuple):
    """A type and the schema that its references are of."""

    schema: Schema
    type: Type

    def inner(self, kind: Type) -> Typed:
        """Another type of the same schema."""
        return Typed(self.schema, kind)


SAME = Reads(Fit.SAME)


def worst(found: Iterable[Reads]) -> Reads:
    """The worst of several fits; the same where there are none."""
    return max(found, key=lambda reads: reads.fit, default=SAME)
