"""Which Avro types a reader resolves to which (specification 1.12, "Schema Resolution")."""

from __future__ import annotations

from ...migrations.matching import short
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
    Union,
)
from .fit import SAME, Fit, Reads, Typed, worst
from .words import told

_PROMOTIONS = {
    "int": ("long", "float", "double"),
    "long": ("float", "double"),
    "float": ("double",),
    "string": ("bytes",),
    "bytes": ("string",),
}


def avro_reads(writer: Typed, reader: Typed) -> Reads:
    """How Avro's resolution reads one type as another. Records are compared by name alone."""
    written = _branches(writer.type)
    if len(written) > 1:
        return worst(_branch(writer.inner(branch), reader) for branch in written)
    return _branch(writer, reader)


def same_name(writer: NamedType, reader: NamedType) -> bool:
    """Whether the reader takes the writer's named type for its own: by name or alias."""
    named = short(writer.name) == short(reader.name)
    return named or writer.name in reader.aliases


def _branches(kind: Type) -> tuple[Type, ...]:
    """The branches of a type as Avro has them, null too."""
    match kind:
        case Optional():
            return (Primitive("null"), *_branches(kind.item))
        case Union():
            return tuple(branch.type for branch in kind.branches)
        case _:
            return (kind,)


def _branch(writer: Typed, reader: Typed) -> Reads:
    """How one branch is read: by the first branch of the reader that takes it."""
    options = _branches(reader.type)
    if len(options) == 1:
        return _single(writer, reader)
    found = min((_single(writer, reader.inner(o)) for o in options), key=lambda r: r.fit)
    if found.fit is Fit.LAYOUT:
        return Reads(Fit.LAYOUT, f"the reader's union has no branch for {told(writer.type)}")
    return found


def _single(writer: Typed, reader: Typed) -> Reads:
    match writer.type, reader.type:
        case Array() as old, Array() as new:
            return avro_reads(writer.inner(old.items), reader.inner(new.items))
        case Map() as old, Map() as new:
            return avro_reads(writer.inner(old.values), reader.inner(new.values))
        case Reference() as old, Reference() as new:
            return _named(writer.schema.types[old.name], reader.schema.types[new.name])
        case (Logical() | Json(), _) | (_, Logical() | Json()):
            return _logical(writer, reader)
        case Primitive() as old, Primitive() as new if _promotes(old, new):
            return SAME
        case _:
            return _refused(writer.type, reader.type)


def _promotes(old: Primitive, new: Primitive) -> bool:
    kinds = _avro_kind(old), _avro_kind(new)
    return kinds[0] == kinds[1] or kinds[1] in _PROMOTIONS.get(kinds[0], ())


def _avro_kind(primitive: Primitive) -> str:
    return "long" if primitive.wire in ("uint32", "fixed32") else primitive.kind


def _named(old: NamedType, new: NamedType) -> Reads:
    if type(old) is not type(new):
        return Reads(Fit.LAYOUT, f"{_word(old)} {old.name} is no {_word(new)}")
    if not same_name(old, new):
        return Reads(Fit.LAYOUT, f"{old.name} is not called {new.name}, nor is that its alias")
    if isinstance(old, Fixed) and isinstance(new, Fixed) and old.size != new.size:
        return Reads(Fit.LAYOUT, f"{old.size} bytes are not {new.size}")
    return SAME


def _word(named: NamedType) -> str:
    match named:
        case Record():
            return "the record"
        case Enum():
            return "the enum"
        case Fixed():
            return "the fixed"


def _logical(writer: Typed, reader: Typed) -> Reads:
    base = _single(writer.inner(_base(writer.type)), reader.inner(_base(reader.type)))
    if base.fit is Fit.LAYOUT or _same_meaning(writer.type, reader.type):
        return base
    what = f"{told(writer.type)} is read as {told(reader.type)}"
    return Reads(Fit.VALUE, what)


def _base(kind: Type) -> Type:
    match kind:
        case Logical():
            return kind.base
        case Json():
            return Primitive("bytes")
        case _:
            return kind


def _same_meaning(old: Type, new: Type) -> bool:
    match old, new:
        case Logical(), Logical():
            scales = (old.scale, old.precision) == (new.scale, new.precision)
            return old.kind == new.kind and old.unit == new.unit and scales
        case Json(), Json():
            return True
        case _:
            return False


def _refused(old: Type, new: Type) -> Reads:
    return Reads(Fit.LAYOUT, f"{told(old)} is not read as {told(new)}")
