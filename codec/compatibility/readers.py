"""Writes with the real writer of one version, and reads as the plain readers of another do."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, TypeAlias

import msgspec

from ...errors import InstarError, ValueMismatch
from ...schemas.avro.writer import to_avro
from ...schemas.model import Enum, Field, Reference, Schema, Type
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
from .breaks import is_required
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
    avro: Any = importlib.import_module("fastavro")
    old, new = (avro.parse_schema(to_avro(types.schema)) for types in (writer, reader))
    encode = make_encoder("avro", writer, DEFAULT_LIMITS)

    def run(state: Any) -> Problem | None:
        payload = encode(state)
        written = avro.schemaless_reader(BytesIO(payload), old, None)
        try:
            read = avro.schemaless_reader(BytesIO(payload), old, new)
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
        {old.number: new.number for old, new in kept if old.number and new.number},
        {old.number: _moved(writer, reader, old, new) for old, new in kept if old.number},
    )

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
        return Problem(layout=not parsed, what=what.lstrip(".")) if what else None

    return run


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
    text = str(error) or type(error).__name__
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 160
"""Characters of a library's message that are shown: some hold a whole schema."""
