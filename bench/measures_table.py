"""Every measure of hydration, with what it aims at."""

from __future__ import annotations

from typing import Final

from .copied import copied_peer
from .measures import Measure
from .others import fastavro_peer, msgspec_json_peer, msgspec_msgpack_peer
from .own_runs import memory_of, old_beside_current, tag_beside_decode, vector_beside_list
from .part_runs import project_beside_decode, view_beside_decode
from .peer_runs import beside_deep_copy, dumps, loads, repeating_loads, sample_loads
from .pydantic_peers import json_then_pydantic_peer, pydantic_json_peer
from .states import avro_peer, json_blob_peer, msgpack_blob_peer, protobuf_objects_peer

_AVRO, _PROTOBUF = "Avro to objects", "Protobuf to objects"
_MSGPACK, _JSON, _WHOLE = "msgspec MessagePack", "msgspec JSON", "whole decode"
_AS_MSGSPEC = (1.10,)
_BEFORE, _AFTER = ("status", "last_heartbeat"), ("tokens_used", "retries")

MEASURES: Final = (
    Measure(1, _AVRO, _MSGPACK, (0.80, 0.70, 0.45), loads(avro_peer, msgspec_msgpack_peer)),
    Measure(
        2,
        "Avro, ids repeat",
        _MSGPACK,
        (0.75, 0.60, 0.40),
        repeating_loads(avro_peer, msgspec_msgpack_peer),
    ),
    Measure(3, _AVRO, "deep copy in C", (1.0,), beside_deep_copy),
    Measure(
        4,
        _PROTOBUF,
        _MSGPACK,
        (0.95, 0.78, 0.50),
        loads(protobuf_objects_peer, msgspec_msgpack_peer),
    ),
    Measure(
        5, "objects to Avro", _MSGPACK, (0.85, 0.65, 0.70), dumps(avro_peer, msgspec_msgpack_peer)
    ),
    Measure(
        6,
        "objects to Protobuf",
        _MSGPACK,
        (1.2, 0.9, 0.9),
        dumps(protobuf_objects_peer, msgspec_msgpack_peer),
    ),
    Measure(7, _AVRO, "fastavro, to dicts", (0.10,), sample_loads(avro_peer, fastavro_peer)),
    Measure(
        8, _PROTOBUF, "upb, then copied", (0.15,), sample_loads(protobuf_objects_peer, copied_peer)
    ),
    Measure(
        9, _AVRO, "json, then pydantic", (0.12,), sample_loads(avro_peer, json_then_pydantic_peer)
    ),
    Measure(10, _AVRO, "pydantic's own JSON", (0.20,), sample_loads(avro_peer, pydantic_json_peer)),
    Measure(11, "Avro, nine versions old", "current version", (1.10,), old_beside_current),
    Measure(12, "project, before the lists", _WHOLE, (0.005,), project_beside_decode(*_BEFORE)),
    Measure(
        12,
        "the same, not verified",
        _WHOLE,
        (0.005,),
        project_beside_decode(*_BEFORE, verify=False),
    ),
    Measure(12, "project, after the lists", _WHOLE, (0.10,), project_beside_decode(*_AFTER)),
    Measure(
        12,
        "project, Protobuf",
        _WHOLE,
        (0.10,),
        project_beside_decode(*_AFTER, format_="protobuf"),
    ),
    Measure(
        12,
        "the same, not verified",
        _WHOLE,
        (0.10,),
        project_beside_decode(*_AFTER, verify=False, format_="protobuf"),
    ),
    Measure(13, "view of the last message", _WHOLE, (0.10,), view_beside_decode()),
    Measure(13, "the same in Protobuf", _WHOLE, (0.10,), view_beside_decode(format_="protobuf")),
    Measure(14, "vector of 1536 floats", "list, by msgspec", (0.05,), vector_beside_list),
    Measure(15, "tag read and checked", _WHOLE, (0.15,), tag_beside_decode),
    Measure(16, "peak KiB, Avro", "the objects made", (64.0,), memory_of(avro_peer)),
    Measure(
        16, "peak KiB, Protobuf", "the objects made", (64.0,), memory_of(protobuf_objects_peer)
    ),
    Measure(
        17,
        "MessagePack to objects",
        _MSGPACK,
        _AS_MSGSPEC,
        loads(msgpack_blob_peer, msgspec_msgpack_peer),
    ),
    Measure(
        17,
        "objects to MessagePack",
        _MSGPACK,
        _AS_MSGSPEC,
        dumps(msgpack_blob_peer, msgspec_msgpack_peer),
    ),
    Measure(18, "JSON to objects", _JSON, _AS_MSGSPEC, loads(json_blob_peer, msgspec_json_peer)),
    Measure(18, "objects to JSON", _JSON, _AS_MSGSPEC, dumps(json_blob_peer, msgspec_json_peer)),
)
