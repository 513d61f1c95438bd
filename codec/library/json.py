"""The json format: msgspec writes the typed objects themselves, in JSON form."""

from __future__ import annotations

from typing import Any

import msgspec

from ...errors import ValueMismatch
from ...migrations.derive import identity
from ..limits import Limits
from ..quick import quick_check
from ..repeats import refuse_json_repeats
from ..types import SchemaTypes
from ..vectors import decode_vector, encode_vector
from .builtins_sink import BuiltinsSink
from .builtins_source import BuiltinsSource
from .check_sink import CheckSink, NotPlainError
from .depth import depth_check
from .dump import compile_dump
from .format import Decode, Encode, Reading, checked
from .load import compile_load
from .typed import knows_unions, typed_decoder


class JsonFormat:
    """Encoders and decoders of JSON text."""

    def encoder(self, types: SchemaTypes, limits: Limits, *, leaves: bool = False) -> Encode:
        """An encoder of root objects of ``types``; ``leaves`` has it pass over residue."""
        check = compile_dump(types, CheckSink(plain=True), limits, leaves=leaves)
        dump = compile_dump(types, BuiltinsSink(types), limits, leaves=leaves)
        check_depth = depth_check(types.schema, limits.depth)
        quick = quick_check(types, limits, plain=True, leaves=leaves)
        write = msgspec.json.Encoder(enc_hook=encode_vector).encode

        def encode(state: Any) -> bytes:
            if quick(state):
                return write(state)
            if check_depth is not None:
                check_depth(state)
            try:
                check(state)
            except NotPlainError:
                return write(dump(state))
            return write(state)

        return encode

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads: text, or the document that a reformatted blob holds."""
        source = BuiltinsSource(reading.schema, reading.writer.names)
        graph = reading.graph or identity(reading.schema)
        load = compile_load(graph, source, reading.schema, reading.reader, reading.versions)
        read_any = msgspec.json.Decoder().decode

        def decode_text(payload: bytes) -> Any:
            try:
                raw = read_any(payload)
            except (msgspec.DecodeError, RecursionError, ValueError) as error:
                raise ValueMismatch(f"the text is no JSON: {error}") from None
            return load(raw)

        decode: Decode = decode_text
        if reading.graph is None and knows_unions(reading.reader):
            read = msgspec.json.Decoder(reading.reader.root, dec_hook=decode_vector).decode
            decode = typed_decoder(read, reading.reader, decode_text, limits)
        if reading.foreign:
            return checked(refuse_json_repeats, decode)
        return _text_or_document(decode, load)


def _text_or_document(decode: Decode, load: Decode) -> Decode:
    return lambda payload: load(payload) if type(payload) is dict else decode(payload)


ENGINE = JsonFormat()
"""The engine of this format."""
