"""Compiles records that are more than fields of the writer: ``core.ASSEMBLE``.

All that such a record is made of stands in the fields of one record of the writer, or in
records inside of that. It is read into a scratch first, where each value has its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...migrations.conversion import (
    Apply,
    Conversion,
    DefaultToNull,
    FirstItem,
    Gather,
    Maybe,
    NullToDefault,
    RecordConversion,
    Require,
    Take,
    Then,
    ToRecord,
)
from ...migrations.paths import record_at
from ...schemas.model import Field, Optional, Record, Reference, Type
from ..library.load import carried_default
from ..library.scalar_steps import absent, present
from . import core
from .calls import Calls, flat, held
from .defaults import parts_of
from .draft import Draft, NotPlainError
from .scratch import Compiler, Records, Scratch


def assemble(compiler: Compiler, node: int, conversion: RecordConversion) -> None:
    """Fill the node of a record that is not plain.

    Raises NotPlainError for what only the library engine can do.
    """
    record = compiler.schema.types[conversion.source]
    assert isinstance(record, Record)  # noqa: S101 - derivation took it for one
    _Assembly(compiler, Scratch(record)).fill(node, conversion)


@dataclass(frozen=True, slots=True)
class _Reached:
    """A field at the end of a path; ``optional`` says that a record on the way may be null."""

    scratch: Scratch
    field: Field
    optional: bool

    @property
    def is_nullable(self) -> bool:
        return self.optional or isinstance(self.field.type, Optional)


@dataclass(slots=True)
class _Assembly:
    """The scratch of one record, and the functions that run on it."""

    compiler: Compiler
    scratch: Scratch
    calls: Calls = field(init=False)
    opened: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.calls = Calls(self.compiler, self.scratch.places, self._take)

    @property
    def draft(self) -> Draft:
        return self.compiler.draft

    def fill(self, node: int, conversion: RecordConversion) -> None:
        """Fill the node of the whole."""
        self.opened = _opened(conversion, self.compiler.converted)
        passed = self._pass_on(conversion) if self.compiler.reads_apart else ()
        made = self._record(conversion, {}, passed)
        scratch = self.compiler.scratch(self.scratch.members)
        parts = parts_of(self.compiler.types, Reference(conversion.target))
        self.draft.fill(node, core.ASSEMBLE, scratch, *self.calls.functions, made, objects=parts)

    def _pass_on(self, conversion: RecordConversion) -> tuple[Take, ...]:
        """Leave to the record itself what need not stand in the scratch."""
        slots, wanted = self.compiler.slots(conversion), self.compiler.wanted(conversion)
        found = tuple(t for t in conversion.takes if not t.inner and t.source not in self.opened)
        for take in found:
            kind, slot = wanted[take.target], slots[take.target]
            self.scratch.pass_on(take.source, slot, take.conversion, kind, self.compiler)
        return found

    def _record(
        self, conversion: RecordConversion, loose: Mapping[str, int], passed: Sequence[Take] = ()
    ) -> int:
        """The node of a record of the scratch, without the fields that were ``passed`` on;
        ``loose`` are fields that have a node.
        """
        types, wanted = self.compiler.types, self.compiler.wanted(conversion)
        for call in conversion.calls:
            self.calls.add(call, conversion.calls)
        steps = [(node, name) for name, node in loose.items()]
        known = loose.keys() | {take.target for take in passed}
        takes = [take for take in conversion.takes if take.target not in known]
        steps += [(self._field(take, wanted[take.target]), take.target) for take in takes]
        steps += [
            (self.calls.made(made, conversion.calls, types, wanted[made.target]), made.target)
            for made in conversion.made
        ]
        steps += [(self._gather(gather), gather.target) for gather in conversion.gathers]
        return self._built(conversion, steps)

    def _built(self, conversion: RecordConversion, steps: Sequence[tuple[int, str]]) -> int:
        """The node of a record with these fields, and the defaults of the others."""
        slots = self.compiler.slots(conversion)
        steps = [*steps, *self.compiler.fills(conversion)]
        return self.draft.add(
            core.RECORD,
            *(node for node, _ in steps),
            slots=tuple(slots[name] for _, name in steps),
            object=self.compiler.types.record(conversion.target),
        )

    def _field(self, take: Take, target: Type) -> int:
        """A field that is taken of the writer's record, or of one inside."""
        inner = self._plain_record(take) if take.source in self.opened else None
        if inner is None:
            return self._take(self.compiler, take, target)
        return self._beside(take, inner)

    def _plain_record(self, take: Take) -> RecordConversion | None:
        found = take.conversion.item if isinstance(take.conversion, Maybe) else take.conversion
        if take.inner or not isinstance(found, ToRecord):
            return None
        conversion = self.compiler.converted[found]
        return conversion if conversion.is_plain else None

    def _beside(self, take: Take, conversion: RecordConversion) -> int:
        """A record that is taken whole, while fields of it are taken apart: it is read once."""
        of, wanted = self.compiler, self.compiler.wanted(conversion)
        record = record_at(of.schema, self.scratch.record.by_name[take.source].type)
        assert record is not None  # noqa: S101 - it is converted as one
        there, scratch = self.scratch.enter(take.source, record)
        steps: list[tuple[int, str]] = []
        for inner in conversion.takes:
            kind = wanted[inner.target]
            place = scratch.take(inner.source, inner.conversion, kind, of)
            flags = core.LAST_USE | flat(of.types.schema, kind)
            steps.append((held(self.draft, place, flags), inner.target))
        made = self._built(conversion, steps)
        if not isinstance(take.conversion, Maybe):
            return made
        return self.draft.add(core.GATHER, made, held(self.draft, there))

    def _reach(self, take: Take) -> _Reached:
        scratch, optional = self.scratch, False
        field = scratch.record.by_name[take.source]
        for name in take.inner:
            record = record_at(self.compiler.schema, field.type)
            if record is None:
                raise TypeError(f"{name} stands in no record")
            optional = optional or isinstance(field.type, Optional)
            _, scratch = scratch.enter(field.name, record)
            field = record.by_name[name]
        return _Reached(scratch, field, optional)

    def _null(self) -> int:
        return self.draft.add(core.CONSTANT, object=None)

    def _take(self, compiler: Compiler, take: Take, target: Type) -> int:
        """A value of the writer's record, for the one place that it goes to."""
        found, conversion = self._reach(take), take.conversion
        if found.optional and not isinstance(found.field.type, Optional):
            conversion = present(conversion)
        place = found.scratch.take(found.field.name, conversion, target, compiler)
        flags = core.LAST_USE | flat(compiler.types.schema, target)
        if not found.optional:
            return held(self.draft, place, flags)
        if isinstance(take.conversion, Maybe):
            return held(self.draft, place, flags, self._null())
        if isinstance(take.conversion, Require):
            return held(self.draft, place, flags | core.NEEDED)
        make = self._absent(compiler, take.conversion, target)
        return held(self.draft, place, flags, self.draft.add(core.MAKE, object=make))

    def _absent(
        self, compiler: Compiler, conversion: Conversion, target: Type
    ) -> Callable[[], object]:
        if isinstance(conversion, NullToDefault):
            return carried_default(compiler.types, conversion.later, target, compiler.versions)
        return absent(conversion, compiler.types, target)

    def _gather(self, gather: Gather) -> int:
        """A record made of fields of the outer one, or null where all of those are."""
        conversion = self.compiler.converted[gather.conversion]
        reached = [self._reach(take) for take in conversion.takes]
        if not (gather.optional and reached and all(found.is_nullable for found in reached)):
            return self._record(conversion, {})
        wanted = self.compiler.wanted(conversion)
        loose = {
            take.target: self._loose(take, found, wanted[take.target])
            for take, found in zip(conversion.takes, reached, strict=True)
        }
        looks = [self._look(node) for node in loose.values()]
        return self.draft.add(core.GATHER, self._record(conversion, loose), *looks)

    def _loose(self, take: Take, found: _Reached, target: Type) -> int:
        """A value that is looked at before: its null is only refused when it is taken."""
        conversion = take.conversion
        if not isinstance(conversion, Maybe | Require) or _makes_null(conversion.item):
            raise NotPlainError(f"whether {take.target} was null cannot be told")
        inner: Conversion = conversion.item
        if isinstance(found.field.type, Optional):
            inner = Maybe(inner)
        place = found.scratch.take(found.field.name, inner, target, self.compiler)
        flags = flat(self.compiler.types.schema, target)
        if isinstance(conversion, Require):
            flags |= core.NEEDED
        return held(self.draft, place, flags, self._null())

    def _look(self, node: int) -> int:
        """The same value where it may be null."""
        self.draft.specs.append(self.draft.specs[node]._replace(extra=0))
        return len(self.draft.specs) - 1


def _opened(conversion: RecordConversion, records: Records) -> frozenset[str]:
    """The fields of the writer that are records of which fields are taken."""
    reads = [read for call in conversion.calls for read in call.reads if isinstance(read, Take)]
    found = {take.source for take in (*conversion.takes, *reads) if take.inner}
    for gather in conversion.gathers:
        found |= _opened(records[gather.conversion], records)
    return frozenset(found)


def _makes_null(conversion: Conversion) -> bool:
    """Whether what is not null may become null."""
    return isinstance(conversion, Apply | Then | FirstItem | DefaultToNull)
