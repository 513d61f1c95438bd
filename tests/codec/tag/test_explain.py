"""A blob byte by byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.explain import explain
from instar.codec.tag.single_object import pack_single_object
from instar.codec.tag.text_frame import pack_json, pack_yaml
from instar.errors import EmptyBlob, NewerFrame

BLOBS = [
    pack_binary("avro", 300, 7, b"\x02\x02a"),
    pack_binary("msgpack", 1, 7, b"a" * 100, compress=True),
    pack_binary("protobuf", 1, 7, b""),
    pack_json("agent_state", 3, 7, b'{"a":1}'),
    pack_json("agent_state", 3, 7, b"{}"),
    pack_yaml("agent_state", 3, 7, b"a: 1\n"),
    pack_single_object(7, b"\x00"),
    b"\n " + pack_json("agent_state", 3, 7, b'{"a":1}') + b"\r\n",
    pack_yaml("agent_state", 3, 7, b"a: 1\n") + b"\n",
    json.dumps({"a": 1, "$schema": "agent_state/3#0000000000000007"}).encode(),
]


@given(blob=st.sampled_from(BLOBS))
def test_spans_cover_the_blob(blob: bytes) -> None:
    """The fields follow each other without gaps and are together the whole blob."""
    spans = explain(blob)
    assert b"".join(span.raw for span in spans) == blob
    assert [span.start for span in spans] == [0, *(span.stop for span in spans[:-1])]
    assert spans[-1].stop == len(blob)


def test_binary_fields() -> None:
    """Every field of a binary tag is named, with what it says."""
    told = {span.field: span.meaning for span in explain(BLOBS[0])}
    assert told["version"] == "300"
    assert told["format"] == "avro"
    assert told["fingerprint"] == "0000000000000007"
    assert told["checksum"].endswith("and it matches")


def test_text_fields() -> None:
    """The parts of a label are told apart."""
    told = {span.field: span.raw for span in explain(BLOBS[3])}
    assert (told["subject"], told["version"]) == (b"agent_state", b"3")
    assert told["payload"] == b'"a":1}'


@pytest.mark.parametrize("blob", [BLOBS[0], BLOBS[3], BLOBS[5]])
def test_damaged_payload(blob: bytes) -> None:
    """A checksum that does not match is shown, so a damaged blob can be looked at."""
    damaged = blob[:-1] + bytes([blob[-1] ^ 1])
    told = {span.field: span.meaning for span in explain(damaged)}
    assert "not those written" in told["checksum"]


def test_document() -> None:
    """Text that another tool laid out is one field, and what its tag says is told."""
    (span,) = explain(BLOBS[-1])
    assert "agent_state, version 3" in span.meaning


@pytest.mark.parametrize("blob", [BLOBS[7], BLOBS[8]])
def test_white_space_around_a_text(blob: bytes) -> None:
    """White space around a text is shown apart, and the checksum is that of the text in it."""
    told = {span.field: span.meaning for span in explain(blob)}
    assert told["white space"] == "no part of the blob"
    assert told["checksum"].endswith("and it matches")


def test_unreadable_tag() -> None:
    """A tag that does not read raises what read_tag would raise."""
    with pytest.raises(EmptyBlob):
        explain(b"")
    with pytest.raises(NewerFrame):
        explain(BLOBS[0][:4] + b"\x09" + BLOBS[0][5:])
