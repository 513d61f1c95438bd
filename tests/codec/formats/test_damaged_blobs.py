"""Bytes that were cut, flipped or joined give the equal state or an InstarError."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest
from codec.formats.conftest import StatesOf
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from same import same

from instar import Codec, InstarError, Registry
from instar.codec.tag.header import Format
from instar.errors import (
    ChecksumMismatch,
    EmptyBlob,
    NewerFrame,
    NewerVersion,
    TrailingBytes,
    TruncatedBlob,
    UnknownFingerprint,
    Untagged,
    WrongSubject,
)

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
BINARY: tuple[Format, ...] = ("avro", "protobuf", "msgpack")


def sample(codec: Codec[Any]) -> Any:
    """A state of agent_state with something in its lists."""
    moment = dt.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=dt.UTC)
    return codec.from_builtins(
        {
            "id": str(uuid.UUID(int=7)),
            "name": "scout",
            "created": moment.isoformat(),
            "last_heartbeat": moment.isoformat(),
            "provider": "openai",
            "model_name": "gpt-4o",
            "budget": {"limit": "10.0000", "spent": str(Decimal("0.5000")), "currency": "EUR"},
            "tags": ["a", "b"],
            "metadata": {"k": [1, None, "é"]},
        }
    )


def damage(blob: bytes, data: st.DataObject) -> bytes:
    """The blob with bits flipped, cut, with bytes added, or parts doubled."""
    at = data.draw(st.integers(0, len(blob) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "insert", "replace", "double"]))
    match kind:
        case "flip":
            bit = 1 << data.draw(st.integers(0, 7))
            return blob[:at] + bytes([blob[at] ^ bit]) + blob[at + 1 :]
        case "cut":
            return blob[:at]
        case "insert":
            return blob[:at] + data.draw(st.binary(min_size=1, max_size=4)) + blob[at:]
        case "replace":
            return blob[:at] + data.draw(st.binary(min_size=1, max_size=4)) + blob[at + 1 :]
        case _:
            return blob + blob[at:]


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_damage_is_refused_or_harmless(
    reference: Registry,
    states_of: StatesOf,
    format_: Format,
    compress: bool,
    data: st.DataObject,
) -> None:
    """A damaged blob is an InstarError, or decodes to the very state that was written."""
    codec = reference.codec("agent_state", format=format_, compress=compress)
    state = data.draw(states_of("agent_state", 3))
    blob = codec.encode(state)
    for _ in range(3):
        try:
            found = codec.decode(damage(blob, data))
        except InstarError:
            continue
        assert same(found, state)


@pytest.mark.parametrize("format_", FORMATS)
def test_every_single_bit_counts(reference: Registry, format_: Format) -> None:
    """Whichever bit of a blob is flipped, the blob is refused."""
    codec = reference.codec("agent_state", format=format_)
    blob = codec.encode(sample(codec))
    for at in range(len(blob)):
        for bit in range(8):
            flipped = blob[:at] + bytes([blob[at] ^ 1 << bit]) + blob[at + 1 :]
            with pytest.raises(InstarError):
                codec.decode(flipped)


@pytest.mark.parametrize("format_", FORMATS)
def test_every_cut_is_refused(reference: Registry, format_: Format) -> None:
    """Wherever a blob is cut, it is refused."""
    codec = reference.codec("agent_state", format=format_)
    blob = codec.encode(sample(codec))
    for at in range(len(blob)):
        with pytest.raises(InstarError):
            codec.decode(blob[:at])


@pytest.mark.parametrize("format_", BINARY)
def test_each_kind_of_bad_bytes_has_its_own_error(reference: Registry, format_: Format) -> None:
    """A caller can tell what is wrong by the class of the error."""
    codec = reference.codec("agent_state", format=format_)
    blob = codec.encode(sample(codec))
    with pytest.raises(EmptyBlob):
        codec.decode(b"")
    with pytest.raises(Untagged):
        codec.decode(bytes(100))
    with pytest.raises(TruncatedBlob):
        codec.decode(blob[:-1])
    with pytest.raises(TrailingBytes):
        codec.decode(blob + b"junk")
    with pytest.raises(NewerFrame):
        codec.decode(blob[:4] + b"\x02" + blob[5:])
    with pytest.raises(ChecksumMismatch):
        codec.decode(blob[:-1] + bytes([blob[-1] ^ 1]))


@pytest.mark.parametrize("format_", FORMATS)
def test_a_newer_version_says_what_it_has_and_what_it_wants(
    reference: Registry, format_: Format
) -> None:
    """Code that knows fewer versions refuses, with both versions named."""
    opened = reference.subject("agent_state")
    cut_off = Registry.of([opened.schema(1)])
    codec = reference.codec("agent_state", format=format_)
    with pytest.raises(NewerVersion) as caught:
        cut_off.codec("agent_state").decode(codec.encode(sample(codec)))
    assert (caught.value.have, caught.value.want) == (3, 1)


@pytest.mark.parametrize("format_", FORMATS)
def test_an_edited_schema_is_an_unknown_fingerprint(reference: Registry, format_: Format) -> None:
    """A blob is never tried with a schema that did not write it."""
    opened = reference.subject("agent_state")
    first = opened.schema(1)
    record = first.record
    shorter = replace(record, fields=record.fields[:-1])
    edited = replace(first, types={**first.types, record.name: shorter})
    codec = Registry.of([edited]).codec("agent_state", format=format_)
    old = reference.codec("agent_state", format=format_, version=1)
    plain: Any = old.to_builtins(
        old.from_builtins(
            {
                "id": str(uuid.UUID(int=1)),
                "name": "n",
                "created": "2026-01-01T00:00:00Z",
                "last_heartbeat": "2026-01-01T00:00:00Z",
                "model": "m",
                "budget": {"limit": "1", "spent": "0", "currency": "EUR"},
            }
        )
    )
    with pytest.raises(UnknownFingerprint):
        codec.decode(old.encode(old.from_builtins(plain)))


@pytest.mark.parametrize("format_", FORMATS)
def test_a_blob_of_another_subject_is_named(reference: Registry, format_: Format) -> None:
    """The error says whose blob it is."""
    codec = reference.codec("agent_state", format=format_)
    with pytest.raises(WrongSubject, match="agent_state"):
        reference.codec("agent_command").decode(codec.encode(sample(codec)))


def test_untagged_bytes_are_read_only_when_asked(reference: Registry) -> None:
    """legacy= names the version that wrote bare bytes; nothing else reads them."""
    codec = reference.codec("agent_state", framing="avro-single-object")
    state = sample(codec)
    bare = codec.encode(state)[10:]
    with pytest.raises(InstarError):
        codec.decode(bare)
    assert same(codec.decode(bare, legacy=3), state)
