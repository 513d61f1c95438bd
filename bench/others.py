"""Other ways to store a state: JSON by two libraries, msgspec without a tag, fastavro, Protobuf."""

from __future__ import annotations

import json
from importlib import import_module
from io import BytesIO
from typing import Any

import msgspec

from ..codec.library.protobuf_wire import ProtobufWire
from ..codec.tag import unpack
from ..codec.vectors import decode_vector, encode_vector
from ..schemas.avro.writer import to_avro
from .peers import Peer, Versions


def json_peer(versions: Versions) -> Peer:
    """The standard library's JSON, between text and dicts: no types, and nothing checked."""
    codec = versions.codec("json")
    return Peer(
        "json",
        "dicts",
        lambda value: json.dumps(value, separators=(",", ":")).encode(),
        json.loads,
        codec.to_builtins,
        codec.from_builtins,
    )


def orjson_peer(versions: Versions) -> Peer:
    """The JSON of orjson, between text and dicts: no types, and nothing checked."""
    orjson: Any = import_module("orjson")
    codec = versions.codec("json")
    return Peer(
        "orjson", "dicts", orjson.dumps, orjson.loads, codec.to_builtins, codec.from_builtins
    )


def msgspec_json_peer(versions: Versions) -> Peer:
    """The JSON of msgspec, straight to the same classes: no tag, so no versions."""
    root = versions.codec("json").type
    return Peer(
        "msgspec json",
        "objects",
        msgspec.json.Encoder(enc_hook=encode_vector).encode,
        msgspec.json.Decoder(root, dec_hook=decode_vector).decode,
    )


def msgspec_msgpack_peer(versions: Versions) -> Peer:
    """The MessagePack of msgspec, straight to the same classes: no tag, so no versions."""
    root = versions.codec("msgpack").type
    return Peer(
        "msgspec msgpack",
        "objects",
        msgspec.msgpack.Encoder(enc_hook=encode_vector).encode,
        msgspec.msgpack.Decoder(root, dec_hook=decode_vector).decode,
    )


def fastavro_peer(versions: Versions) -> Peer:
    """The library fastavro with the subject's own schema, to dicts that are not yet typed."""
    # As Any: half of what its stubs say is unknown to a strict checker.
    fastavro: Any = import_module("fastavro")
    codec = versions.codec("avro")
    schema = versions.registry.subject(versions.subject).schema(versions.version)
    parsed: Any = fastavro.parse_schema(to_avro(schema))

    def dump(value: Any) -> bytes:
        buffer = BytesIO()
        fastavro.schemaless_writer(buffer, parsed, value)
        return buffer.getvalue()

    def load(payload: bytes) -> Any:
        return fastavro.schemaless_reader(
            BytesIO(payload),
            parsed,
            None,
            return_record_name=True,
            return_record_name_override=True,
        )

    return Peer(
        "fastavro",
        "dicts",
        dump,
        load,
        lambda state: load(_payload(codec.encode(state))),
        lambda value: codec.decode(dump(value), legacy=versions.version),
    )


def protobuf_peer(versions: Versions) -> Peer:
    """Protobuf's own parser, to a message whose fields nobody has read yet."""
    codec = versions.codec("protobuf")
    schema = versions.registry.subject(versions.subject).schema(versions.version)
    root = ProtobufWire(schema).root

    def dump(message: Any) -> bytes:
        payload: bytes = message.SerializeToString(deterministic=True)
        return payload

    return Peer(
        "protobuf, unread",
        "message",
        dump,
        root.FromString,
        lambda state: root.FromString(_payload(codec.encode(state))),
        lambda message: codec.decode(dump(message), legacy=versions.version),
    )


def _payload(blob: bytes) -> bytes:
    _, payload = unpack(blob)
    assert isinstance(payload, bytes)  # a dict is only what another tool laid out
    return payload
