"""The protobuf format: messages of a private pool, in upb where the platform has it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ...errors import ValueMismatch
from ...migrations.derive import identity
from ..limits import Limits, check_residue_size
from ..types import SchemaTypes
from .closures import Load
from .depth import depth_check
from .dump import compile_dump
from .format import Decode, Encode, Reading
from .load import compile_load
from .protobuf_sink import ProtobufSink
from .protobuf_source import ProtobufSource
from .protobuf_wire import ProtobufWire
from .unknown import parse, unknown_size


class ProtobufFormat:
    """Encoders and decoders of the Protobuf wire format."""

    def encoder(self, types: SchemaTypes, limits: Limits, *, leaves: bool = False) -> Encode:
        """An encoder of root objects of ``types``, with the residue of each record behind its
        fields, where ``leaves`` is set.
        """
        wire = ProtobufWire(types.schema)
        sink, root = ProtobufSink(wire, keeps=leaves), wire.root
        dump = compile_dump(types, sink, limits, leaves=leaves)
        check_depth = depth_check(types.schema, limits.depth)

        def encode(state: Any) -> bytes:
            if check_depth is not None:
                check_depth(state)
            dumped = dump(state)
            # What has residue is a message already.
            message = root(**dumped) if type(dumped) is dict else dumped
            payload: bytes = message.SerializeToString(deterministic=True)
            if leaves:
                check_residue_size(unknown_size(parse(root, payload)), limits)
            elif check_depth is not None:
                # A union takes two messages for each level, of the hundred protobuf reads.
                parse(root, payload)
            return payload

        return encode

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads; protobuf itself limits how deep they nest, to 100."""
        wire = ProtobufWire(reading.schema)
        root, load = wire.root, _compile(reading, ProtobufSource(wire))
        if reading.foreign or reading.residue:
            # Compiled when first met: most payloads have no unknown field.
            keeping = cache(lambda: _compile(reading, ProtobufSource(wire, keeps=True)))
            return _residue_decoder(reading, root, load, keeping, limits)

        def decode(payload: bytes) -> Any:
            message = parse(root, payload)
            _check_canonical(message, len(payload))
            return load(message)

        return decode


def _compile(reading: Reading, source: ProtobufSource) -> Load:
    graph = reading.graph or identity(reading.schema)
    return compile_load(graph, source, reading.schema, reading.reader, reading.versions)


def _residue_decoder(
    reading: Reading, root: Any, load: Load, keeping: Callable[[], Load], limits: Limits
) -> Decode:
    """A decoder of payloads that may have unknown fields: those of ``load``, where none has."""

    def decode(payload: bytes) -> Any:
        message = parse(root, payload)
        if not reading.foreign and message.ByteSize() != len(payload):
            raise ValueMismatch("the message has repeated or overlong fields")
        residue = unknown_size(parse(root, payload))
        check_residue_size(residue, limits)
        if residue:
            return keeping()(message)
        try:
            return load(message)
        except ValueMismatch:
            # The number of an open enum may be all that is unknown.
            return keeping()(message)

    return decode


def _check_canonical(message: Any, size: int) -> None:
    """Refuse what our encoder cannot have written: unknown fields, a field twice, a number
    longer than its type. Protobuf itself would drop, merge or cut them without a word.
    """
    message.DiscardUnknownFields()
    if message.ByteSize() != size:
        raise ValueMismatch("the message has unknown, repeated or overlong fields")


ENGINE = ProtobufFormat()
"""The engine of this format."""
