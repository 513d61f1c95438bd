"""The peer that people write by hand for fastavro: its dicts, copied into typed objects.

As :mod:`..copied` does it for Protobuf: one function for each record, written as source, as
direct as a person would write them, with nothing checked.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import msgspec

from ...codec.types import SchemaTypes
from ...codec.vectors import typecode
from ...errors import UnsupportedSchema
from ...schemas.model import (
    Array,
    Enum,
    Field,
    Fixed,
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
from ..copy_writer import CopyWriter
from ..others import fastavro_peer
from ..peers import Peer, Versions


def copied_avro_peer(versions: Versions) -> Peer:
    """The library fastavro, and then every field copied into the same classes.

    Only its hydration says anything: what it dehydrates are dicts that were made before.
    Raises ``UnsupportedSchema`` for types that people seldom copy.
    """
    dicts = fastavro_peer(versions)
    types = versions.registry.subject(versions.subject).types(versions.version)
    copy, parse = dict_copier(types), dicts.load

    def load(payload: bytes) -> Any:
        return copy(parse(payload))

    return Peer(dicts.name, "objects", dicts.dump, load, dicts.value)


def dict_copier(types: SchemaTypes) -> Callable[[Any], Any]:
    """A function from fastavro's dict of a root record to an object of its class."""
    known = {"array": array, "read_json": msgspec.json.Decoder().decode}
    return _Writer(types, known).compile()


class _Writer(CopyWriter):
    """Copies the dicts of records."""

    source = "d"

    def field(self, field: Field) -> str:
        """What copies a field of the dict."""
        return self.item(field.type, f"d[{field.name!r}]")

    def item(self, kind: Type, place: str) -> str:
        """What copies the value at ``place``; fastavro itself makes what has a class in Python."""
        match kind:
            case Primitive() | Logical(kind="uuid" | "timestamp" | "date" | "decimal"):
                return place
            case Json():
                return f"read_json({place})"
            case Optional():
                copied = self.item(kind.item, place)
                return place if copied == place else f"None if {place} is None else {copied}"
            case Array(vector_kind=str()):
                return f"array({typecode(kind)!r}, {place})"
            case Array(items=items):
                return (
                    place if self._plain(items) else f"[{self.item(items, 'i')} for i in {place}]"
                )
            case Map(values=values):
                each = self.item(values, "i")
                return place if each == "i" else f"{{k: {each} for k, i in {place}.items()}}"
            case Union():
                return f"{self.union(kind)}({place})"
            case Reference():
                return self.reference(kind.name, place)
            case _:
                raise self._unsupported(kind)

    def _plain(self, kind: Type) -> bool:
        return self.item(kind, "i") == "i"

    def reference(self, name: str, place: str) -> str:
        """What copies a record, or makes an enum's member."""
        named = self.types.schema.types[name]
        if isinstance(named, Fixed):
            return place
        if not isinstance(named, Enum):
            return f"{self.record(name)}({place})"
        members = self.types.enum(name)
        table = f"member_{members.__name__}"
        self.known[table] = {symbol.name: members(symbol.name) for symbol in named.symbols}
        return f"{table}[{place}]"

    def union(self, union: Union) -> str:
        """The name of the function that copies whichever record of a union it is."""
        names = [b.type.name for b in union.branches if isinstance(b.type, Reference)]
        records = [n for n in names if isinstance(self.types.schema.types[n], Record)]
        if len(records) < len(union.branches):
            raise self._unsupported(union)
        if len(records) == 1:  # fastavro names a record only where there are more
            return self.record(records[0])
        number = len(self.functions)
        table, function = f"branches_{number}", f"copy_union_{number}"
        copiers = ", ".join(f"{name!r}: {self.record(name)}" for name in records)
        self.functions.append(
            f"{table} = {{{copiers}}}\n"
            f"def {function}(u):\n    name, value = u\n    return {table}[name](value)\n"
        )
        return function

    def _unsupported(self, kind: Type) -> UnsupportedSchema:
        what = f"the peer cannot copy a {type(kind).__name__}"
        return UnsupportedSchema(what, where=self.types.schema.subject)
