"""Writes with the real writer of one version, and reads as the plain readers of another do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from ...errors import InstarError, ValueMismatch
from ...schemas.avro.writer import to_avro
from ...schemas.model import Enum, Field, Optional, Reference, Schema, Type
from ...schemas.naming import json_key
from ...schemas.references import nested
from ..formats import make_decoder, make_encoder
from ..library.check_sink import CheckSink
from ..library.dump import compile_dump
from ..library.protobuf_wire import ProtobufWire, field_name
from ..limits import DEFAULT_LIMITS
from ..subject import Subject
from ..types import SchemaTypes, build_types
from . import protobuf_reading
from .avro_reading import plain_reader, resolving_reader, unmarked
from .breaks import is_required, oneof_of
from .change import RawFormat
from .same import difference

Trial: TypeAlias = "Callable[[Any], Problem | None]"
"""Writes a state and reads it back: what went wrong, or nothing."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong: ``layout`` says that the bytes did not parse, else another value came."""

    layout: bool
    what: str


Kept: TypeAlias = "Sequence[tuple[Field, Field]]"
"""The fields of the root record that both versions have, as the writer's and the reader's."""


def make_trial(reading: RawFormat, writer: SchemaTypes, reader: SchemaTypes, kept: Kept) -> Trial:
    """A trial of a plain reader. Raises UnsupportedSchema where the format has no form of a
    schema.
    """
    match reading:
        case "avro":
            return _avro(writer, reader, {new.name: old.name for old, new in kept})
        case "protobuf":
            return _protobuf(writer, reader, kept)
        case "json" | "msgpack":
            module: Any = getattr(msgspec, reading)
            keys = {json_key(new): json_key(old) for old, new in kept}
            return _typed(writer, reader, keys, reading, module.Decoder)


def make_planned_trial(subject: Subject, source: int, target: int) -> Trial:
    """A trial of instar's own reading, migrations included.

    Raises MigrationMismatch where the two versions cannot be linked in this direction.
    """
    types = subject.types(source)
    encode = make_encoder("avro", types, DEFAULT_LIMITS)
    decode = make_decoder("avro", subject, subject.plan(source, target), DEFAULT_LIMITS)
    save = make_encoder("avro", subject.types(target), DEFAULT_LIMITS)

    def run(state: Any) -> Problem | None:
        payload = encode(state)
        try:
            # What was read has to be what its own version can hold.
            save(decode(payload))
        except InstarError as error:
            return Problem(layout=True, what=str(error))
        return None

    return run


def _avro(writer: SchemaTypes, reader: SchemaTypes, kept: Mapping[str, str]) -> Trial:
    old, new = (to_avro(types.schema) for types in (writer, reader))
    read_old, read_new = plain_reader(old), resolving_reader(old, new)
    encode = make_encoder("avro", writer, DEFAULT_LIMITS)

    def run(state: Any) -> Problem | None:
        payload = encode(state)
        written = read_old(payload)
        try:
            read = read_new(payload)
        # Resolution fails in many ways, each with an exception of its own.
        except Exception as error:  # noqa: BLE001 - as above
            return Problem(layout=True, what=_reason(error))
        return _other_value(difference(written, read, kept))

    return run


