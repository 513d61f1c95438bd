"""A peek at the tag alone: what it says, and that it verifies nothing."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from codec.formats.golden_states import STATES
from material import ROOT

from instar import Codec, Limits, Registry, read_tag
from instar.codec.tag import peek
from instar.codec.tag.header import Format
from instar.errors import (
    BlobError,
    EmptyBlob,
    InstarError,
    LimitExceeded,
    MalformedTag,
    NewerFrame,
    TrailingBytes,
    TruncatedBlob,
    Untagged,
)

FORMATS: tuple[Format, ...] = get_args(Format)


@pytest.fixture(scope="module")
def codecs() -> dict[str, Codec[Any]]:
    """A codec of each format."""
    registry = Registry.open(ROOT / "schemas", ROOT / "migrations")
    return {name: registry.codec("agent_state", format=name) for name in FORMATS}


def blob_of(codec: Codec[Any]) -> bytes:
    return codec.encode(codec.from_builtins(STATES["agent_state", 3]))


@pytest.mark.parametrize("format_", FORMATS)
def test_a_peek_is_the_tag(codecs: dict[str, Codec[Any]], format_: Format) -> None:
    """A peek says all that reading the tag says, but that it was verified."""
    blob = blob_of(codecs[format_])
    found, wanted = codecs["avro"].peek(blob), read_tag(blob)
    fields = [name for name in found.__struct_fields__ if name != "verified"]
    assert {n: getattr(found, n) for n in fields} == {n: getattr(wanted, n) for n in fields}
    assert (found.verified, wanted.verified) == (False, True)
    assert codecs["avro"].peek(bytearray(blob)) == codecs["avro"].peek(memoryview(blob)) == found


@pytest.mark.parametrize("format_", FORMATS)
def test_a_peek_verifies_nothing(codecs: dict[str, Codec[Any]], format_: Format) -> None:
    """Damage behind the tag does not show, and the tag is read as it stands."""
    blob = bytearray(blob_of(codecs[format_]))
    wanted = peek(blob)
    blob[-20] ^= 1
    assert peek(bytes(blob)) == wanted


def test_other_framings(codecs: dict[str, Codec[Any]]) -> None:
    """Avro's own framing has a fingerprint and no more; text laid out anew has no checksum."""
    registry = Registry.open(ROOT / "schemas", ROOT / "migrations")
    codec = registry.codec("agent_state", framing="avro-single-object")
    blob = codec.encode(codec.from_builtins(STATES["agent_state", 3]))
    found = peek(blob)
    assert (found.framing, found.version, found.verified) == ("avro-single-object", None, False)
    text = blob_of(codecs["json"]).replace(b'","$sum"', b'", "$sum"')
    anew = peek(text)
    assert (anew.subject, anew.version, anew.header_size) == ("agent_state", 3, 0)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda _: b"", EmptyBlob),
        (lambda _: b"\x00\x01", Untagged),
        (lambda _: b'{"a": 1}', Untagged),
        (lambda blob: blob[:-1], TruncatedBlob),
        (lambda blob: blob[:5], TruncatedBlob),
        (lambda blob: blob + b"\x00", TrailingBytes),
        (lambda blob: blob[:4] + b"\x02" + blob[5:], NewerFrame),
        (lambda blob: blob[:5] + b"\x09" + blob[6:], MalformedTag),
        (lambda blob: blob[:6] + b"\x80" + blob[7:], MalformedTag),
        (lambda blob: blob[:7] + b"\x00" + blob[8:], MalformedTag),
        (lambda _: "text", BlobError),
        (lambda _: None, BlobError),
    ],
)
def test_errors(codecs: dict[str, Codec[Any]], change: Any, error: type[InstarError]) -> None:
    """A tag that cannot be read is the error that reading it raises."""
    blob = change(blob_of(codecs["avro"]))
    for look in (codecs["avro"].peek, read_tag):
        with pytest.raises(InstarError) as caught:
            look(blob)
        assert type(caught.value) is error


@pytest.mark.parametrize("format_", FORMATS)
def test_limits(codecs: dict[str, Codec[Any]], format_: Format) -> None:
    """A blob that is larger than allowed is refused by a peek too."""
    with pytest.raises(LimitExceeded, match="the blob has"):
        peek(blob_of(codecs[format_]), Limits(blob_bytes=100))
