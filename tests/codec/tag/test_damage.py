"""Damaged blobs: every flipped bit and every cut is noticed."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.tag import read_tag, unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.text_frame import pack_json, pack_yaml
from instar.codec.yaml_text import dump_yaml
from instar.errors import InstarError

FINGERPRINT = 0xFEDCBA9876543210
STATE = {
    "dsum": "12345678",
    "id": 'quote " and $schema: x',
    "status": "RUNNING",
    "messages": [{"role": "user", "content": "é\n"}, {"role": "tool", "n": 1.5}],
    "memory": {"$schema": "agent_state/3#0000000000000000", "k": None},
}
BODY = msgspec.json.encode(STATE)
BLOBS = {
    "avro": pack_binary("avro", 3, FINGERPRINT, BODY),
    "protobuf, no payload": pack_binary("protobuf", 1, 0, b""),
    "msgpack, large version": pack_binary("msgpack", 300, FINGERPRINT, BODY * 2),
    "compressed": pack_binary("avro", 3, FINGERPRINT, BODY * 5, compress=True),
    "json": pack_json("agent_state", 3, FINGERPRINT, BODY),
    "json, no field": pack_json("agent_state", 3, FINGERPRINT, b"{}"),
    "yaml": pack_yaml("agent_state", 3, FINGERPRINT, dump_yaml(STATE)),
    "yaml, one field": pack_yaml("agent_state", 3, FINGERPRINT, b'a: "x"\n'),
    "yaml, no field": pack_yaml("agent_state", 3, FINGERPRINT, b"{}"),
}
NAMES = sorted(BLOBS)


def flipped(blob: bytes, bit: int) -> bytes:
    """The blob with one bit changed."""
    changed = bytearray(blob)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("name", NAMES)
def test_every_flipped_bit(name: str) -> None:
    """No bit of a blob can flip unnoticed, in the tag or in the payload."""
    blob = BLOBS[name]
    for bit in range(len(blob) * 8):
        with pytest.raises(InstarError):
            unpack(flipped(blob, bit))


@pytest.mark.parametrize("name", NAMES)
def test_every_cut(name: str) -> None:
    """No blob can be cut unnoticed, wherever."""
    blob = BLOBS[name]
    for size in range(len(blob)):
        with pytest.raises(InstarError):
            unpack(blob[:size])


@pytest.mark.parametrize("name", NAMES)
def test_undamaged(name: str) -> None:
    """The same blobs undamaged are verified, so the damage is what was refused above."""
    assert unpack(BLOBS[name])[0].verified


@given(data=st.data(), name=st.sampled_from(NAMES))
def test_any_damage(data: st.DataObject, name: str) -> None:
    """Any splice of foreign bytes is refused, or read as unverified text."""
    blob = BLOBS[name]
    start = data.draw(st.integers(0, len(blob)))
    stop = data.draw(st.integers(start, len(blob)))
    damaged = blob[:start] + data.draw(st.binary(max_size=12)) + blob[stop:]
    try:
        tag, payload = unpack(damaged)
    except InstarError:
        return
    if tag.verified:
        assert (tag, payload) == unpack(blob)
    else:
        assert tag.format in {"json", "yaml"} or tag.framing == "avro-single-object"


@given(blob=st.binary(max_size=80))
def test_any_bytes(blob: bytes) -> None:
    """Any bytes have a tag or an InstarError says that they have none."""
    for lead in (b"", b"\xc1INS\x01", b"\xc3\x01", b"{", b"$schema: "):
        try:
            tag = read_tag(lead + blob)
        except InstarError:
            continue
        assert not tag.verified
