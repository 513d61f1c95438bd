"""The tag that the kernel writes and reads in one pass, against the general way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_pair import Pair, field_of, pair_of, with_field

from instar.codec.kernel import core
from instar.codec.tag.binary_frame import pack_binary
from instar.schemas.model import Primitive

PAIR = pair_of(Primitive("string"))
LARGEST = 1 << 40


def encoder(version: int, mark: int = 7, pair: Pair = PAIR) -> core.Encoder:
    return core.Encoder(pair.encoder_program, version, mark, LARGEST)


@pytest.mark.parametrize("version", [1, 127, 128, 2**14, 2**21, 2**28, 2**31 - 1])
def test_a_head_is_right_for_any_version(version: int) -> None:
    """The longest numbers have room too: the head stands on the stack, and must not grow."""
    state = with_field(PAIR, "text")
    blob = encoder(version, 2**64 - 1).encode(state)
    assert blob == pack_binary("avro", version, 2**64 - 1, PAIR.payload(state))
    assert field_of(decoder(version, 2**64 - 1).decode(blob)) == "text"


@pytest.mark.parametrize("version", [2**35, 2**63, 2**64 - 1])
def test_a_version_beyond_any_is_no_crash(version: int) -> None:
    """No registry has such a version, and no tag can say it."""
    assert encoder(version).encode(with_field(PAIR, "text")) is NotImplemented


def decoder(version: int, mark: int) -> core.Decoder:
    made = core.Decoder(LARGEST)
    made.add(1, version, mark, PAIR.program)
    return made


@given(st.data())
def test_a_damaged_head_is_left_to_the_general_way(data: st.DataObject) -> None:
    """No flipped, cut or added byte of a blob is read by the short way."""
    blob = encoder(1).encode(with_field(PAIR, data.draw(st.text("abc", max_size=200))))
    at = data.draw(st.integers(0, len(blob) - 1))
    flipped = blob[:at] + bytes([blob[at] ^ 1 << data.draw(st.integers(0, 7))]) + blob[at + 1 :]
    more = data.draw(st.binary(min_size=1, max_size=5))
    for damaged in (flipped, blob[:at], blob + more, blob[:at] + more + blob[at:]):
        assert decoder(1, 7).decode(damaged) is NotImplemented


@pytest.mark.parametrize("blob", [None, "text", bytearray(40), memoryview(bytes(40)), b"", 5, {}])
def test_what_is_no_bytes_is_left_to_the_general_way(blob: Any) -> None:
    """The short way takes bytes alone, whatever it is handed."""
    assert decoder(1, 7).decode(blob) is NotImplemented


def test_sizes_beyond_the_largest_are_left_to_the_general_way() -> None:
    """A blob of exactly the largest size goes through, and one byte more does not."""
    state = with_field(PAIR, "x" * 100)
    blob = encoder(1).encode(state)
    for largest, wanted in ((len(blob), blob), (len(blob) - 1, NotImplemented)):
        made = core.Encoder(PAIR.encoder_program, 1, 7, largest)
        assert made.encode(state) == wanted
        read = core.Decoder(largest)
        read.add(1, 1, 7, PAIR.program)
        assert (read.decode(blob) is NotImplemented) == (wanted is NotImplemented)


def test_none_is_no_program() -> None:
    """A program that is missing is a TypeError and no crash."""
    nothing: Any = None
    with pytest.raises(TypeError):
        core.decode_payload(nothing, b"")
    with pytest.raises(TypeError):
        core.decode_payload(PAIR.program, nothing)
    with pytest.raises(TypeError):
        core.Decoder(LARGEST).add(1, 1, 7, nothing)
    with pytest.raises(TypeError):
        core.Encoder(nothing, 1, 7, LARGEST)


def test_there_is_no_encoder_without_a_program() -> None:
    """`__new__` alone makes none, so there is no moment at which it has nothing to run."""
    with pytest.raises(TypeError):
        core.Encoder.__new__(core.Encoder)
