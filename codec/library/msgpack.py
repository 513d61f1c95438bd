"""The msgpack format: msgspec writes the typed objects themselves."""

from __future__ import annotations

from typing import Any

import msgspec

from ...errors import ValueMismatch
from ...migrations.derive import identity
from ..limits import Limits
from ..quick import quick_check
from ..repeats import refuse_msgpack_repeats
from ..types import SchemaTypes
from ..vectors import decode_vector, encode_vector
from .builtins_source import BuiltinsSource
from .check_sink import CheckSink
from .depth import depth_check
from .dump import compile_dump
from .format import Decode, Encode, Reading, checked
from .load import compile_load
from .typed import knows_unions, typed_decoder


class MsgpackFormat:
    """Encoders and decoders of MessagePack in JSON form, with bytes and timestamps native."""

    def encoder(self, types: SchemaTypes, limits: Limits, *, leaves: bool = False) -> Encode:
        """An encoder of root objects of ``types``; ``leaves`` has it pass over residue."""
        check = compile_dump(types, CheckSink(), limits, leaves=leaves)
        check_depth = depth_check(types.schema, limits.depth)
        quick = quick_check(types, limits, leaves=leaves)
        write = msgspec.msgpack.Encoder(enc_hook=encode_vector).encode

        def encode(state: Any) -> bytes:
            if quick(state):
                return write(state)
            if check_depth is not None:
                check_depth(state)
            check(state)
            return write(state)

        return encode

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads: typed for the current version, by the plan for others."""
        source = BuiltinsSource(reading.schema, reading.writer.names)
        graph = reading.graph or identity(reading.schema)
        load = compile_load(graph, source, reading.schema, reading.reader, reading.versions)
        read_any = msgspec.msgpack.Decoder().decode

        def decode_any(payload: bytes) -> Any:
            try:
                raw = read_any(payload)
            except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
                raise ValueMismatch(f"the bytes are no MessagePack: {error}") from None
            return load(raw)

        decode: Decode = decode_any
        if reading.graph is None and knows_unions(reading.reader):
            read = msgspec.msgpack.Decoder(reading.reader.root, dec_hook=decode_vector).decode
            decode = typed_decoder(read, reading.reader, decode_any, limits)
        return checked(refuse_msgpack_repeats, decode) if reading.foreign else decode


ENGINE = MsgpackFormat()
"""The engine of this format."""
