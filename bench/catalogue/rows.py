"""Every peer that ``instar bench`` knows, as rows; more are added by ``--peer``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from ...codec.engines import EngineName
from ...codec.tag import Format
from ...errors import ConfigError
from ..copied import copied_peer
from ..others import fastavro_peer, msgspec_json_peer, msgspec_msgpack_peer, protobuf_peer
from ..peers import FORMATS, Peer, Versions, instar_peers
from ..pydantic_peers import json_then_pydantic_peer, pydantic_json_peer
from .avro_copied import copied_avro_peer
from .betterproto import betterproto_peer
from .entry import Entry, Family
from .pairs import (
    json_pair,
    langgraph_pair,
    msgpack_pair,
    orjson_pair,
    ormsgpack_pair,
    to_dicts,
    to_objects,
    yaml_pair,
)
from .pickled import pickle_peer

FAMILIES: Final[tuple[Family, ...]] = get_args(Family)

_NO_VERSIONS = "no versions, no damage found"
_DICTS = "to dicts: nothing is typed or checked"
_UNREAD = "no field is turned into a Python value yet"
_UNSAFE = "UNSAFE: reading runs what the bytes say"
_LANGGRAPH = "to dicts: objects it stores under import paths"
_YAML: Final = ("yaml",)


def _ours() -> Iterator[Entry]:
    for format_ in FORMATS:
        for engine in get_args(EngineName):
            needs = _YAML if format_ == "yaml" else ()
            make = _Ours(format_)
            yield Entry(
                f"instar {format_}, {engine}", format_, make, needs, engine=engine, format=format_
            )


class _Ours:
    """Makes instar's own peer of one format."""

    def __init__(self, format_: Format) -> None:
        self.format: Format = format_

    def __call__(self, versions: Versions) -> Peer:
        return instar_peers(versions, [self.format])[0]


ENTRIES: Final[tuple[Entry, ...]] = (
    *_ours(),
    Entry("msgspec json", "json", msgspec_json_peer, (), _NO_VERSIONS),
    Entry("json", "json", to_objects(json_pair), (), "json, then msgspec.convert"),
    Entry("orjson", "json", to_objects(orjson_pair), ("orjson",), "orjson, then msgspec.convert"),
    Entry("pydantic json", "json", pydantic_json_peer, ("pydantic",), "to Pydantic's models"),
    Entry(
        "json, pydantic",
        "json",
        json_then_pydantic_peer,
        ("pydantic",),
        "to Pydantic's models",
        reads=True,
    ),
    Entry("json, dicts", "json", to_dicts(json_pair), (), _DICTS),
    Entry("orjson, dicts", "json", to_dicts(orjson_pair), ("orjson",), _DICTS),
    Entry("msgspec msgpack", "msgpack", msgspec_msgpack_peer, (), _NO_VERSIONS),
    Entry("msgpack", "msgpack", to_objects(msgpack_pair), ("msgpack",), "msgpack, msgspec.convert"),
    Entry(
        "ormsgpack",
        "msgpack",
        to_objects(ormsgpack_pair),
        ("ormsgpack",),
        "ormsgpack, msgspec.convert",
    ),
    Entry("msgpack, dicts", "msgpack", to_dicts(msgpack_pair), ("msgpack",), _DICTS),
    Entry("ormsgpack, dicts", "msgpack", to_dicts(ormsgpack_pair), ("ormsgpack",), _DICTS),
    Entry(
        "langgraph, dicts",
        "msgpack",
        to_dicts(langgraph_pair),
        ("langgraph.checkpoint.serde.jsonplus",),
        _LANGGRAPH,
    ),
    Entry(
        "fastavro, copied",
        "avro",
        copied_avro_peer,
        ("fastavro",),
        "dicts, copied to objects",
        reads=True,
    ),
    Entry("fastavro, dicts", "avro", fastavro_peer, ("fastavro",), _DICTS),
    Entry(
        "protobuf, copied",
        "protobuf",
        copied_peer,
        (),
        "upb's message, copied to objects",
        reads=True,
    ),
    Entry("protobuf, unread", "protobuf", protobuf_peer, (), _UNREAD),
    Entry(
        "betterproto2", "protobuf", betterproto_peer, ("betterproto2",), "to dataclasses of its own"
    ),
    Entry("pickle", "pickle", pickle_peer, (), _UNSAFE),
    Entry("yaml", "yaml", to_objects(yaml_pair), _YAML, "PyYAML, then msgspec.convert"),
    Entry("yaml, dicts", "yaml", to_dicts(yaml_pair), _YAML, _DICTS),
)


def find_entry(name: str) -> Entry:
    """The row of this name. Raises ``ConfigError``."""
    for entry in ENTRIES:
        if entry.name == name:
            return entry
    known = "; ".join(entry.name for entry in ENTRIES)
    raise ConfigError(f"there is no peer {name!r}", mend=f"known are {known}")
