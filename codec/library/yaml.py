"""The yaml format: JSON form as YAML text, for people."""

from __future__ import annotations

from typing import Any

from ...migrations.derive import identity
from ..limits import Limits
from ..types import SchemaTypes
from ..yaml_text import dump_yaml, load_yaml
from .builtins_sink import BuiltinsSink
from .builtins_source import BuiltinsSource
from .depth import depth_check
from .dump import compile_dump
from .format import Decode, Encode, Reading
from .load import compile_load


class YamlFormat:
    """Encoders and decoders of YAML text."""

    def encoder(self, types: SchemaTypes, limits: Limits, *, leaves: bool = False) -> Encode:
        """An encoder of root objects of ``types``; ``leaves`` has it pass over residue."""
        dump = compile_dump(types, BuiltinsSink(types), limits, leaves=leaves)
        check_depth = depth_check(types.schema, limits.depth)

        def encode(state: Any) -> bytes:
            if check_depth is not None:
                check_depth(state)
            return dump_yaml(dump(state), limits)

        return encode

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads: text, or the document that a reformatted blob holds."""
        source = BuiltinsSource(reading.schema, reading.writer.names)
        graph = reading.graph or identity(reading.schema)
        load = compile_load(graph, source, reading.schema, reading.reader, reading.versions)

        def decode(payload: bytes | dict[str, Any]) -> Any:
            return load(payload if isinstance(payload, dict) else load_yaml(payload, limits))

        return decode


ENGINE = YamlFormat()
"""The engine of this format."""
