"""How a value of one schema becomes a value of another: the result of derivation.

A conversion is data: it names fields, branches and symbols of the two schemas and holds no
Python type and no format. The codec compiles it; :mod:`.compose` fuses two of them.
Record conversions are kept apart, by the pair of record names, so recursion needs no cycles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..schemas.model import Default, Json, Logical, Primitive, Reference, Schema


@dataclass(frozen=True, slots=True)
class Keep:
    """A scalar that both schemas hold alike."""

    type: Primitive | Logical | Json | Reference


@dataclass(frozen=True, slots=True)
class Cast:
    """A scalar of another type: a promotion on the way up, a checked narrowing down."""

    source: Primitive | Logical | Json | Reference
    target: Primitive | Logical | Json | Reference


@dataclass(frozen=True, slots=True)
class MapSymbols:
    """An enum: the target symbol for each source symbol, ``None`` where there is none."""

    source: str
    target: str
    table: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class EachItem:
    """An array, item by item."""

    item: Conversion


@dataclass(frozen=True, slots=True)
class EachValue:
    """A map, value by value. ``source_keys`` and ``target_keys`` are the key types."""

    value: Conversion
    source_keys: Primitive
    target_keys: Primitive


@dataclass(frozen=True, slots=True)
class Maybe:
    """An optional that stays one."""

    item: Conversion


@dataclass(frozen=True, slots=True)
class Require:
    """An optional that becomes required: a null cannot be expressed."""

    item: Conversion


@dataclass(frozen=True, slots=True)
class MapBranches:
    """A union: for each source branch the index of the target branch and the conversion,
    ``None`` where the target has no such branch.

    ``target_single`` says that the target is no union but the type of its one branch.
    """

    branches: tuple[tuple[int, Conversion] | None, ...]
    target_single: bool = False


@dataclass(frozen=True, slots=True)
class ToBranch:
    """A value that becomes the branch ``index`` of a union."""

    index: int
    item: Conversion


@dataclass(frozen=True, slots=True)
class ToRecord:
    """A record; also the key of its conversion in the graph.

    ``via`` names the records of the versions between, where several hops were fused: two
    ways from one record to another may differ.
    """

    source: str
    target: str
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Then:
    """A scalar converted twice, where the two steps cannot be one."""

    first: Conversion
    second: Conversion


@dataclass(frozen=True, slots=True)
class Never:
    """A value that cannot be expressed in the target; ``what`` it is, for the message."""

    what: str


Conversion: TypeAlias = (
    Keep
    | Cast
    | MapSymbols
    | EachItem
    | EachValue
    | Maybe
    | Require
    | MapBranches
    | ToBranch
    | ToRecord
    | Then
    | Never
)


@dataclass(frozen=True, slots=True)
class Take:
    """A target field that comes from a source field."""

    target: str
    source: str
    conversion: Conversion


@dataclass(frozen=True, slots=True)
class Fill:
    """A target field that has no source: its default, in JSON form.

    ``later`` leads from the version that declares the default to the target, where further
    hops were fused; ``None`` where the target itself declares it.
    """

    target: str
    default: Default
    later: Later | None = None


@dataclass(frozen=True, slots=True)
class Later:
    """What happens to a default after the version ``origin`` that declares it for ``field``
    of ``record``.
    """

    origin: Schema
    record: str
    field: str
    conversion: Conversion
    records: Mapping[ToRecord, RecordConversion]


@dataclass(frozen=True, slots=True)
class RecordConversion:
    """The fields of one target record. Source fields that are not taken are dropped."""

    source: str
    target: str
    takes: tuple[Take, ...]
    fills: tuple[Fill, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """The conversion from one schema's root record to another's.

    ``records`` holds every record conversion that the root reaches.
    """

    root: ToRecord
    records: Mapping[ToRecord, RecordConversion]
