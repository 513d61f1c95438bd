"""What values look like in a document, and what becomes of them as plain JSON values."""

from __future__ import annotations

from ...migrations.casts import Verdict, judge
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
)
from .change import RawFormat
from .fit import SAME, Fit, Reads, Typed, worst
from .words import told

_TEXTS = ("uuid", "date", "time", "timestamp", "local-timestamp", "decimal", "duration")
NUMBERS = ("int", "long", "float", "double")
"""The primitives that are numbers in a document."""


def form(typed: Typed, format_: RawFormat) -> str:
    """What a value of the type looks like in a document: text, number, boolean, bytes, other.

    Bytes are text in JSON, but none that says what it is.
    """
    kind: Type = typed.type
    match kind:
        case Primitive(kind="string"):
            return "text"
        case Primitive(kind="boolean" | "bytes"):
            return kind.kind
        case Primitive() if kind.kind in NUMBERS:
            return "number"
        case Logical(unit="nanos"):
            return "number"
        case Logical() if kind.kind in _TEXTS and (format_ == "json" or kind.kind != "timestamp"):
            return "text"
        case Reference():
            return _named(typed.schema.types[kind.name])
        case _:
            return "other"


def _named(named: NamedType) -> str:
    match named:
        case Enum():
            return "text"
        case Fixed():
            return "bytes"
        case Record():
            return "other"


def json_reads(
    writer: Typed, reader: Json, format_: RawFormat, around: frozenset[str] = frozenset()
) -> Reads:
    """How a type is read as a JSON value; ``around`` are the records that it stands in."""
    old = writer.type
    match old:
        case Json():
            fits = judge(old, reader, (writer.schema, writer.schema)) is Verdict.SAME
            what = f"what is no {told(writer.inner(reader))} is refused"
            return SAME if fits else Reads(Fit.LAYOUT, what)
        case Optional():
            return json_reads(writer.inner(old.item), reader, format_, around)
        case Array():
            return json_reads(writer.inner(old.items), reader, format_, around)
        case Map() if format_ == "json" or old.keys == Primitive("string"):
            return json_reads(writer.inner(old.values), reader, format_, around)
        case Reference() if isinstance(record := writer.schema.types[old.name], Record):
            if old.name in around:
                return SAME
            inside = around | {old.name}
            fields = (writer.inner(field.type) for field in record.fields)
            return worst(json_reads(inner, reader, format_, inside) for inner in fields)
        case _:
            return _scalar(writer, format_)


def _scalar(writer: Typed, format_: RawFormat) -> Reads:
    shape = form(writer, format_)
    if shape in ("text", "number", "boolean"):
        return SAME
    if format_ == "json":
        return Reads(Fit.VALUE, f"{told(writer)} is read as the JSON that spells it")
    return Reads(Fit.LAYOUT, f"{told(writer)} is no JSON value")
