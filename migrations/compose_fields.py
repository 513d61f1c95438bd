"""Fuses the fields of a record: what each is after two hops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from msgspec.structs import replace

from ..schemas.model import Schema
from .conversion import (
    Apply,
    Call,
    Conversion,
    DefaultToNull,
    Fill,
    FirstItem,
    Gather,
    Later,
    Made,
    Maker,
    Maybe,
    NullToDefault,
    RecordConversion,
    Take,
    Then,
    ToItem,
    ToRecord,
)
from .unfusable import Unfusable

Records: TypeAlias = Mapping[ToRecord, RecordConversion]


class Composer(Protocol):
    """What fuses values; this fuses the records that they are in."""

    first: Records
    second: Records
    middle: Schema
    records: dict[ToRecord, RecordConversion]

    def compose(self, p: Conversion, q: Conversion) -> Conversion:
        """``q`` after ``p``."""
        ...

    def beside(self, first: Records | None = None, second: Records | None = None) -> Composer:
        """One for other conversions on either side."""
        ...

    def records_between(self, p: ToRecord, q: ToRecord) -> ToRecord:
        """The fused conversion of a record."""
        ...


def compose_fields(composer: Composer, p: ToRecord, q: ToRecord) -> RecordConversion:
    """The fields of the record that ``q`` makes of the one that ``p`` makes."""
    fields = _Fields(composer, p, composer.first[p])
    return fields.after(composer.second[q], q)


@dataclass(slots=True)
class _Fields:
    """Fuses with what the first hop makes of one record, ``before``."""

    composer: Composer
    key: ToRecord
    before: RecordConversion

    @property
    def origins(self) -> Mapping[str, Maker]:
        return self.before.makers

    def after(self, q: RecordConversion, key: ToRecord) -> RecordConversion:
        calls = [self._call(call, q.source) for call in q.calls]
        found = [self.take(take, q.source, self.composer) for take in q.takes]
        found += [replace(made, call=made.call + len(self.before.calls)) for made in q.made]
        found += [self._gather(gather) for gather in q.gathers]
        return RecordConversion(
            self.before.source,
            key.target,
            tuple(o for o in found if isinstance(o, Take)),
            (*q.fills, *(o for o in found if isinstance(o, Fill))),
            tuple(o for o in found if isinstance(o, Gather)),
            (*self.before.calls, *calls),
            tuple(o for o in found if isinstance(o, Made)),
        )

    def take(self, take: Take, record: str, composer: Composer) -> Maker:
        """What a field of the target is that is taken from one of the middle ``record``."""
        origin = self.origins[take.source]
        if take.inner:
            return self._inside(take, origin, composer)
        match origin:
            case Take():
                conversion = composer.compose(origin.conversion, take.conversion)
                return Take(take.target, origin.source, conversion, origin.inner)
            case Fill():
                return Fill(take.target, origin.default, self._later(origin, record, take))
            case Made():
                return replace(origin, target=take.target, later=self._made(origin, take))
            case Gather():
                return self._regather(origin, take, composer)

    def _inside(self, take: Take, origin: Maker, composer: Composer) -> Maker:
        """A field of a record that the first hop makes: it was somewhere before that."""
        if not isinstance(origin, Take):
            raise Unfusable
        optional = isinstance(origin.conversion, Maybe)
        made = origin.conversion.item if isinstance(origin.conversion, Maybe) else origin.conversion
        if not isinstance(made, ToRecord):
            raise Unfusable
        name, *rest = take.inner
        inner = _Fields(composer, made, self.composer.first[made])
        found = inner.origins.get(name)
        if rest or not isinstance(found, Take):
            raise Unfusable
        before = Maybe(_present(found.conversion)) if optional else found.conversion
        conversion = composer.compose(before, take.conversion)
        path = (*origin.inner, found.source, *found.inner)
        return Take(take.target, origin.source, conversion, path)

    def _regather(self, origin: Gather, take: Take, composer: Composer) -> Gather:
        conversion = take.conversion
        optional = isinstance(conversion, Maybe)
        inner = conversion.item if isinstance(conversion, Maybe) else conversion
        if not isinstance(inner, ToRecord) or (origin.optional and not optional):
            raise Unfusable
        found = composer.records_between(origin.conversion, inner)
        return Gather(take.target, found, origin.optional)

    def _gather(self, gather: Gather) -> Gather:
        """A record made of fields of the middle record, which were in this one.

        Whether an optional one is null is seen by nulls of the middle record, so each of them
        has to be a null of this one.
        """
        made = self.composer.second[gather.conversion]
        if gather.optional and not all(self._keeps_null(take) for take in made.takes):
            raise Unfusable
        found = self.composer.records_between(self.key, gather.conversion)
        return replace(gather, conversion=found)

    def _keeps_null(self, take: Take) -> bool:
        origin = self.origins[take.source]
        return isinstance(origin, Take) and not isinstance(
            origin.conversion, FirstItem | ToItem | Apply | Then | NullToDefault | DefaultToNull
        )

    def _later(self, fill: Fill, record: str, take: Take) -> Later:
        """A default of the middle version, or of one before it, taken on to the target."""
        if fill.later is None:
            middle = self.composer.middle
            return Later(middle, record, take.source, take.conversion, self.composer.second)
        return further(self.composer, fill.later, take.conversion)

    def _made(self, made: Made, take: Take) -> Later:
        if made.later is not None:
            return further(self.composer, made.later, take.conversion)
        call = self.before.calls[made.call]
        name = call.writes[made.index]
        return Later(call.results, call.result_record, name, take.conversion, self.composer.second)

    def _call(self, call: Call, record: str) -> Call:
        """A call of the second hop, which reads what the first hop makes."""
        inner = self.composer.beside(second=call.records)
        reads = tuple(_read(self._argument(read, record, inner)) for read in call.reads)
        return replace(call, reads=reads, records=inner.records)

    def _argument(self, read: Take | Fill | Made, record: str, inner: Composer) -> Maker:
        if isinstance(read, Made):
            return replace(read, call=read.call + len(self.before.calls))
        if isinstance(read, Fill):
            return read
        return _Fields(inner, self.key, self.before).take(read, record, inner)


def further(composer: Composer, later: Later, conversion: Conversion) -> Later:
    """The way of a default or a result, led on by ``conversion``."""
    inner = composer.beside(first=later.records)
    found = inner.compose(later.conversion, conversion)
    return replace(later, conversion=found, records=inner.records)


def _present(conversion: Conversion) -> Conversion:
    """The conversion of a value that is there: an optional in an optional is one."""
    return conversion.item if isinstance(conversion, Maybe) else conversion


def _read(origin: Maker) -> Take | Fill | Made:
    if isinstance(origin, Gather):
        raise Unfusable
    return origin
