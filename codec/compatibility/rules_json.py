"""Which types a typed JSON or MessagePack decoder takes for which, in the form instar writes."""

from __future__ import annotations

from ...migrations.casts import integer_range
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Reference,
    Type,
    Union,
)
from .change import RawFormat
from .fit import SAME, Fit, Reads, Typed, worst
from .words import told

_TEXTS = ("uuid", "date", "time", "timestamp", "local-timestamp", "decimal", "duration")
_NUMBERS = ("int", "long", "float", "double")


def typed_reads(writer: Typed, reader: Typed, format_: RawFormat) -> Reads:
    """How a typed decoder of ``format_`` reads one type as another. Records are not opened."""
    match writer.type, reader.type:
        case _, Json():
            return _as_json(writer, format_)
        case Optional() as old, Optional() as new:
            return typed_reads(writer.inner(old.item), reader.inner(new.item), format_)
        case Optional(), _:
            return Reads(Fit.LAYOUT, "null is refused")
        case _, Optional() as new:
            return typed_reads(writer, reader.inner(new.item), format_)
        case (Union(), _) | (_, Union()):
            return Reads(Fit.LAYOUT, f"{told(writer.type)} is not {told(reader.type)}")
        case Array() as old, Array() as new:
            return typed_reads(writer.inner(old.items), reader.inner(new.items), format_)
        case Map() as old, Map() as new:
            pairs = ((old.keys, new.keys), (old.values, new.values))
            return worst(
                typed_reads(writer.inner(one), reader.inner(other), format_) for one, other in pairs
            )
        case Primitive() as old, Primitive() as new:
            return _primitives(old, new, format_)
        case _:
            return _by_form(writer, reader, format_)


def _as_json(writer: Typed, format_: RawFormat) -> Reads:
    if isinstance(writer.type, Json) or _form(writer, format_) in ("text", "number", "boolean"):
        return SAME
    if isinstance(writer.type, Optional):
        return _as_json(writer.inner(writer.type.item), format_)
    return Reads(Fit.VALUE, f"{told(writer.type)} is read as plain JSON")


def _primitives(old: Primitive, new: Primitive, format_: RawFormat) -> Reads:
    if old.kind in ("int", "long") and new.kind in ("int", "long"):
        (low, high), (least, most) = integer_range(old), integer_range(new)
        if least <= low and high <= most:
            return SAME
        return Reads(Fit.LAYOUT, f"a number beyond {new.wire or new.kind} is refused")
    numbers = old.kind in _NUMBERS and new.kind in ("float", "double")
    if old.kind == new.kind or numbers:
        return SAME
    if (old.kind, new.kind) == ("bytes", "string") and format_ == "json":
        return Reads(Fit.VALUE, "the text is the base64 of the bytes")
    return Reads(Fit.LAYOUT, f"{told(old)} is refused for {told(new)}")


def _by_form(writer: Typed, reader: Typed, format_: RawFormat) -> Reads:
    old, new = writer.type, reader.type
    if isinstance(old, Logical) and isinstance(new, Logical) and old.kind == new.kind:
        if (old.unit == "nanos") == (new.unit == "nanos"):
            return SAME
        return Reads(Fit.LAYOUT, f"{told(old)} is refused for {told(new)}")
    if isinstance(old, Reference) and isinstance(new, Reference):
        return _named(writer, reader)
    forms = _form(writer, format_), _form(reader, format_)
    if forms[0] == forms[1] == "text" and isinstance(new, Primitive):
        return SAME
    return Reads(Fit.LAYOUT, f"{told(old)} is refused for {told(new)}")


def _named(writer: Typed, reader: Typed) -> Reads:
    old, new = _definition(writer), _definition(reader)
    if type(old) is not type(new):
        return Reads(Fit.LAYOUT, f"{told(writer.type)} is refused for {told(reader.type)}")
    if isinstance(old, Fixed) and isinstance(new, Fixed) and old.size != new.size:
        return Reads(Fit.VALUE, f"{old.size} bytes are not {new.size}")
    return SAME


def _definition(typed: Typed) -> object:
    kind = typed.type
    return typed.schema.types[kind.name] if isinstance(kind, Reference) else None


def _form(typed: Typed, format_: RawFormat) -> str:
    """What a value of the type looks like in a document."""
    kind: Type = typed.type
    match kind:
        case Primitive(kind="string"):
            return "text"
        case Primitive(kind="boolean"):
            return "boolean"
        case Primitive() if kind.kind in _NUMBERS:
            return "number"
        case Logical(unit="nanos"):
            return "number"
        case Logical() if kind.kind in _TEXTS and (format_ == "json" or kind.kind != "timestamp"):
            return "text"
        case Reference() if isinstance(typed.schema.types[kind.name], Enum):
            return "text"
        case _:
            return "other"
