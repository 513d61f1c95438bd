"""What the library engine must know of a format to read its decoded values.

A library turns payload bytes into values of its own: dicts and tuples from fastavro,
messages from protobuf, builtins from msgspec. A source says, for each type of the writer's
schema, how to get at what they mean; :mod:`.load` does the rest alike for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from ...schemas.model import (
    Array,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)

Raw: TypeAlias = Any
"""A value as the library of some format gives it."""
Getter: TypeAlias = Callable[[Raw], Raw]
Scalar: TypeAlias = Primitive | Logical | Json | Reference


class Source(Protocol):
    """How raw values of one format are read. A ``None`` getter means: as it is."""

    def open_record(self, record: Record) -> Getter | None:
        """Checks a raw record before its fields are read (unknown keys, wrong type)."""
        ...

    def residue(self, record: Record) -> Callable[[Raw], bytes | None] | None:
        """Gets the residue of a raw record; ``None`` where there is never any."""
        ...

    def field(self, record: Record, field: Field) -> Getter:
        """Gets a field of a raw record; raises ``ValueMismatch`` where it is missing."""
        ...

    def item(self, inner: Type) -> Getter | None:
        """Gets an array item, map value, branch or optional item out of what holds it."""
        ...

    def scalar(self, scalar: Scalar) -> Getter | None:
        """Turns a raw scalar into the Python value of its type, checked."""
        ...

    def symbols(self, enum: Enum) -> Mapping[Any, str]:
        """The symbol for each raw enum value."""
        ...

    def optional(self, optional: Optional) -> Getter | None:
        """Turns a raw optional into ``None`` or the raw item."""
        ...

    def union(self, union: Union) -> Callable[[Raw], tuple[int, Raw]]:
        """Splits a raw union into the index of its branch and the raw item."""
        ...

    def array(self, array: Array) -> Callable[[Raw], Iterable[Raw]] | None:
        """Iterates over a raw array."""
        ...

    def vector(self, vector: Array) -> Callable[[Raw], Any]:
        """Turns a raw vector into an ``array.array`` of its type, checked."""
        ...

    def map(self, map_: Map) -> Callable[[Raw], Iterable[tuple[Any, Raw]]]:
        """Iterates over the entries of a raw map; keys are Python values already."""
        ...
