"""Other ways to read a state nine versions old: dict functions behind a reader that knows dicts.

Each is checked before it is timed: of two different states it has to give all that instar gives.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import Any, TypeAlias

import msgspec

from ..codec.tag import unpack
from ..errors import ValueMismatch
from .migration_dicts import OPS, hops, run_hops
from .migration_fields import LATEST
from .migration_states import Chain, Oldest
from .pydantic_peers import pydantic_json_peer, validator
from .same import same, share_parts
from .ten_versions import schema_document


@dataclass(frozen=True, slots=True)
class OldReader:
    """One way to read old states.

    ``load`` is what is timed, on what ``dump`` makes of an old state. ``state`` makes an
    object of our class out of what it gives.
    """

    name: str
    dump: Callable[[Oldest], bytes]
    load: Callable[[bytes], Any]
    state: Callable[[Any], Any]


MakeReader: TypeAlias = Callable[[Chain], OldReader]


def dicts_pydantic(chain: Chain) -> OldReader:
    """The standard library's JSON, a dict function for each hop, and Pydantic in the end."""
    functions, validate = hops(chain.kind), validator(chain.latest()).validate_python

    def dump(old: Oldest) -> bytes:
        return msgspec.json.encode(old.document)

    def load(blob: bytes) -> Any:
        return validate(run_hops(functions, json.loads(blob)))

    return OldReader("json, dicts, pydantic", dump, load, pydantic_json_peer(chain.latest()).state)


def fastavro_dicts(chain: Chain) -> OldReader:
    """The library fastavro, dict functions for what it cannot resolve, and then our classes.

    The structure of all nine hops is left to its resolution, in one step: its reader's schema
    is the latest, but for the fields that ops change. ``msgspec.convert`` makes the objects.
    """
    # As Any: half of what its stubs say is unknown to a strict checker.
    fastavro: Any = import_module("fastavro")
    writer = fastavro.parse_schema(schema_document(1, chain.kind))
    reader = fastavro.parse_schema(schema_document(LATEST, chain.kind, before_ops=True))
    functions, root = tuple(OPS[chain.kind].values()), chain.codec("avro").type

    def load(payload: bytes) -> Any:
        found = fastavro.schemaless_reader(BytesIO(payload), writer, reader)
        return msgspec.convert(run_hops(functions, found), root)

    return OldReader("fastavro, dicts", _payload, load, lambda state: state)


def _payload(old: Oldest) -> bytes:
    _, payload = unpack(old.blob("avro"))
    assert isinstance(payload, bytes)  # a dict is only what another tool laid out
    return payload


def check_reader(reader: OldReader, chain: Chain) -> None:
    """Raise ``ValueMismatch`` where a reader gives less than instar does, or the same twice."""
    for old in (chain.oldest(3), chain.oldest(8, seed=8)):
        blob = reader.dump(old)
        first, second = reader.load(blob), reader.load(blob)
        if first is second or share_parts(first, second):
            raise _refused(reader, chain, "it gives an object that it gave before")
        if not same(reader.state(first), old.state()):
            raise _refused(reader, chain, "it does not give the state that instar gives")


def _refused(reader: OldReader, chain: Chain, what: str) -> ValueMismatch:
    mend = "a peer is timed only for the whole work"
    return ValueMismatch(what, path=f"{reader.name} ({chain.kind})", mend=mend)
