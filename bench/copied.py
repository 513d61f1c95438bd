"""The peer that people write by hand: Protobuf's own parser, then a copy into typed objects.

The copying functions are written as source from the schema, one for each message, as
direct as a person would write them: attribute by attribute, and nothing checked.
"""

from __future__ import annotations

import datetime as dt
from array import array
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec

from ..codec.library.protobuf_wire import CASES, ProtobufWire, field_name
from ..codec.types import SchemaTypes
from ..codec.vectors import typecode
from ..errors import UnsupportedSchema
from ..schemas.model import (
    Array,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Reference,
    Type,
    Union,
)
from .copy_writer import CopyWriter
from .others import protobuf_peer
from .peers import Peer, Versions


def copied_peer(versions: Versions) -> Peer:
    """Protobuf's own parser, and then every field copied into the same classes.

    Only its hydration says anything: what it dehydrates is a message that was filled before.
    Raises ``UnsupportedSchema`` for types that the reference subject does not have.
    """
    unread = protobuf_peer(versions)
    types = versions.registry.subject(versions.subject).types(versions.version)
    copy, parse = message_copier(types), unread.load
    return Peer(
        "protobuf, copied", "objects", unread.dump, lambda blob: copy(parse(blob)), unread.value
    )


def message_copier(types: SchemaTypes) -> Callable[[Any], Any]:
    """A function from the message of a root record to an object of its class."""
    known: dict[str, Any] = {
        "UUID": UUID,
        "Decimal": Decimal,
        "array": array,
        "EPOCH": dt.datetime(1970, 1, 1, tzinfo=dt.UTC),
        "timedelta": dt.timedelta,
        "read_json": msgspec.json.Decoder().decode,
    }
    return _Writer(types, known).compile()


class _Writer(CopyWriter):
    """Copies messages."""

    source = "m"

    def __init__(self, types: SchemaTypes, known: dict[str, Any]) -> None:
        super().__init__(types, known)
        self.wire = ProtobufWire(types.schema)

    def field(self, field: Field) -> str:
        """What copies a field of the message."""
        return self.value(field.type, field.number or 0)

    def value(self, type_: Type, number: int) -> str:
        """What copies the field of this number of the message ``m``."""
        place = f"m.{field_name(number)}"
        if isinstance(type_, Optional):
            return f"{self.item(type_.item, place)} if m.HasField('f{number}') else None"
        return self.item(type_, place)

    def item(self, type_: Type, place: str) -> str:
        """What copies the value at ``place``."""
        match type_:
            case Primitive(well_known=None):
                return place
            case Logical() if self.logical(type_, place):
                return self.logical(type_, place)
            case Json(well_known=None):
                return f"read_json({place})"
            case Array(vector_kind=str()):
                return f"array({typecode(type_)!r}, {place})"
            case Array(items=Primitive()):
                return f"list({place})"
            case Array():
                return f"[{self.item(type_.items, 'i')} for i in {place}]"
            case Map(values=Primitive()):
                return f"dict({place})"
            case Union(oneof=False):
                return f"{self.union(type_)}({place})"
            case Reference():
                return f"{self.reference(type_.name)}({place})"
            case _:
                raise UnsupportedSchema(
                    f"the peer cannot copy a {type(type_).__name__}",
                    where=self.types.schema.subject,
                )

    def logical(self, logical: Logical, place: str) -> str:
        """What makes the value of a logical type; nothing for one that is not known here."""
        match logical:
            case Logical(kind="uuid", base=Primitive(kind="string")):
                return f"UUID({place})"
            case Logical(kind="timestamp", unit="micros", well_known=None):
                return f"EPOCH + timedelta(microseconds={place})"
            case Logical(kind="decimal", base=Primitive(kind="bytes"), scale=scale):
                number = f"int.from_bytes({place}, 'big', signed=True)"
                return f"Decimal({number}).scaleb(-{scale})"
            case _:
                return ""

    def reference(self, name: str) -> str:
        """The name of what makes a record or an enum's member."""
        named = self.types.schema.types[name]
        if not isinstance(named, Enum):
            return self.record(name)
        members = self.types.enum(name)
        table = f"member_{members.__name__}"
        self.known[table] = {s.number: members(s.name) for s in named.symbols}.__getitem__
        return table

    def union(self, union: Union) -> str:
        """The name of the function that copies whichever branch is set."""
        function = f"copy_union_{len(self.functions)}"
        lines = [f"def {function}(u):", f"    case = u.WhichOneof({CASES!r})"]
        for index, branch in enumerate(union.branches):
            case = f"{CASES}{index}"
            lines += [
                f"    if case == {case!r}:",
                f"        return {self.item(branch.type, f'u.{case}')}",
            ]
        self.functions.append("\n".join([*lines, ""]))
        return function
