"""Residue that nobody honest wrote, and states that several threads write at once."""

from __future__ import annotations

import copy
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from evolve import enum, field, registry
from mixed_fleet import mapping

from instar import Codec, Limits, Registry
from instar.codec.library.residue_section import put_section
from instar.codec.newer.token import Entry, Token, set_token, write_token
from instar.codec.tag import unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.errors import CorruptPayload, UnknownFingerprint

GROWN = ("AB", "ABC", "ABCD")


def grown(kind: str = "enum") -> Registry:
    """Versions whose enum has one symbol more each; ``map`` has it in a map without default."""
    if kind == "enum":
        return registry([[field("e", enum("E", *symbols, default="A"))] for symbols in GROWN])
    return registry([[field("e", mapping(enum("E", *symbols)))] for symbols in GROWN])


def blob_with(codec: Codec[Any], state: Any, token: Token) -> bytes:
    """The blob of a state whose residue is a token."""
    payload = unpack(codec.encode(state), Limits())[1]
    assert isinstance(payload, bytes)
    set_token(state, write_token(token))
    section = put_section("avro", payload, state, Limits())
    assert section is not None
    return pack_binary("avro", codec.version, codec.fingerprint, section, residue=True)


@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize("is_settled", [True, False])
def test_residue_of_a_version_that_is_no_newer_one(version: int, is_settled: bool) -> None:
    """A blob that claims so is refused, whatever else its residue says."""
    opened = grown()
    middle = opened.codec("state", version=2)
    mark = opened.subject("state").fingerprint(version) if version else 7
    token = Token(version, mark, "State", (), is_settled=is_settled)
    blob = blob_with(middle, middle.from_builtins({"e": "A"}), token)
    with pytest.raises(CorruptPayload if version else UnknownFingerprint):
        opened.codec("state").decode(blob)


@pytest.mark.parametrize("key", ["k", 1])
def test_keys_of_another_type(key: str | int) -> None:
    """An entry of a map whose key is none of the map's is refused."""
    opened = grown("map")
    old, new = opened.codec("state", version=1), opened.codec("state", version=2)
    value = msgspec.Raw(msgspec.msgpack.encode(["C"]))
    entry = Entry(("e",), "i", (("e",),), b"", value, (key,))
    token = Token(2, new.fingerprint, "State", (entry,))
    blob = blob_with(old, old.from_builtins({"e": {}}), token)
    if key == "k":
        assert new.to_builtins(new.decode(blob)) == {"e": {"k": "C"}}
        return
    with pytest.raises(CorruptPayload, match="expected a str"):
        new.decode(blob)


def test_several_threads_may_encode_one_state() -> None:
    """What edits have overtaken is dropped by one of them, and all give the same bytes."""
    opened = grown()
    new, old = opened.codec("state"), opened.codec("state", version=1)
    state = old.decode(new.encode(new.from_builtins({"e": "D"})))
    state.e = type(state.e)("B")
    plain = old.encode(old.from_builtins({"e": "B"}))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(50):
                shared = [copy.copy(state)] * 4
                assert set(pool.map(old.encode, shared)) == {plain}
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("places", [("k", "new"), ("k",), ("new", "k")])
def test_more_places_than_items(places: tuple[str, ...]) -> None:
    """Also where the map has some of the keys now."""
    opened = grown("map")
    old, new = opened.codec("state", version=1), opened.codec("state", version=2)
    value = msgspec.Raw(msgspec.msgpack.encode([]))
    token = Token(2, new.fingerprint, "State", (Entry(("e",), "i", (("e",),), b"", value, places),))
    blob = blob_with(old, old.from_builtins({"e": {"k": "A", "x": "A"}}), token)
    if places == ("k",):
        assert new.to_builtins(new.decode(blob)) == {"e": {"k": "A", "x": "A"}}
        return
    with pytest.raises(CorruptPayload):
        new.decode(blob)


def test_places_in_a_list_that_are_no_indexes() -> None:
    """Of what a newer version keeps, led down once more by the version between."""
    kinds = [field("g", {"type": "array", "items": enum("G", *symbols)}) for symbols in GROWN]
    opened = registry([[kind] for kind in kinds])
    old, middle, new = (opened.codec("state", version=version) for version in (1, 2, 3))
    value = msgspec.Raw(msgspec.msgpack.encode(["D"]))
    entry = Entry(("g",), "i", (("g",),), b"", value, ("k",))
    blob = blob_with(
        middle,
        middle.from_builtins({"g": ["C"]}),
        Token(3, new.fingerprint, "State", (entry,)),
    )
    with pytest.raises(CorruptPayload):
        old.decode(blob)
