"""Which types a typed JSON or MessagePack decoder takes for which, in the form instar writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ...migrations.casts import Verdict, integer_range, judge
from ...schemas.model import (
    Array,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Union,
)
from ...schemas.naming import names
from .change import RawFormat
from .fit import SAME, Fit, Reads, Typed, worst
from .forms import NUMBERS, form, json_reads
from .words import told

_BASE64 = Reads(Fit.VALUE, "the text is the base64 of the bytes")
_Ends: TypeAlias = tuple[Primitive, Primitive]
"""What the writer and the reader have."""


def typed_reads(writer: Typed, reader: Typed, format_: RawFormat) -> Reads:
    """How a typed decoder of ``format_`` reads one type as another. Records are not opened."""
    writer, reader = _counted(writer), _counted(reader)
    match writer.type, reader.type:
        case _, Json() as new:
            return json_reads(writer, new, format_)
        case Optional() as old, Optional() as new:
            return typed_reads(writer.inner(old.item), reader.inner(new.item), format_)
        case Optional(), _:
            return Reads(Fit.LAYOUT, "null is refused")
        case _, Optional() as new:
            return typed_reads(writer, reader.inner(new.item), format_)
        case Union() as old, Union() as new:
            return _refused(writer, reader)
        case Union() as old, _:
            return worst(_bare(writer, old, reader, format_))
        case _, Union() as new:
            return _into_union(writer, reader, new, format_)
        case Array() as old, Array() as new:
            return typed_reads(writer.inner(old.items), reader.inner(new.items), format_)
        case Map() as old, Map() as new:
            keys = _keys(writer.inner(old.keys), reader.inner(new.keys), format_)
            values = typed_reads(writer.inner(old.values), reader.inner(new.values), format_)
            return worst((keys, values))
        case Primitive() as old, Primitive() as new:
            return _primitives(writer, reader, (old, new), format_)
        case _:
            return _by_form(writer, reader, format_)


def _counted(typed: Typed) -> Typed:
    """Moments in nanoseconds are whole numbers."""
    is_count = isinstance(typed.type, Logical) and typed.type.unit == "nanos"
    return typed.inner(Primitive("long")) if is_count else typed


def _keys(writer: Typed, reader: Typed, format_: RawFormat) -> Reads:
    if format_ == "json" and reader.type == Primitive("string"):
        return SAME  # keys are text in JSON, whatever they are
    return typed_reads(writer, reader, format_)


def _bare(writer: Typed, union: Union, reader: Typed, format_: RawFormat) -> Iterator[Reads]:
    """How each branch is read where a union became one type."""
    for branch, box in zip(union.branches, names(writer.schema).box(union), strict=True):
        inner = writer.inner(branch.type)
        yield _refused(inner, reader) if box else typed_reads(inner, reader, format_)


def _into_union(writer: Typed, reader: Typed, union: Union, format_: RawFormat) -> Reads:
    """How a type is read by the bare branch of its own kind, where it became a union."""
    for branch, box in zip(union.branches, names(reader.schema).box(union), strict=True):
        # A record is told by a key that only a record of a union is written with.
        if box is None and not _is_record(reader.inner(branch.type)):
            found = typed_reads(writer, reader.inner(branch.type), format_)
            if found.fit is not Fit.LAYOUT:
                return found
    return _refused(writer, reader)


def _is_record(typed: Typed) -> bool:
    return isinstance(_definition(typed), Record)


def _primitives(writer: Typed, reader: Typed, ends: _Ends, format_: RawFormat) -> Reads:
    old, new = ends
    if old.kind in ("int", "long") and new.kind in ("int", "long"):
        (low, high), (least, most) = integer_range(old), integer_range(new)
        if least <= low and high <= most:
            return SAME
        return Reads(Fit.LAYOUT, f"a number beyond {told(reader)} is refused")
    numbers = old.kind in NUMBERS and new.kind in ("float", "double")
    if old.kind == new.kind or numbers:
        return SAME
    if (old.kind, new.kind) == ("bytes", "string") and format_ == "json":
        return _BASE64
    return _refused(writer, reader)


def _by_form(writer: Typed, reader: Typed, format_: RawFormat) -> Reads:
    old, new = writer.type, reader.type
    if isinstance(old, Logical) and isinstance(new, Logical) and old.kind == new.kind:
        # Nanoseconds are numbers in a document, and the other units text.
        if (old.unit == "nanos") != (new.unit == "nanos"):
            return _refused(writer, reader)
        return _held(writer, reader, (old, new))
    if isinstance(old, Reference) and isinstance(new, Reference):
        return _named(writer, reader)
    forms = form(writer, format_), form(reader, format_)
    if forms[0] == forms[1] and forms[0] in ("text", "bytes") and isinstance(new, Primitive):
        return SAME
    if forms == ("bytes", "text") and format_ == "json" and isinstance(new, Primitive):
        return _BASE64
    return _refused(writer, reader)


def _held(writer: Typed, reader: Typed, ends: tuple[Logical, Logical]) -> Reads:
    """Whether the reader's type holds every value of the writer's, which is of its kind."""
    if judge(*ends, (writer.schema, reader.schema)) is Verdict.SAME:
        return SAME
    if ends[0].kind == "decimal":
        return Reads(Fit.LAYOUT, "digits that the reader has no room for are refused")
    return Reads(Fit.LAYOUT, f"what is no whole number of {ends[1].unit} is refused")


def _named(writer: Typed, reader: Typed) -> Reads:
    old, new = _definition(writer), _definition(reader)
    sizes = [named.size for named in (old, new) if isinstance(named, Fixed)]
    if type(old) is not type(new) or len(set(sizes)) > 1:
        return _refused(writer, reader)
    return SAME


def _refused(writer: Typed, reader: Typed) -> Reads:
    return Reads(Fit.LAYOUT, f"{told(writer)} is refused for {told(reader)}")


def _definition(typed: Typed) -> object:
    kind = typed.type
    return typed.schema.types[kind.name] if isinstance(kind, Reference) else None
