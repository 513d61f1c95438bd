"""The kernel writes nothing in Avro that nests deeper than the library allows."""

from __future__ import annotations

from typing import Any

import pytest
from codec.kernel.test_protobuf_limits import WAYS, nested, node_pair

from instar.codec.kernel import core
from instar.codec.kernel.avro_writing import compile_writing
from instar.codec.library.avro import ENGINE
from instar.codec.library.format import Encode
from instar.codec.limits import DEFAULT_LIMITS
from instar.errors import InstarError


@pytest.mark.parametrize("way", WAYS)
def test_json_and_boxes_count_towards_the_depth(way: str) -> None:
    """A JSON value deep inside may nest as deep as the library allows there, and no deeper."""
    pair = node_pair(WAYS[way], DEFAULT_LIMITS)
    types = pair.types
    encoder = core.Encoder(compile_writing(types, DEFAULT_LIMITS), 1, 0, 1 << 30)
    library = ENGINE.encoder(types, DEFAULT_LIMITS)
    for depth in (0, 1, 50, 90, 97):
        free: Any = 1
        for _ in range(depth):
            free = [free]
        for levels in (0, 1, 2, 3, 20, *range(30, 52), 98, 99):
            state = nested(pair, way, levels, free)
            written = encoder.payload(state)
            assert written is NotImplemented or written == outcome(library, state)


def outcome(encode: Encode, state: Any) -> bytes | None:
    """What the library writes; nothing where it refuses."""
    try:
        return encode(state)
    except InstarError:
        return None
