"""A state that is one embedding: as many numbers as current models give."""

from __future__ import annotations

import json
import random
from typing import Any, Final

from ..codec.codec import Codec
from ..codec.registry import Registry
from ..schemas.avro.reader import parse_avro
from ..schemas.numbering import number_fields

LENGTH: Final = 1536

_SCHEMA: Final = {
    "type": "record",
    "name": "Embedding",
    "fields": [{"name": "values", "type": {"type": "array", "items": "float", "vector": True}}],
}


def vector_codec() -> Codec[Any]:
    """The codec, in Avro, of a record whose field ``values`` is a vector of 32-bit floats."""
    text = json.dumps(_SCHEMA)
    schema = parse_avro(text, subject="embedding", version=1, where="bench")
    return Registry.of(number_fields([schema])).codec("embedding")


def vector_numbers(*, seed: int = 7) -> list[float]:
    """The numbers: whole 4096ths, which are exact in 32 bits."""
    source = random.Random(seed)  # noqa: S311 - no secret
    return [source.randrange(-4096, 4096) / 4096 for _ in range(LENGTH)]
