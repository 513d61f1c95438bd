"""How a value of one schema becomes a value of another: the result of derivation.

A conversion is data: it names fields, branches and symbols of the two schemas and holds no
Python type and no format. The codec compiles it; :mod:`.compose` fuses two of them.
Record conversions are kept apart, by the pair of record names, so recursion needs no cycles.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

import msgspec

from ..schemas.model import Default, Json, Logical, Primitive, Reference, Schema
from .compute import Compute
from .rules import Rule, Scalar, Split


class Keep(msgspec.Struct, frozen=True):
    """A scalar that both schemas hold alike.

    ``single`` says that it is rounded to 32 bits, since a vector of floats holds it on the
    way, where a float of its own keeps the number that Python has.
    """

    type: Primitive | Logical | Json | Reference
    single: bool = False


class Cast(msgspec.Struct, frozen=True):
    """A scalar of another type: a promotion on the way up, a checked narrowing down.

    ``single`` is as in ``Keep``.
    """

    source: Primitive | Logical | Json | Reference
    target: Primitive | Logical | Json | Reference
    single: bool = False


class MapSymbols(msgspec.Struct, frozen=True):
    """An enum: the target symbol for each source symbol, ``None`` where there is none."""

    source: str
    target: str
    table: Mapping[str, str | None]


class EachItem(msgspec.Struct, frozen=True):
    """An array, item by item."""

    item: Conversion


class EachValue(msgspec.Struct, frozen=True):
    """A map, value by value. ``source_keys`` and ``target_keys`` are the key types."""

    value: Conversion
    source_keys: Primitive
    target_keys: Primitive


class Maybe(msgspec.Struct, frozen=True):
    """An optional that stays one."""

    item: Conversion


class Require(msgspec.Struct, frozen=True):
    """An optional that becomes required: a null cannot be expressed."""

    item: Conversion


class MapBranches(msgspec.Struct, frozen=True):
    """A union: for each source branch the index of the target branch and the conversion,
    ``None`` where the target has no such branch.

    ``target_single`` says that the target is no union but the type of its one branch.
    """

    branches: tuple[tuple[int, Conversion] | None, ...]
    target_single: bool = False


class ToBranch(msgspec.Struct, frozen=True):
    """A value that becomes the branch ``index`` of a union."""

    index: int
    item: Conversion


class ToRecord(msgspec.Struct, frozen=True):
    """A record; also the key of its conversion in the graph.

    ``via`` names the records of the versions between, where several hops were fused: two
    ways from one record to another may differ.
    """

    source: str
    target: str
    via: tuple[str, ...] = ()


class ToItem(msgspec.Struct, frozen=True):
    """A value that becomes the one item of an array.

    ``optional`` says that it may be null, which becomes an empty array; ``item`` is the
    conversion of what is not null.
    """

    item: Conversion
    optional: bool = False


class FirstItem(msgspec.Struct, frozen=True):
    """The first item of an array, which drops the others.

    An empty array becomes null where the target is ``optional``, and else is refused.
    """

    item: Conversion
    optional: bool = True


class Apply(msgspec.Struct, frozen=True):
    """A scalar or an enum changed by a rule that is data.

    The rule sees scalars as Python has them, and the symbols of enums as text. ``forward``
    says which way of the rule it is. ``takes_null`` and ``gives_null`` say that the rule
    itself has to do with null.
    """

    source: Scalar
    target: Scalar
    rule: Rule
    forward: bool
    takes_null: bool = False
    gives_null: bool = False


class Then(msgspec.Struct, frozen=True):
    """A scalar converted twice, where the two steps cannot be one.

    Between the steps an enum is the text of its symbol.
    """

    first: Conversion
    second: Conversion


class NullToDefault(msgspec.Struct, frozen=True):
    """An optional that becomes required: null becomes a default that the op gives.

    ``item`` is the conversion of what is not null, and ``later`` leads from the version that
    the default is of to the target.
    """

    item: Conversion
    later: Later


class DefaultToNull(msgspec.Struct, frozen=True):
    """The other way: a value that the target has as it has the default becomes null.

    ``later`` leads from the version that the default is of to the target.
    """

    item: Conversion
    later: Later


class Never(msgspec.Struct, frozen=True):
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
    | ToItem
    | FirstItem
    | Apply
    | Then
    | NullToDefault
    | DefaultToNull
    | Never
)


class Take(msgspec.Struct, frozen=True):
    """A target field that comes from a source field, or from a field inside of one.

    ``inner`` names the fields to go on through, all of records or optional records: where
    one of those is null, the value is null.
    """

    target: str
    source: str
    conversion: Conversion
    inner: tuple[str, ...] = ()


class Gather(msgspec.Struct, frozen=True):
    """A target field that is a record made from fields of the source record itself.

    ``optional`` says that it is null where every value that it would take is null.
    """

    target: str
    conversion: ToRecord
    optional: bool = False


class Fill(msgspec.Struct, frozen=True):
    """A target field that has no source: its default, in JSON form.

    ``later`` leads from the version that declares the default to the target, where further
    hops were fused; ``None`` where the target itself declares it.
    """

    target: str
    default: Default
    later: Later | None = None


class Later(msgspec.Struct, frozen=True):
    """What happens to a value of ``field`` of ``record`` after the version ``origin``: to a
    default that it declares or an op gives, or to what a function made.

    ``default`` is the one that an op gives, in the place of what the schema declares.
    """

    origin: Schema
    record: str
    field: str
    conversion: Conversion
    records: Mapping[ToRecord, RecordConversion]
    default: Default | None = None


class Made(msgspec.Struct, frozen=True):
    """A target field that is the result ``index`` of the call ``call`` of its record.

    ``later`` leads on to the target, where further hops were fused.
    """

    target: str
    call: int
    index: int
    later: Later | None = None


class Call(msgspec.Struct, frozen=True):
    """A function, or a rule that is data, that makes fields from fields.

    ``reads`` give its arguments: values of fields of the record ``argument_record`` of the
    schema ``arguments``, in their Python types; ``records`` are the records that these
    conversions reach. Results are values of the fields ``writes`` of ``result_record`` of
    ``results``. ``forward`` says which way of a rule it is; a function has its own.
    """

    function: Compute | Split
    forward: bool
    reads: tuple[Take | Fill | Made, ...]
    records: Mapping[ToRecord, RecordConversion]
    arguments: Schema
    argument_record: str
    results: Schema
    result_record: str
    writes: tuple[str, ...]


Maker: TypeAlias = Take | Fill | Gather | Made
"""What a field of the target comes from."""


class RecordConversion(msgspec.Struct, frozen=True, dict=True):
    """The fields of one target record. Source fields that are not taken are dropped.

    Calls are in an order in which each reads only what those before it made.
    """

    source: str
    target: str
    takes: tuple[Take, ...]
    fills: tuple[Fill, ...]
    gathers: tuple[Gather, ...] = ()
    calls: tuple[Call, ...] = ()
    made: tuple[Made, ...] = ()

    @cached_property
    def makers(self) -> Mapping[str, Maker]:
        """What each field of the target comes from."""
        every: tuple[Maker, ...] = (*self.takes, *self.fills, *self.gathers, *self.made)
        return {maker.target: maker for maker in every}

    @property
    def is_plain(self) -> bool:
        """Whether each field is taken from one of the source, or filled."""
        return not (self.gathers or self.calls or any(take.inner for take in self.takes))


class Graph(msgspec.Struct, frozen=True):
    """The conversion from one schema's root record to another's.

    ``records`` holds every record conversion that the root reaches.
    """

    root: ToRecord
    records: Mapping[ToRecord, RecordConversion]
