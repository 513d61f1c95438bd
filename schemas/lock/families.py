"""Which Protobuf types can stand for each other under one field number.

By the table of the Protobuf language guide, "Updating A Message Type": types of one family
are written alike, so a field may change from one to the other. Narrower numbers may be cut;
whether a value survives is a matter of compatibility, not of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ..model import (
    Array,
    Encoding,
    Enum,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ..numbered import Part
from ..plain import to_plain

Family: TypeAlias = tuple[object, ...]

_VARINT, _ZIGZAG, _TEXT = ("varint",), ("zigzag",), ("text",)
_FAMILIES: Mapping[str, Family] = {
    "boolean": _VARINT,
    "int": _VARINT,
    "long": _VARINT,
    "uint32": _VARINT,
    "uint64": _VARINT,
    "sint32": _ZIGZAG,
    "sint64": _ZIGZAG,
    "fixed32": ("fixed32",),
    "sfixed32": ("fixed32",),
    "fixed64": ("fixed64",),
    "sfixed64": ("fixed64",),
    "string": _TEXT,
    "bytes": _TEXT,
}


def family(type_: Type, types: Mapping[str, NamedType]) -> Family:
    """The family of a type of a ``.proto``: equal where the one may become the other."""
    match type_:
        case Primitive():
            word = type_.wire or type_.kind
            return _FAMILIES.get(word, (word,))
        case Reference():
            return _VARINT if isinstance(types[type_.name], Enum) else ("message", type_.name)
        case Optional():
            wrapper = type_.well_known
            return ("message", wrapper) if wrapper else family(type_.item, types)
        case Array():
            return ("repeated", *family(type_.items, types))
        case Map():
            return ("map", *family(type_.keys, types), *family(type_.values, types))
        case Logical() | Json():
            return ("message", type_.well_known or str(to_plain(type_)))
        case Union():
            return ("oneof",)


def delimited_parts(schema: Schema) -> Iterator[Part]:
    """The fields whose message stands between two tags, as in a group, and not behind its
    length: one is never read as the other, whatever the message.
    """
    for record in schema.types.values():
        for field in record.fields if isinstance(record, Record) else ():
            for name, encoding in ((field.name, field.encoding), *_cases(field.type)):
                if encoding == "delimited":
                    yield Part("field", record.name, name)


def _cases(type_: Type) -> Iterator[tuple[str, Encoding | None]]:
    """The fields that a oneof is made of, each with its encoding."""
    inner = type_.item if isinstance(type_, Optional) else type_
    for branch in inner.branches if isinstance(inner, Union) else ():
        yield branch.label, branch.encoding
