"""Damage shows as the error that decoding raises, or not at all; never as another error."""

from __future__ import annotations

import random
from typing import Any

import pytest
from codec.formats.golden_states import STATES
from evolutions import lines
from examples import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from same import same
from view_walks import ENGINES, FORMATS, codec_of, forced, outcome, rebuilt, subject_of

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.compatibility.values import states
from instar.codec.engines import EngineName
from instar.codec.limits import Limits
from instar.codec.settings import Settings
from instar.codec.subject import Subject
from instar.codec.tag import unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.codec.views import RecordView
from instar.errors import ChecksumMismatch, CorruptPayload, InstarError
from instar.schemas.model import Array, Field, Optional, Primitive, Reference, Schema
from instar.schemas.model import Record as RecordType

INT, TEXT = Primitive("int"), Primitive("string")
ROW = RecordType("Row", (Field("n", INT), Field("tags", Array(TEXT))))


def touches(view: RecordView, chance: random.Random) -> list[Any]:
    """What each field gives, twice, the second time after others failed; errors as classes."""
    names = list(view.__class__.__struct_fields__)
    chance.shuffle(names)
    return [outcome(lambda: rebuilt(view[name])) for name in [*names, *names]]  # noqa: B023 - at once


def tagged(codec: Codec[Any], payload: bytes, format_: Format = "avro") -> bytes:
    """A payload, whatever it is, under a right tag."""
    return pack_binary(format_, codec.version, codec.fingerprint, payload)


