"""A peer is timed only for the whole work."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from instar.bench.copied import copied_peer
from instar.bench.others import (
    fastavro_peer,
    json_peer,
    msgspec_json_peer,
    msgspec_msgpack_peer,
    orjson_peer,
    protobuf_peer,
)
from instar.bench.peers import Peer, Versions, check_peer, instar_peers
from instar.bench.pydantic_peers import json_then_pydantic_peer, pydantic_json_peer
from instar.bench.sample import agent_state
from instar.errors import ValueMismatch


@pytest.fixture
def honest(versions: Versions) -> Peer:
    (peer,) = instar_peers(versions, ["msgpack"])
    return peer


@pytest.mark.parametrize(
    "make",
    [
        json_peer,
        orjson_peer,
        msgspec_json_peer,
        msgspec_msgpack_peer,
        fastavro_peer,
        protobuf_peer,
        copied_peer,
        json_then_pydantic_peer,
        pydantic_json_peer,
    ],
)
def test_others_do_the_work(make: Any, versions: Versions, states: list[Any]) -> None:
    """Every other peer stores the whole state and gives it back."""
    check_peer(make(versions), states)


def test_ours_do_the_work(versions: Versions, states: list[Any]) -> None:
    """instar does, in all five formats."""
    peers = instar_peers(versions)
    assert [peer.name.removeprefix("instar ") for peer in peers] == [
        "avro", "protobuf", "msgpack", "json", "yaml",
    ]  # fmt: skip
    for peer in peers:
        check_peer(peer, states)


def refused(peer: Peer, states: list[Any], what: str) -> None:
    with pytest.raises(ValueMismatch, match=what):
        check_peer(peer, states)


def test_wrong_value(honest: Peer, states: list[Any]) -> None:
    """A peer that changes one field is refused."""

    def load(blob: bytes) -> Any:
        state = honest.load(blob)
        state.retries += 1
        return state

    refused(replace(honest, load=load), states, "whole state")


def test_wrong_class(honest: Peer, states: list[Any]) -> None:
    """A number that comes back as another class is refused, though it is equal."""

    def load(blob: bytes) -> Any:
        state = honest.load(blob)
        state.retries = float(state.retries)
        return state

    refused(replace(honest, load=load), states, "whole state")


def test_learnt_by_heart(honest: Peer, states: list[Any]) -> None:
    """A peer that answers every blob with the state it knows is refused."""
    known = honest.dump(states[0])

    def load(_: bytes) -> Any:
        return honest.load(known)

    refused(replace(honest, load=load), states, "whole state")


def test_half_the_state(versions: Versions, states: list[Any]) -> None:
    """A peer that leaves a field out of its dicts is refused."""
    peer = json_peer(versions)

    def load(blob: bytes) -> Any:
        value = peer.load(blob)
        del value["memory"]
        return value

    refused(replace(peer, load=load), states, "whole state")


def test_half_the_state_without_default(versions: Versions, states: list[Any]) -> None:
    """A peer whose dicts are no state at all is refused."""

    def load(_: bytes) -> Any:
        return {}

    refused(replace(json_peer(versions), load=load), states, "is no state")


def test_remembered_object(honest: Peer, states: list[Any]) -> None:
    """A peer that gives one object twice is refused: it did the work once."""
    known: dict[bytes, Any] = {}

    def load(blob: bytes) -> Any:
        if blob not in known:
            known[blob] = honest.load(blob)
        return known[blob]

    refused(replace(honest, load=load), states, "gave before")


def test_remembered_part(honest: Peer, states: list[Any]) -> None:
    """A peer whose objects share a list is refused."""
    known: dict[bytes, Any] = {}

    def load(blob: bytes) -> Any:
        state = honest.load(blob)
        state.messages = known.setdefault(blob, state.messages)
        return state

    refused(replace(honest, load=load), states, "gave before")


def test_the_very_object(honest: Peer, states: list[Any]) -> None:
    """A peer that hands back copies sharing parts with what it was given is refused."""
    kept: list[Any] = []

    def dump(state: Any) -> bytes:
        kept.append(state)
        return honest.dump(state)

    def load(_: bytes) -> Any:
        return copy.copy(kept[-1])

    refused(replace(honest, dump=dump, load=load), states, "gave before")


def test_dicts_that_claim_to_be_objects(versions: Versions, states: list[Any]) -> None:
    """A peer that says objects and gives dicts is refused."""
    refused(replace(json_peer(versions), gives="objects"), states, "claims objects")


def test_objects_that_claim_to_be_dicts(honest: Peer, states: list[Any]) -> None:
    """A peer that says dicts and gives objects is refused."""
    refused(replace(honest, gives="dicts"), states, "claims dicts")


def test_dicts_that_claim_to_be_models(versions: Versions, states: list[Any]) -> None:
    """A peer that says models and gives dicts is refused."""
    refused(replace(json_peer(versions), gives="models"), states, "claims models")


def test_remembered_part_of_a_model(versions: Versions, states: list[Any]) -> None:
    """A peer whose models share a list is refused, as one whose objects do."""
    peer = pydantic_json_peer(versions)
    known: dict[bytes, Any] = {}

    def load(blob: bytes) -> Any:
        model = peer.load(blob)
        model.messages = known.setdefault(blob, model.messages)
        return model

    refused(replace(peer, load=load), states, "gave before")


def test_no_bytes(honest: Peer, states: list[Any]) -> None:
    """A peer that stores anything but bytes is refused."""
    dump: Any = copy.deepcopy
    refused(replace(honest, dump=dump, load=copy.deepcopy), states, "not bytes")


@pytest.mark.parametrize("seeds", [(1,), (1, 1)])
def test_one_state_is_not_enough(honest: Peer, versions: Versions, seeds: tuple[int, ...]) -> None:
    """A check with one state, or the same one twice, is refused."""
    codec = versions.codec("json")
    states = [agent_state(codec, "small", seed=seed) for seed in seeds]
    refused(honest, states, "two different states")
