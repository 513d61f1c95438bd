"""What a graph says of one record: which values it takes, and where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from ..schemas.model import Field, JsonValue, Record
from .conversion import (
    Call,
    Conversion,
    Later,
    Made,
    Maybe,
    RecordConversion,
    Require,
    Take,
    ToRecord,
)
from .matching import short

Names: TypeAlias = tuple[str, ...]
"""The fields that lead from a record to a value inside it."""
Records: TypeAlias = Mapping[ToRecord, RecordConversion]


def field_before(later: Later) -> Field:
    """The field that goes this way, with the default that an op gives it."""
    record = later.origin.types[later.record]
    assert isinstance(record, Record)  # noqa: S101 - derivation took it for one
    field = record.by_name[later.field]
    return field if later.default is None else replace(field, default=later.default)


def default_of(later: Later) -> JsonValue:
    """The default that goes this way, in JSON form."""
    default = field_before(later).default
    return None if default is None else default.value


def record_made(conversion: Conversion) -> ToRecord | None:
    """The conversion of a record, of one that may be null too; ``None`` for any other."""
    inner = conversion.item if isinstance(conversion, Maybe | Require) else conversion
    return inner if isinstance(inner, ToRecord) else None


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is made from the fields of a record; it may be null where they all are."""

    conversion: RecordConversion
    is_optional: bool = False


def parts(
    conversion: RecordConversion, records: Records, *, is_optional: bool = False
) -> Iterator[Part]:
    """A conversion, and those of the records that it makes from fields of its own source."""
    yield Part(conversion, is_optional)
    for gather in conversion.gathers:
        yield from parts(records[gather.conversion], records, is_optional=gather.optional)


def used_calls(conversion: RecordConversion) -> list[Call]:
    """The calls of which a result reaches the target, by way of other calls or not."""
    wanted = {made.call for made in conversion.made}
    for index in reversed(range(len(conversion.calls))):
        if index in wanted:
            reads = conversion.calls[index].reads
            wanted |= {read.call for read in reads if isinstance(read, Made)}
    return [call for index, call in enumerate(conversion.calls) if index in wanted]


def taken(conversion: RecordConversion, records: Records) -> Iterator[Names]:
    """The values of the source record that reach the target."""
    for part in parts(conversion, records):
        reads = [read for call in used_calls(part.conversion) for read in call.reads]
        for take in (*part.conversion.takes, *reads):
            if isinstance(take, Take):
                yield place(take)


def place(take: Take) -> Names:
    """The fields that lead to the value that is taken."""
    return take.source, *take.inner


def origins(name: str, call: Call, calls: Sequence[Call]) -> Iterator[Names]:
    """The values of the source record that the argument ``name`` of a call comes from."""
    for read in call.reads:
        match read:
            case Take() if read.target == name:
                yield place(read)
            case Made() if read.target == name:
                before = calls[read.call]
                for each in before.reads:
                    yield from origins(each.target, before, calls)
            case _:
                pass


class Used:
    """Which values are used of one: ``is_whole`` says that it is itself, ``inner`` has those of
    the fields inside.
    """

    def __init__(self, names: Iterable[Names] = ()) -> None:
        self.is_whole = False
        self.inner: dict[str, Used] = {}
        for each in names:
            self._add(each)

    def __bool__(self) -> bool:
        """Whether any of the fields inside is used."""
        return bool(self.inner)

    def names(self) -> Iterator[Names]:
        """What leads to all that is used inside."""
        for name, used in self.inner.items():
            if used.is_whole:
                yield (name,)
            yield from ((name, *names) for names in used.names())

    def at(self, names: Names) -> Used:
        """What is used of the value that ``names`` lead to."""
        used = self
        for name in names:
            used = used.inner.get(name, _UNUSED)
        return used

    def _add(self, names: Names) -> None:
        used = self
        for name in names:
            used = used.inner.setdefault(name, Used())
        used.is_whole = True


_UNUSED = Used()


def joined(path: str, *names: str) -> str:
    """A path that leads on through fields."""
    return ".".join(part for part in (path, *names) if part)


def labelled(path: str, label: str) -> str:
    """A path that leads on into a branch of a union, by the last part of its label."""
    return f"{path}<{short(label)}>"
