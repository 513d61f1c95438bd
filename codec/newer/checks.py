"""Whether what an entry of a token depends on is what it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from ...migrations.graph_reading import Names
from ...migrations.paths import record_at, type_at
from ...schemas.model import Record, Type
from ..containers import class_of
from ..library.load_fields import record_type
from ..library.source import Raw
from ..record import Record as PythonRecord
from ..types import SchemaTypes
from .digest import digest, digest_compiler
from .stable import is_stable

if TYPE_CHECKING:
    from ..kernel import core

Sources: TypeAlias = tuple[Names, ...]
"""Values of a record of the older version, each by the fields that lead to it."""


_SOURCES = msgspec.msgpack.Decoder(tuple[Names, ...])
_MOST_TAKERS = 1024
"""How many are kept: what they are of may come from blobs."""

Taker: TypeAlias = Callable[[Any], bytes]
"""Takes the digest of some values of a record."""


@dataclass(slots=True)
class _Reader:
    """Gets one value of a record; ``plain`` is its form for a digest."""

    attributes: tuple[str, ...]
    kind: Type
    dump: Callable[[Any], Raw]

    def value(self, record: Any) -> Any:
        for attribute in self.attributes:
            if record is None:
                return None
            record = getattr(record, attribute)
        return record

    def plain(self, record: Any) -> Raw:
        value = self.value(record)
        return None if value is None else self.dump(value)


@dataclass(slots=True)
class Checks:
    """Takes digests of values of records of one version; each is compiled when first met."""

    types: SchemaTypes
    _names: dict[type, str] = field(init=False)
    _compile: Callable[[Type], Callable[[Any], Raw]] = field(init=False)
    _holding: core.Holding | None = None
    _takers: dict[tuple[type, Sources], Taker] = field(default_factory=dict[Any, "Taker"])
    _readers: dict[tuple[type, Names], _Reader] = field(default_factory=dict[Any, _Reader])
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._names = {cls: name for name, cls in self.types.classes.items()}
        self._compile = digest_compiler(self.types)

    def digest(self, record: Any, sources: Sources) -> bytes:
        """The digest of all that ``sources`` lead to; KeyError where one leads nowhere."""
        return self.taker(class_of(record), sources)(record)

    def taker(self, cls: type, sources: Sources) -> Taker:
        """A function that takes the digest of all that ``sources`` lead to in records of a class;
        KeyError where one leads nowhere.
        """
        key = cls, sources
        if key not in self._takers:
            if len(self._takers) >= _MOST_TAKERS:
                self._takers.clear()
            self._takers[key] = _taker([self._reader(cls, names).plain for names in sources])
        return self._takers[key]

    @property
    def holding(self) -> core.Holding:
        """What the kernel knows of the tokens of this version; only where there is a kernel."""
        from ..kernel import core  # noqa: PLC0415 - may not be there

        if self._holding is None:
            self._holding = core.Holding(PythonRecord, self._stored_taker)
        return self._holding

    def _stored_taker(self, cls: type, stored: bytes) -> Taker | None:
        """The same for sources as a token has them; ``None`` where they lead nowhere. Its
        function gives no bytes for a record that they do not fit.
        """
        try:
            take = self.taker(cls, _SOURCES.decode(stored))
        except (LookupError, TypeError, ValueError):
            return None
        return partial(_taken, take)

    def is_stable(self, record: Any, sources: Sources) -> bool:
        """Whether all that ``sources`` lead to is the same in Python once it was written."""
        readers = (self._reader(class_of(record), names) for names in sources)
        return all(is_stable(reader.kind, reader.value(record)) for reader in readers)

    def value(self, record: Any, names: Names) -> Any:
        """What stands in a record; ``None``, too, where a record on the way is null."""
        return self._reader(class_of(record), names).value(record)

    def _reader(self, cls: type, names: Names) -> _Reader:
        key = cls, names
        if key not in self._readers:
            self._readers[key] = self._compiled(self._names[cls], names)
        return self._readers[key]

    def _compiled(self, name: str, names: Names) -> _Reader:
        record = record_type(self.types.schema, name)
        # First, since it finds the names that are not there.
        attributes = tuple(self._attributes(record, names))
        kind = type_at(self.types.schema, record, names)
        with self._lock:  # Another thread must not find records that are half compiled.
            return _Reader(attributes, kind, self._compile(kind))

    def _attributes(self, record: Record | None, names: Names) -> Iterator[str]:
        for name in names:
            if record is None:
                raise KeyError(name)
            yield self.types.names.attributes[record.name][name]
            record = record_at(self.types.schema, type_at(self.types.schema, record, (name,)))


def _taken(take: Taker, record: Any) -> bytes:
    try:
        return take(record)
    except (LookupError, TypeError, ValueError):
        return b""


def _taker(plains: list[Callable[[Any], Raw]]) -> Taker:
    return lambda record: digest([plain(record) for plain in plains])
