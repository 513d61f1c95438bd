"""The words of a diff: what changed between two versions, and what breaks by it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Direction: TypeAlias = Literal["backward", "forward"]
"""Backward: newer code reads what older code wrote. Forward: older code reads the newer."""
Aspect: TypeAlias = Literal["layout", "value", "source"]
"""Layout: the bytes do not parse. Value: they give another value, or lose it. Source: code
that uses the generated classes no longer runs or type-checks.
"""
Reading: TypeAlias = Literal["avro", "protobuf", "json", "msgpack", "instar"]
"""Who reads: a plain reader of one format, or instar itself with the migrations."""
RawFormat: TypeAlias = Literal["avro", "protobuf", "json", "msgpack"]

RAW_FORMATS: tuple[RawFormat, ...] = ("avro", "protobuf", "json", "msgpack")
"""The formats whose plain readers are judged; YAML is read as JSON is."""

Kind: TypeAlias = Literal[
    "field-added",
    "field-removed",
    "field-renamed",
    "fields-reordered",
    "number-changed",
    "key-changed",
    "encoding-changed",
    "default-changed",
    "type-changed",
    "type-renamed",
    "vector-changed",
    "became-optional",
    "became-required",
    "symbol-added",
    "symbol-removed",
    "symbol-renamed",
    "symbol-renumbered",
    "enum-default-changed",
    "branch-added",
    "branch-removed",
    "branch-changed",
]


class Break(msgspec.Struct, frozen=True):
    """One way in which a change breaks a plain reader of ``format`` in one direction."""

    format: RawFormat
    direction: Direction
    aspect: Aspect
    why: str


class Change(msgspec.Struct, frozen=True):
    """One difference between two versions.

    ``path`` leads from the subject to it by the newer names (``job.steps[].note``);
    ``breaks`` is empty where every format reads it in both directions; ``source`` says why
    code written against the older classes breaks, and is empty where it does not.
    ``records`` are the full names of the older and the newer record that hold it.
    """

    kind: Kind
    path: str
    what: str
    breaks: tuple[Break, ...] = ()
    source: str = ""
    records: tuple[str, str] = ("", "")

    def broken(self, format_: Reading, direction: Direction) -> tuple[Break, ...]:
        """What the change breaks for a plain reader of one format, in one direction."""
        return tuple(b for b in self.breaks if (b.format, b.direction) == (format_, direction))
