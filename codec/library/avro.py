"""The avro format: fastavro does the bytes, after a walk that checks them."""

from __future__ import annotations

import importlib
from io import BytesIO
from typing import Any

from ...errors import ValueMismatch
from ...migrations.derive import identity
from ..limits import Limits
from ..types import SchemaTypes
from .avro_guard import compile_guard, has_free_items
from .avro_sink import AvroSink
from .avro_source import AvroSource
from .avro_wire import AvroWire
from .depth import depth_check
from .dump import compile_dump
from .format import Decode, Encode, Reading
from .load import compile_load


def _fastavro() -> Any:
    """The library, loaded when first used; its own annotations are partly unknown."""
    return importlib.import_module("fastavro")


class AvroFormat:
    """Encoders and decoders of Avro binary (specification 1.12)."""

    def encoder(self, types: SchemaTypes, limits: Limits, *, leaves: bool = False) -> Encode:
        """An encoder of root objects of ``types``; ``leaves`` has it pass over residue."""
        avro = _fastavro()
        wire = AvroWire(types.schema)
        parsed = avro.parse_schema(wire.schema)
        dump = compile_dump(types, AvroSink(wire), limits, leaves=leaves)
        check_depth = depth_check(types.schema, limits.depth)
        # Only such lists could be written and then be too many to be read.
        guard = compile_guard(types.schema, limits) if has_free_items(types.schema) else None

        def encode(state: Any) -> bytes:
            if check_depth is not None:
                check_depth(state)
            buffer = BytesIO()
            avro.schemaless_writer(buffer, parsed, dump(state))
            payload = buffer.getvalue()
            if guard is not None:
                guard(payload)
            return payload

        return encode

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads."""
        avro = _fastavro()
        wire = AvroWire(reading.schema)
        parsed = avro.parse_schema(wire.schema)
        guard = compile_guard(reading.schema, limits)
        graph = reading.graph or identity(reading.schema)
        source = AvroSource(wire)
        load = compile_load(graph, source, reading.schema, reading.reader, reading.versions)

        def decode(payload: bytes) -> Any:
            guard(payload)
            try:
                raw = avro.schemaless_reader(
                    BytesIO(payload),
                    parsed,
                    None,
                    return_record_name=True,
                    return_record_name_override=True,
                )
            except UnicodeDecodeError:
                # fastavro does not say where.
                compile_guard(reading.schema, limits, texts=True)(payload)
                raise ValueMismatch("a string is no UTF-8 text") from None
            return load(raw)

        return decode


ENGINE = AvroFormat()
"""The engine of this format."""
