"""The blocks of vectors in Avro payloads, whole and damaged."""

from __future__ import annotations

import struct
import tracemalloc
from array import array
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from same import same
from vector_samples import (
    EVERYWHERE,
    SINGLES,
    blob_of,
    each_engine,
    everywhere,
    needs_kernel,
    plain,
    registry,
    vector,
)

from instar.codec.tag import unpack
from instar.codec.tag.header import Format
from instar.errors import CorruptPayload


@given(st.binary(max_size=64).filter(lambda raw: len(raw) % 8 == 0))
def test_avro_keeps_every_bit(raw: bytes) -> None:
    """The block of an array is the block of the payload, also of a signalling NaN."""
    values = {"f": array("f", raw), "d": array("d", raw)}
    opened = registry({"f": vector(), "d": vector("double")})
    for _ in each_engine():
        codec = opened.codec("sample")
        payload = unpack(codec.encode(codec.type(**values)))[1]
        assert isinstance(payload, bytes | memoryview)
        counts = [bytes([len(raw) // size * 2]) if raw else b"" for size in (4, 8)]
        assert bytes(payload) == b"".join(head + raw + b"\0" for head in counts)
        found: Any = codec.decode(codec.encode(codec.type(**values)))
        assert (found.f.tobytes(), found.d.tobytes()) == (raw, raw)


def programs(format_: Format, fields: dict[str, Any]) -> tuple[Any, Any, Any]:
    """The types of a version, and the kernel's reader and writer of their payloads."""
    from instar.codec.kernel import core  # noqa: PLC0415 - there may be no kernel
    from instar.codec.library.format import Reading  # noqa: PLC0415
    from instar.codec.limits import DEFAULT_LIMITS  # noqa: PLC0415

    types = registry(fields).subject("sample").types(1)
    home = f"instar.codec.kernel.{format_}"
    reading, writing = (import_module(f"{home}_{way}") for way in ("reading", "writing"))
    program = writing.compile_writing(types, DEFAULT_LIMITS)
    reader = reading.compile_reading(Reading(types, None, types), DEFAULT_LIMITS)
    return types, reader, core.Encoder(program, 1, 0, 0)


@pytest.mark.parametrize("format_", ["avro", "protobuf"])
@needs_kernel
@given(data=st.data())
def test_the_kernel_takes_vectors_itself(format_: Format, data: st.DataObject) -> None:
    """No state with vectors is left to the library engine, on writing or on reading."""
    from instar.codec.kernel import core  # noqa: PLC0415 - there may be no kernel

    types, reader, writer = programs(format_, EVERYWHERE)
    state = data.draw(everywhere(types))
    assert same(core.decode_payload(reader, writer.payload(state)), state)


def zigzag(number: int) -> bytes:
    number = number * 2 if number >= 0 else -number * 2 - 1
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def block(numbers: list[float], *, sized: bool, kind: str) -> bytes:
    data = struct.pack(f"<{len(numbers)}{kind}", *numbers)
    head = zigzag(-len(numbers)) + zigzag(len(data)) if sized else zigzag(len(numbers))
    return head + data


BLOCKS = st.lists(st.tuples(st.lists(SINGLES, min_size=1, max_size=4), st.booleans()), max_size=4)


@pytest.mark.parametrize(("items", "kind"), [("float", "f"), ("double", "d")])
@given(blocks=BLOCKS)
def test_blocks_are_joined(items: str, kind: str, blocks: list[Any]) -> None:
    """Several blocks of Avro, with and without their size, make one vector."""
    payload = b"".join(block(numbers, sized=sized, kind=kind) for numbers, sized in blocks) + b"\0"
    wanted = array(kind, [number for numbers, _ in blocks for number in numbers])
    opened = registry({"x": vector(items), "after": "int"})
    for _ in each_engine():
        found: Any = opened.codec("sample").decode(blob_of(opened, payload + b"\x0e"))
        assert same(found.x, wanted)
        assert found.after == 7


@needs_kernel
@given(blocks=BLOCKS)
def test_vectors_are_passed_over(blocks: list[Any]) -> None:
    """A vector that a later version dropped is skipped, block by block, by both engines."""
    opened = registry({"x": vector(), "y": plain("double"), "after": "int"}, {"after": "int"})
    parts = [block(n, sized=sized, kind=kind) for kind in "fd" for n, sized in blocks]
    half = len(blocks)
    payload = b"".join([*parts[:half], b"\0", *parts[half:], b"\0\x0e"])
    for _ in each_engine():
        assert opened.codec("sample").decode(blob_of(opened, payload)).after == 7


DAMAGED = {
    "no end": block([1.5], sized=False, kind="f"),
    "half a number": zigzag(2) + b"\0\0\x80\x3f\0\0",
    "a size too small": zigzag(-1) + zigzag(3) + b"\0\0\x80\x3f\0",
    "a size too large": zigzag(-1) + zigzag(5) + b"\0\0\x80\x3f\0\0",
    "a negative size": zigzag(-1) + zigzag(-4) + b"\0\0\x80\x3f\0",
    "more items than bytes": zigzag(2**40) + b"\0" * 9,
    "as many as 64 bits hold": zigzag(2**63 - 1) + b"\0" * 9,
    "the least number of 64 bits": zigzag(-(2**63)) + zigzag(4) + b"\0" * 9,
    "four times the bytes": zigzag(2**62) + b"\0" * 9,
    "spare bytes": b"\0\0",
    "nothing": b"",
}


@pytest.mark.parametrize("payload", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.usefixtures("engine_in_use")
def test_damaged_vectors_are_refused(payload: bytes) -> None:
    """Counts and sizes that do not fit the bytes end in an error, and never in a large array."""
    opened = registry({"x": vector()})
    codec, blob = opened.codec("sample"), blob_of(opened, payload)
    tracemalloc.start()
    with pytest.raises(CorruptPayload):
        codec.decode(blob)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


@pytest.mark.usefixtures("engine_in_use")
def test_a_payload_cut_anywhere_is_refused() -> None:
    """No prefix of two blocks passes for a shorter vector."""
    opened = registry({"x": vector("double")})
    codec = opened.codec("sample")
    payload = block([1, 2], sized=False, kind="d") + block([3], sized=True, kind="d") + b"\0"
    assert codec.decode(blob_of(opened, payload)).x == array("d", [1, 2, 3])
    for size in range(len(payload)):
        with pytest.raises(CorruptPayload):
            codec.decode(blob_of(opened, payload[:size]))


@pytest.mark.parametrize("format_", ["avro", "protobuf"])
@needs_kernel
def test_refused_vectors_leak_nothing(format_: Format) -> None:
    """Thousands of refusals by the kernel, on reading and on writing, leave the memory alone."""
    from instar.codec.kernel import core  # noqa: PLC0415 - there may be no kernel

    types, reader, writer = programs(format_, {"x": plain(vector())})
    good, wrong = array("f", range(64)), array("i", [1])
    payload = writer.payload(types.root(x=[good, good]))
    refused = [payload[: -len(payload) // 3], payload + b"\0"]

    def refuse(times: int) -> None:
        for _ in range(times):
            for cut in refused:
                assert core.decode_payload(reader, cut) is NotImplemented
            assert writer.payload(types.root(x=[good, wrong])) is NotImplemented

    refuse(200)
    tracemalloc.start()
    refuse(200)
    before = tracemalloc.get_traced_memory()[0]
    refuse(2000)
    assert tracemalloc.get_traced_memory()[0] - before < 20_000
    tracemalloc.stop()


def sized(tag: bytes, data: bytes) -> bytes:
    return tag + bytes([len(data)]) + data


WRONG = {
    "half a number": sized(b"\x0a", b"\0\0\x80\x3f\0\0"),
    "no numbers": sized(b"\x0a", b""),
    "twice": sized(b"\x0a", b"\0\0\x80\x3f") * 2,
    "cut": sized(b"\x0a", b"\0\0\x80\x3f")[:-1],
    "a tag for each": b"\x0d\0\0\x80\x3f",
    "a length beyond 64 bits": b"\x0a" + b"\xff" * 10,
    "a length of 63 bits": b"\x0a" + b"\xff" * 8 + b"\x7f",
}


@pytest.mark.parametrize("payload", WRONG.values(), ids=WRONG)
@pytest.mark.usefixtures("engine_in_use")
def test_wrong_vectors_of_protobuf_are_refused(payload: bytes) -> None:
    """Only the one form that is written is read back: packed, once, and nothing for nothing."""
    opened = registry({"x": vector()})
    codec = opened.codec("sample", format="protobuf")
    assert codec.decode(blob_of(opened, sized(b"\x0a", b"\0\0\x80\x3f"), "protobuf")).x[0] == 1.0
    with pytest.raises(CorruptPayload):
        codec.decode(blob_of(opened, payload, "protobuf"))


@pytest.mark.parametrize("name", ["twice", "a tag for each", "no numbers"])
def test_other_programs_may_write_vectors_otherwise(name: str) -> None:
    """An untagged payload may have any encoding that Protobuf allows for repeated floats."""
    codec = registry({"x": vector()}).codec("sample", format="protobuf")
    wanted = {"twice": [1.0, 1.0], "a tag for each": [1.0], "no numbers": []}[name]
    assert codec.decode(WRONG[name], legacy=1).x == array("f", wanted)


@given(st.binary(max_size=64).filter(lambda raw: len(raw) % 8 == 0))
def test_both_engines_have_the_same_bits_in_protobuf(raw: bytes) -> None:
    """Bit for bit, also where Protobuf's library makes a quiet NaN of a signalling one."""
    values = {"f": array("f", raw), "d": array("d", raw)}
    opened = registry({"f": vector(), "d": vector("double")})
    found: set[tuple[bytes, ...]] = set()
    for _ in each_engine():
        codec = opened.codec("sample", format="protobuf")
        blob = codec.encode(codec.type(**values))
        state: Any = codec.decode(blob)
        tags = [sized(tag, raw) if raw else b"" for tag in (b"\x0a", b"\x12")]
        direct: Any = codec.decode(blob_of(opened, b"".join(tags), "protobuf"))
        vectors = (state.f, state.d, direct.f, direct.d)
        found.add((blob, *(numbers.tobytes() for numbers in vectors)))
    assert len(found) == 1
