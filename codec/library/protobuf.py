"""The protobuf format: messages of a private pool, in upb where the platform has it."""

from __future__ import annotations

from typing import Any

from ...errors import ValueMismatch
from ...migrations.derive import identity
from ..limits import Limits
from ..types import SchemaTypes
from .depth import depth_check
from .dump import compile_dump
from .format import Decode, Encode, Reading
from .load import compile_load
from .protobuf_sink import ProtobufSink
from .protobuf_source import ProtobufSource
from .protobuf_wire import ProtobufWire


class ProtobufFormat:
    """Encoders and decoders of the Protobuf wire format."""

    def encoder(self, types: SchemaTypes, limits: Limits) -> Encode:
        """An encoder of root objects of ``types``."""
        wire = ProtobufWire(types.schema)
        dump, root = compile_dump(types, ProtobufSink(wire), limits), wire.root
        check_depth = depth_check(types.schema, limits.depth)

        def encode(state: Any) -> bytes:
            if check_depth is not None:
                check_depth(state)
            payload: bytes = root(**dump(state)).SerializeToString(deterministic=True)
            if check_depth is not None:
                # A union takes two messages for each level, of the hundred protobuf reads.
                _parse(root, payload)
            return payload

        return encode

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads; protobuf itself limits how deep they nest, to 100."""
        del limits
        wire = ProtobufWire(reading.schema)
        root = wire.root
        graph = reading.graph or identity(reading.schema)
        source = ProtobufSource(wire)
        is_foreign = reading.foreign
        load = compile_load(graph, source, reading.schema, reading.reader, reading.versions)

        def decode(payload: bytes) -> Any:
            message = _parse(root, payload)
            if not is_foreign:
                _check_canonical(message, len(payload))
            return load(message)

        return decode


def _parse(root: Any, payload: bytes) -> Any:
    from google.protobuf.message import DecodeError  # noqa: PLC0415 - only when used

    try:
        return root.FromString(payload)
    except DecodeError as error:
        raise ValueMismatch(f"the bytes are no such message: {error}") from None


def _check_canonical(message: Any, size: int) -> None:
    """Refuse what our encoder cannot have written: unknown fields, a field twice, a number
    longer than its type. Protobuf itself would drop, merge or cut them without a word.
    """
    message.DiscardUnknownFields()
    if message.ByteSize() != size:
        raise ValueMismatch("the message has unknown, repeated or overlong fields")


ENGINE = ProtobufFormat()
"""The engine of this format."""
