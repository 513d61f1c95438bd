"""Libraries that write builtins and read builtins back: to dicts, or on to typed objects."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import msgspec

from ...codec.vectors import decode_vector, encode_vector
from ..peers import Peer, Versions


@dataclass(frozen=True, slots=True)
class Pair:
    """How a library writes builtins, and reads them. ``has_bytes`` says that it has bytes."""

    dumps: Callable[[Any], bytes]
    loads: Callable[[bytes], Any]
    has_bytes: bool = False


def json_pair() -> Pair:
    """The standard library's JSON, without spaces."""
    return Pair(lambda value: json.dumps(value, separators=(",", ":")).encode(), json.loads)


def orjson_pair() -> Pair:
    """The JSON of orjson."""
    orjson: Any = import_module("orjson")
    return Pair(orjson.dumps, orjson.loads)


def msgpack_pair() -> Pair:
    """The MessagePack of the package ``msgpack``."""
    msgpack: Any = import_module("msgpack")
    return Pair(msgpack.packb, msgpack.unpackb, has_bytes=True)


def ormsgpack_pair() -> Pair:
    """The MessagePack of ormsgpack."""
    ormsgpack: Any = import_module("ormsgpack")
    return Pair(ormsgpack.packb, ormsgpack.unpackb, has_bytes=True)


def yaml_pair() -> Pair:
    """The YAML of PyYAML, its safe loader in C where that was built."""
    yaml: Any = import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

    def dumps(value: Any) -> bytes:
        text: bytes = yaml.dump(
            value, Dumper=dumper, encoding="utf-8", allow_unicode=True, sort_keys=False
        )
        return text

    return Pair(dumps, lambda blob: yaml.load(blob, Loader=loader))


def langgraph_pair() -> Pair:
    """LangGraph's serializer of checkpoints, on dicts.

    Objects it would write under the path of their class, which reading them imports.
    """
    module: Any = import_module("langgraph.checkpoint.serde.jsonplus")
    serializer = module.JsonPlusSerializer()
    kind = serializer.dumps_typed({})[0]
    return Pair(
        lambda value: bytes(serializer.dumps_typed(value)[1]),
        lambda blob: serializer.loads_typed((kind, blob)),
        has_bytes=True,
    )


def to_dicts(pair: Callable[[], Pair]) -> Callable[[Versions], Peer]:
    """The library between bytes and dicts: no types, and nothing checked."""

    def make(versions: Versions) -> Peer:
        found, codec = pair(), versions.codec("json")
        return Peer("", "dicts", found.dumps, found.loads, codec.to_builtins, codec.from_builtins)

    return make


def to_objects(pair: Callable[[], Pair]) -> Callable[[Versions], Peer]:
    """The library and then msgspec, which makes the same classes of its dicts, and back."""

    def make(versions: Versions) -> Peer:
        found, root = pair(), versions.codec("json").type
        kept: tuple[type, ...] = (bytes,) if found.has_bytes else ()

        def dump(state: Any) -> bytes:
            plain = msgspec.to_builtins(state, builtin_types=kept, enc_hook=encode_vector)
            return found.dumps(plain)

        def load(blob: bytes) -> Any:
            plain = found.loads(blob)
            return msgspec.convert(plain, root, builtin_types=kept, dec_hook=decode_vector)

        return Peer("", "objects", dump, load)

    return make
