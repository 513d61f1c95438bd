"""Schemas and states with vectors, and both engines to try them in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from instar import Registry
from instar.codec import exact
from instar.codec.engines import VARIABLE, engine
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.errors import ConfigError
from instar.migrations.migration import Migration
from instar.schemas.avro.reader import parse_avro
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
LIMIT = 3.4028234663852886e38
"""The largest float of 32 bits."""


def _has_kernel() -> bool:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "kernel")
        try:
            engine()
        except ConfigError:
            return False
    return True


ENGINES = ("library", "kernel") if _has_kernel() else ("library",)
needs_kernel = pytest.mark.skipif(len(ENGINES) == 1, reason="no kernel was built")


def vector(items: Any = "float") -> dict[str, Any]:
    return {"type": "array", "items": items, "vector": True}


def plain(items: Any = "float") -> dict[str, Any]:
    return {"type": "array", "items": items}


def registry(*versions: dict[str, Any], migrations: tuple[Migration, ...] = ()) -> Registry:
    """A subject ``sample`` whose versions have these fields, by name."""
    schemas = [
        parse_avro(
            json.dumps(
                {
                    "type": "record",
                    "name": "Sample",
                    "fields": [{"name": name, "type": kind} for name, kind in fields.items()],
                }
            ),
            subject="sample",
            version=number,
            where="test",
        )
        for number, fields in enumerate(versions, 1)
    ]
    return Registry.of(number_fields(schemas), migrations)


EVERYWHERE = {
    "single": vector(),
    "double": vector("double"),
    "maybe": ["null", vector()],
    "many": plain(vector("double")),
    "named": {"type": "map", "values": vector()},
    "either": ["string", vector()],
    "listed": plain(),
}
SINGLES = st.floats(width=32)
F_VECTORS = st.lists(SINGLES, max_size=5).map(exact.float_vector)
D_VECTORS = st.lists(st.floats(), max_size=5).map(exact.double_vector)


@st.composite
def everywhere(draw: st.DrawFn, types: Any) -> Any:
    return types.root(
        single=draw(F_VECTORS),
        double=draw(D_VECTORS),
        maybe=draw(st.none() | F_VECTORS),
        many=draw(st.lists(D_VECTORS, max_size=3)),
        named=draw(st.dictionaries(st.text(max_size=3), F_VECTORS, max_size=3)),
        either=draw(st.text(max_size=3) | F_VECTORS),
        listed=draw(st.lists(SINGLES, max_size=3)),
    )


def each_engine() -> Iterator[str]:
    """The same for tests by hypothesis, whose fixtures do not change between examples."""
    for name in ENGINES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, name)
            yield name


def blob_of(opened: Registry, payload: bytes, format_: Format = "avro", version: int = 1) -> bytes:
    """A payload with the tag of a version. What has none is read by the library engine alone."""
    fingerprint = opened.codec("sample", version=version).fingerprint
    return pack_binary(format_, version, fingerprint, payload)