def _protobuf(writer: SchemaTypes, reader: SchemaTypes, kept: Kept) -> Trial:
    from google.protobuf.message import DecodeError  # noqa: PLC0415 - only when used

    old, new = ProtobufWire(writer.schema).root, ProtobufWire(reader.schema).root
    encode = make_encoder("protobuf", writer, DEFAULT_LIMITS)
    fields = reader.schema.record.fields
    required = [f.number for f in fields if f.number and is_required(reader.schema, f)]
    numbers = protobuf_reading.Kept(
        {before: after for old, new in kept for before, after in _renumbered(old, new)},
        {old.number: _moved(writer, reader, old, new) for old, new in kept if old.number},
    )
    unset = [(new.number, *ends) for old, new in kept if new.number and (ends := _unset(old, new))]

    def run(state: Any) -> Problem | None:
        payload = encode(state)
        try:
            read = new.FromString(payload)
        except DecodeError as error:
            return Problem(layout=True, what=_reason(error))
        missing = [number for number in required if not read.HasField(field_name(number))]
        if missing:
            return Problem(layout=True, what=f"{missing[0]}: the reader requires it")
        parsed, what = protobuf_reading.difference(old.FromString(payload), read, numbers)
        if what:
            return Problem(layout=not parsed, what=what.lstrip("."))
        # The messages are built from the model, which leaves declared defaults out.
        others = [ends for number, *ends in unset if not read.HasField(field_name(number))]
        return (
            _other_value(f"unset was {others[0][0]!r} and is {others[0][1]!r}") if others else None
        )

    return run


def _renumbered(old: Field, new: Field) -> Iterator[tuple[int, int]]:
    """The writer's and the reader's number of a field, or of each case that two oneofs share."""
    cases = oneof_of(old), oneof_of(new)
    if cases[0] is not None and cases[1] is not None:
        known = {branch.label: branch.number for branch in cases[1].branches}
        numbers = [(branch.number, known.get(branch.label)) for branch in cases[0].branches]
    else:
        numbers = [(old.number, new.number)]
    yield from ((before, after) for before, after in numbers if before and after)


def _unset(old: Field, new: Field) -> tuple[object, object] | None:
    """What two optional fields declare to be where they are unset, if that is not the same."""
    if not isinstance(old.type, Optional) or not isinstance(new.type, Optional):
        return None
    before, after = (kind.unset and kind.unset.value for kind in (old.type, new.type))
    return None if before == after else (before, after)


def _moved(writer: SchemaTypes, reader: SchemaTypes, old: Field, new: Field) -> dict[int, int]:
    """The reader's number of each symbol that a field may hold, where it is another."""
    before, after = _symbols(writer.schema, old.type), _symbols(reader.schema, new.type)
    return {before[n]: after[n] for n in before.keys() & after.keys() if before[n] != after[n]}


def _symbols(schema: Schema, kind: Type) -> dict[str, int]:
    """The numbers of the enum at the bottom of a type, by symbol."""
    leaf = list(nested(kind))[-1]
    named = schema.types[leaf.name] if isinstance(leaf, Reference) else None
    return {s.name: s.number for s in named.symbols} if isinstance(named, Enum) else {}


def _typed(
    writer: SchemaTypes,
    reader: SchemaTypes,
    kept: Mapping[str, str],
    format_: RawFormat,
    decoder: Callable[[Any], Any],
) -> Trial:
    encode = make_encoder(format_, writer, DEFAULT_LIMITS)
    types = build_types(reader.schema, lenient=True)
    read_old = decoder(build_types(writer.schema, lenient=True).root).decode
    read_new = decoder(types.root).decode
    check = compile_dump(types, CheckSink())

    def run(state: Any) -> Problem | None:
        payload = encode(state)
        try:
            written = read_old(payload)
        except (msgspec.DecodeError, ValueError, OverflowError):
            return None  # NaN and its like, which even their own typed reader refuses
        try:
            read = read_new(payload)
        except (msgspec.DecodeError, ValueError, OverflowError) as error:
            return Problem(layout=True, what=_reason(error))
        try:
            # Lengths, digits and units, which msgspec's types do not say.
            check(read)
        except ValueMismatch as error:
            return Problem(layout=True, what=str(error))
        return _other_value(difference(written, read, kept))

    return run


def _other_value(what: str) -> Problem | None:
    return Problem(layout=False, what=what.lstrip(".")) if what else None


def _reason(error: Exception) -> str:
    text = unmarked(str(error)) or type(error).__name__
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 160
"""Characters of a library's message that are shown: some hold a whole schema."""