IN_PARTS: tuple[Format, ...] = ("avro", "protobuf")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("warm", [False, True], ids=["first", "later"])
@pytest.mark.parametrize("format_", FORMATS)
def test_a_flipped_bit_anywhere(
    reference: Registry, engine: EngineName, format_: Format, warm: bool
) -> None:
    """A flipped bit in tag or payload is the error of decoding, as the view is made."""
    with forced(engine):
        codec = reference.codec("agent_state", version=1, format=format_)
        blob = codec.encode(codec.from_builtins(STATES["agent_state", 1]))
        if warm:
            codec.view(blob)
        for bit in range(0, 8 * len(blob), 13):
            damaged = bytearray(blob)
            damaged[bit // 8] ^= 1 << bit % 8
            wanted = outcome(lambda: codec.decode(damaged))  # noqa: B023 - called at once
            found = outcome(lambda: rebuilt(codec.view(bytes(damaged))))  # noqa: B023 - as above
            assert found is wanted or same(found, wanted)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("format_", IN_PARTS)
@settings(max_examples=examples(30))
@given(line=lines(), data=st.data(), chance=st.randoms(use_true_random=False))
def test_a_payload_that_breaks_its_schema(
    format_: Format,
    engine: EngineName,
    line: tuple[Schema, ...],
    data: Any,
    chance: random.Random,
) -> None:
    """Under a right checksum, each touch of a broken payload gives a value or the error that
    decoding raises, and the same again when touched again.
    """
    subject = Subject(line)
    old = Codec[Any](subject, Settings(1, format_))
    payload = bytearray(unpack(old.encode(data.draw(states(subject.types(1)))))[1])  # type: ignore[arg-type] # not of JSON
    assume(payload)
    for _ in range(data.draw(st.integers(1, 3))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    blob = tagged(old, bytes(payload), format_)
    with forced(engine):
        codec = codec_of(subject, format_)
        wanted = outcome(lambda: codec.decode(blob))
        view = outcome(lambda: codec.view(blob))
        if not isinstance(view, RecordView):
            assert view is wanted
            return
        found = touches(view, chance)
        half = len(found) // 2
        assert all(same(a, b) for a, b in zip(found[:half], found[half:], strict=True))
        if isinstance(wanted, type):
            assert {value for value in found if isinstance(value, type)} <= {wanted}
        else:
            assert same(rebuilt(view), wanted)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("format_", IN_PARTS)
@given(payload=st.binary(max_size=24), chance=st.randoms(use_true_random=False))
def test_random_payloads(
    format_: Format, engine: EngineName, payload: bytes, chance: random.Random
) -> None:
    """Random bytes as a list of records: values where decoding gives them, else its error."""
    with forced(engine):
        codec = codec_of(subject_of(Array(Reference("Row")), ROW), format_)
        blob = tagged(codec, payload, format_)
        wanted = outcome(lambda: codec.decode(blob))
        view = outcome(lambda: codec.view(blob))
        found = outcome(lambda: rebuilt(view, chance))
        whole = outcome(view.hydrate) if isinstance(view, RecordView) else view
        if isinstance(wanted, type):
            # Bytes behind the end are no part of any field.
            assert isinstance(view, type) or whole is wanted
            assert found is wanted or is_longer(codec, blob)
        else:
            assert same(found, wanted)
            assert same(whole, wanted)


def is_longer(codec: Codec[Any], blob: bytes) -> bool:
    """Whether all that is wrong with a blob is that bytes follow the state."""
    with pytest.raises(CorruptPayload) as caught:
        codec.decode(blob)
    return "follow the end" in caught.value.what


def test_a_list_whose_end_is_broken(engine_in_use: str) -> None:
    """A list of which not all items can be read has no length, no items and no slices."""
    assert engine_in_use
    codec = codec_of(subject_of(Array(INT)))
    blob = tagged(codec, b"\x04\x02\xff")
    for _ in range(2):
        for touch in (len, list, lambda found: found[0], lambda found: found[:1]):
            with pytest.raises(CorruptPayload, match=r"^state"):
                touch(codec.view(blob).f)


def test_bytes_behind_the_state(engine_in_use: str) -> None:
    """Hydrating the whole raises what decoding raises for bytes behind the state."""
    assert engine_in_use
    codec = codec_of(subject_of(INT))
    blob = tagged(codec, b"\x02\x02")
    for _ in range(2):
        with pytest.raises(CorruptPayload, match="1 bytes follow the end"):
            codec.view(blob).hydrate()


def test_depth(engine_in_use: str) -> None:
    """A view goes as deep as decoding does, and not a level deeper."""
    assert engine_in_use
    node = RecordType("Node", (Field("next", Optional(Reference("Node"))),))
    subject = Subject([Schema("state", 1, "avro", "Node", {"Node": node})])
    for levels in (9, 10, 11):
        codec = codec_of(subject, limits=Limits(depth=10))
        blob = tagged(codec, b"\x02" * (levels - 1) + b"\x00")
        wanted = outcome(lambda: codec.decode(blob))  # noqa: B023 - called at once
        found = outcome(lambda: rebuilt(codec.view(blob)))  # noqa: B023 - as above
        assert same(found, wanted) if levels <= 10 else found is wanted is CorruptPayload


def test_without_verification(engine_in_use: str) -> None:
    """``verify=False`` passes over the checksum, in both engines and in all framings alike."""
    assert engine_in_use
    codec = codec_of(subject_of(Array(INT)))
    blob = bytearray(codec.encode(codec.type(f=[1, 2, 3])))
    assert blob[-4:] == b"\x02\x04\x06\x00"
    blob[-3] = 0x40
    for damaged in (bytes(blob), blob, memoryview(blob)):
        with pytest.raises(ChecksumMismatch):
            codec.view(damaged)
        with pytest.raises(ChecksumMismatch):
            codec.project(damaged, "f[1]")
        view = codec.view(damaged, verify=False)
        assert view.f[1] == 32
        assert view.hydrate() == codec.type(f=[1, 32, 3])
        assert codec.project(damaged, "f[1]", "f", verify=False) == (32, [1, 32, 3])


def test_errors_of_views_are_those_of_decoding(engine_in_use: str) -> None:
    """The error of a touch says what and where, word for word as decoding says it."""
    assert engine_in_use
    codec = codec_of(subject_of(Array(Reference("Row")), ROW))
    blob = tagged(codec, b"\x02\x02\x02\x02\xff\x00\x00")
    with pytest.raises(InstarError) as wanted:
        codec.decode(blob)
    with pytest.raises(InstarError) as found:
        rebuilt(codec.view(blob))
    assert str(found.value) == str(wanted.value)
