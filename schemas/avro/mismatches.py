"""Where one type is not read as another, by the rules of Avro: the one home of these rules.

They are those of the specification (1.12, "Schema Resolution"). A mismatch says what does not
fit and where, as data. Avro's own checkers and the verdicts on compatibility put it in their
own words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from ..model import (
    Array,
    Enum,
    Field,
    Fixed,
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
from ..promotions import promotes
from .names import AvroNames, avro_kind, avro_names

MismatchKind: TypeAlias = Literal[
    "name",
    "size",
    "symbols",
    "field",
    "type",
    "branch",
    "meaning",
    "text",
]


class Mismatch(NamedTuple):
    """A pair of types that do not fit, at a JSON pointer into the reader's ``.avsc``.

    ``name``, ``size`` and ``symbols`` are of two named types; ``field`` is one that the reader
    needs; ``branch`` one that its union lacks, where the pointer is into the writer's schema.
    ``lacking`` names the symbols, or the field. The last two parse all the same: ``meaning``
    as another logical type, ``text`` as what is no text unless the bytes are UTF-8.
    """

    kind: MismatchKind
    location: str
    writer: Type
    reader: Type
    lacking: tuple[str, ...] = ()

    @property
    def parses(self) -> bool:
        """Whether the bytes parse all the same."""
        return self.kind in {"meaning", "text"}


class _Branch(NamedTuple):
    """A branch of a union; ``wrapper`` is the record that wraps it, where Avro needs one."""

    type: Type
    wrapper: str = ""


class Resolver:
    """Holds the types of two schemas against each other; a pair of named types once.

    Records and enums are opened, unless ``closed`` says that their names alone are compared.
    """

    def __init__(self, writer: Schema, reader: Schema, *, closed: bool = False) -> None:
        self._writer = writer.types
        self._reader = reader.types
        self._names = avro_names(writer), avro_names(reader)
        self._closed = closed
        self._known: dict[tuple[str, str], list[Mismatch]] = {}

    def types(self, writer: Type, reader: Type, here: str = "") -> list[Mismatch]:
        """The mismatches of one pair of types, at ``here``."""
        written, read = _branches(writer, self._names[0]), _branches(reader, self._names[1])
        if written is not None:
            return self._from_union(written, reader, here)
        if read is not None:
            return self._to_union(_Branch(writer), read, (here, here), reader)
        found = self._single(_base(writer), _base(reader), here)
        if _parse(found) and not _means_the_same(writer, reader):
            return [Mismatch("meaning", here, writer, reader)]
        return found

    def _single(self, writer: Type, reader: Type, here: str) -> list[Mismatch]:
        match writer, reader:
            case Primitive(kind="bytes"), Primitive(kind="string"):
                return [Mismatch("text", here, writer, reader)]
            case Array(), Array():
                return self.types(writer.items, reader.items, f"{here}/items")
            case Map(), Map():
                return self.types(writer.values, reader.values, f"{here}/values")
            case Reference(), Reference():
                return self._named(writer, reader, here)
            case Primitive(), Primitive() if _reads(avro_kind(writer), avro_kind(reader)):
                return []
            case _:
                return [Mismatch("type", here, writer, reader)]

    def _from_union(self, written: tuple[_Branch, ...], reader: Type, here: str) -> list[Mismatch]:
        """Each branch of the writer must be readable."""
        read = _branches(reader, self._names[1])
        found: list[Mismatch] = []
        for index, branch in enumerate(written):
            if read is None:
                found += self._alike(branch, _Branch(reader), here)
            else:
                found += self._to_union(branch, read, (here, f"{here}/{index}"), reader)
        return _distinct(found)

    def _to_union(
        self, writer: _Branch, read: tuple[_Branch, ...], places: tuple[str, str], reader: Type
    ) -> list[Mismatch]:
        """The branch of the very type is read, else the first that takes it.

        The specification knows only the first, and most readers look for the type before.
        ``places`` are those of the union, and of the branch where it is lacking.
        """
        fitting: list[list[Mismatch]] = []
        for branch in read:
            found = self._alike(writer, branch, places[0])
            if _is_very_type(_base(writer.type), _base(branch.type)) and _parse(found):
                return found
            fitting += [found] if _parse(found) else []
        return fitting[0] if fitting else [Mismatch("branch", places[1], writer.type, reader)]

    def _alike(self, writer: _Branch, reader: _Branch, here: str) -> list[Mismatch]:
        """The mismatches of two branches; those that a record wraps are read by its name."""
        if writer.wrapper.rpartition(".")[2] != reader.wrapper.rpartition(".")[2]:
            return [Mismatch("type", here, writer.type, reader.type)]
        return self.types(writer.type, reader.type, here)

    def _named(self, writer: Reference, reader: Reference, here: str) -> list[Mismatch]:
        pair = writer.name, reader.name
        if pair not in self._known:
            self._known[pair] = []  # a recursive type finds itself without fault
            self._known[pair] = list(self._compare(writer, reader, here))
        return self._known[pair]

    def _compare(self, writer: Reference, reader: Reference, here: str) -> Iterator[Mismatch]:
        old, new = self._writer[writer.name], self._reader[reader.name]
        if type(old) is not type(new):
            yield Mismatch("type", here, writer, reader)
            return
        if not is_same_name(old, new):
            yield Mismatch("name", f"{here}/name", writer, reader)
        if isinstance(old, Fixed) and isinstance(new, Fixed) and old.size != new.size:
            yield Mismatch("size", f"{here}/size", writer, reader)
        if not self._closed:
            yield from self._opened((writer, old), (reader, new), here)

    def _opened(
        self, writer: tuple[Type, NamedType], reader: tuple[Type, NamedType], here: str
    ) -> Iterator[Mismatch]:
        match writer[1], reader[1]:
            case Record() as old, Record() as new:
                yield from _distinct([*self._fields(old, new, here)])
            case Enum() as old, Enum() as new if new.default is None:
                known = {symbol.name for symbol in new.symbols}
                lost = sorted({symbol.name for symbol in old.symbols} - known)
                if lost:
                    ends = writer[0], reader[0]
                    yield Mismatch("symbols", f"{here}/symbols", *ends, tuple(lost))
            case _:
                return

    def _fields(self, writer: Record, reader: Record, here: str) -> Iterator[Mismatch]:
        for index, field in enumerate(reader.fields):
            place = f"{here}/fields/{index}"
            source = writer_field(writer, field)
            if source is not None:
                yield from self.types(source.type, field.type, f"{place}/type")
            elif field.default is None:
                yield Mismatch("field", place, Reference(writer.name), field.type, (field.name,))


def writer_field(writer: Record, reader: Field) -> Field | None:
    """The writer's field that a reader's field takes: of its name, else of an alias."""
    fields = {field.name: field for field in writer.fields}
    return next((fields[name] for name in (reader.name, *reader.aliases) if name in fields), None)


def is_same_name(writer: NamedType, reader: NamedType) -> bool:
    """Whether the reader takes the writer's named type for its own.

    The last part of the names counts, as in Avro's own checkers, or an alias of the reader.
    """
    short = writer.name.rpartition(".")[2]
    return short == reader.name.rpartition(".")[2] or writer.name in reader.aliases


def _parse(found: list[Mismatch]) -> bool:
    return all(one.parses for one in found)


def _is_very_type(writer: Type, reader: Type) -> bool:
    if isinstance(writer, Primitive) and isinstance(reader, Primitive):
        return avro_kind(writer) == avro_kind(reader)
    return type(writer) is type(reader)


def _distinct(found: list[Mismatch]) -> list[Mismatch]:
    return list(dict.fromkeys(found))


def _reads(written: str, read: str) -> bool:
    return written == read or promotes(written, read)


def _base(type_: Type) -> Type:
    """A logical type as what it stands on."""
    match type_:
        case Logical():
            return type_.base
        case Json():
            return Primitive("bytes")
        case _:
            return type_


def _means_the_same(writer: Type, reader: Type) -> bool:
    """Whether each value below two types stands for the same thing."""
    match writer, reader:
        case Logical(), Logical():
            is_kind = (writer.kind, writer.unit, writer.scale) == (
                reader.kind,
                reader.unit,
                reader.scale,
            )
            return is_kind and (writer.precision or 0) <= (reader.precision or 0)
        case Logical(kind="uuid", base=Primitive()), Primitive(kind="string"):
            return True  # the text that spells it
        case _:
            ends = writer, reader
            # Types of our own for JSON are alike: what well-known message they are does not count.
            return len({isinstance(end, Json) for end in ends}) == 1 and not any(
                isinstance(end, Logical) for end in ends
            )


def _branches(type_: Type, names: AvroNames) -> tuple[_Branch, ...] | None:
    """The branches of what is a union in Avro, null among them; None for any other type."""
    match type_:
        case Union():
            wrappers = names.wrappers(type_)
            pairs = zip(type_.branches, wrappers, strict=True)
            return tuple(_Branch(branch.type, wrapper or "") for branch, wrapper in pairs)
        case Optional():
            items = _branches(type_.item, names) or (_Branch(type_.item),)
            null = (_Branch(Primitive("null")),)
            return items[: type_.null_at] + null + items[type_.null_at :]
        case _:
            return None
