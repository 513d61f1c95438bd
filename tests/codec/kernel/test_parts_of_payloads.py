"""Parts of payloads in the kernel: what is found, what is refused, and what it costs."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from material import ROOT
from view_walks import codec_of, forced, outcome, rebuilt, subject_of

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar import Registry
from instar.bench.sample import agent_state
from instar.codec.kernel import core
from instar.codec.kernel.avro import ENGINE
from instar.codec.library.format import Reading
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.errors import CorruptPayload
from instar.schemas.model import (
    Array,
    Default,
    Field,
    Map,
    NamedType,
    Primitive,
    Reference,
    Schema,
    Type,
)
from instar.schemas.model import Record as RecordType
from instar.schemas.numbering import number_fields

INT, TEXT = Primitive("int"), Primitive("string")
IN_PARTS: tuple[Format, ...] = ("avro", "protobuf")


@pytest.fixture(autouse=True)
def kernel() -> Iterator[None]:
    """The kernel, whatever the environment asks for."""
    with forced("kernel"):
        yield


def program_of(kind: Type, *named: NamedType) -> Any:
    types = subject_of(kind, *named).types(1)
    return ENGINE.compile_reading(Reading(types, None, types), DEFAULT_LIMITS)


def part_of(kind: Type, payload: bytes) -> Any:
    """The part of the field ``f``."""
    return core.part_of_payload(program_of(kind), payload).field(0)


def test_fields_are_refused_for_ever_behind_a_broken_one() -> None:
    """Behind a field that cannot be passed every other is refused, however often it is asked
    for: what follows in the payload reads as numbers, and is none.
    """
    fields = (Field("a", TEXT), Field("b", INT), Field("c", INT))
    types = {"State": RecordType("State", fields)}
    codec = codec_of(Subject(number_fields([Schema("state", 1, "avro", "State", types)])))
    view: Any = codec.view(pack_binary("avro", 1, codec.fingerprint, b"\x7f\x02\x04"))
    for _ in range(3):
        for name in ("c", "b", "a"):
            assert outcome(lambda: view[name]) is CorruptPayload  # noqa: B023 - called at once


@pytest.mark.parametrize("kind", [Array(TEXT), Map(INT)], ids=["list", "map"])
def test_counts_are_refused_for_ever(kind: Type) -> None:
    """A list that cannot be passed to its end has no count, the second time too."""
    for payload in (b"\x04\x02a\x7f", b"\x03\x06\x02a\x02b\x00", b"\x02\x02a\x02\x80"):
        part = part_of(kind, payload)
        assert [part.count() for _ in range(3)] == [NotImplemented] * 3


def test_blocks() -> None:
    """Items in several blocks, with and without their sizes, are one list."""
    payload = b"\x04\x02\x04" + b"\x01\x02\x06" + b"\x03\x04\x08\x0a" + b"\x00"
    part = part_of(Array(INT), payload)
    assert part.count() == 5
    assert [part.item(at) for at in (4, 0, 2, 1, 3)] == [5, 1, 3, 2, 4]
    assert part.hydrate() == [1, 2, 3, 4, 5]


def test_indexes_are_checked() -> None:
    """No index, of whatever size, leads out of a part, and none to what is not known yet."""
    part = part_of(Array(INT), b"\x04\x02\x04\x00")
    for index in (0, 1, 2, -1, 2**62):
        with pytest.raises(IndexError):
            part.item(index)
    assert part.count() == 2
    for index in (2, -1, 2**62):
        with pytest.raises(IndexError):
            part.item(index)
        with pytest.raises(IndexError):
            part.field(index)
    with pytest.raises(TypeError):
        part.value(0)
    with pytest.raises(TypeError):
        core.part_of_payload(program_of(INT), b"\x02").count()


def test_parts_need_their_program_and_bytes() -> None:
    """There is no part of nothing, which would read at no address."""
    part: Any = core.Part
    for arguments in ((), (None, b""), (program_of(INT), None), (program_of(INT), "")):
        with pytest.raises(TypeError):
            part(*arguments)
        with pytest.raises(TypeError):
            part.__new__(part, *arguments)


def test_a_part_keeps_its_payload() -> None:
    """A part is good for as long as it is there, though nobody else keeps blob or codec."""
    part = part_of(Array(TEXT), bytes(bytearray(b"\x02\x06abc\x00")))
    gc.collect()
    assert part.hydrate() == ["abc"]


@pytest.mark.parametrize(("format_", "payload"), [("avro", b"\x02"), ("protobuf", b"\x08\x02")])
def test_defaults_are_parts(format_: Format, payload: bytes) -> None:
    """A list, a map or a record that a field's default makes is viewed as any other."""
    row = RecordType("Row", (Field("n", INT, default=Default(1)), Field("t", Array(TEXT))))
    added = (
        Field("items", Array(TEXT), default=Default([])),
        Field("some", Array(TEXT), default=Default(["x"])),
        Field("by", Map(INT), default=Default({})),
        Field("row", Reference("Row"), default=Default({"n": 2, "t": ["y"]})),
    )
    first = RecordType("State", (Field("a", INT),))
    second = RecordType("State", (*added[:2], Field("a", INT), *added[2:]))
    versions = [
        Schema("state", version, "avro", "State", {"State": root, "Row": row})
        for version, root in ((1, first), (2, second))
    ]
    subject = Subject(number_fields(versions))
    codec = codec_of(subject, format_)
    blob = pack_binary(format_, 1, subject.fingerprint(1), payload)
    for _ in range(2):
        view: Any = codec.view(blob)
        names = ("items", "some", "by", "row", "a")
        shown = [type(view[name]).__name__ for name in names]
        assert shown == ["ListView", "ListView", "MapView", "RecordView", "int"]
        view.row.hydrate().t.append("z")
        assert rebuilt(view) == codec.decode(blob)
        assert codec.project(blob, "row.t[0]", "some", "a") == ("y", ["x"], 1)
        assert codec.project(blob, "some", "row") == (["x"], codec.decode(blob).row)


@pytest.mark.parametrize("format_", IN_PARTS)
def test_memory_of_a_look(format_: Format) -> None:
    """A look at three fields and the last message of 600 KB allocates less than 64 KB."""
    registry = Registry.open(ROOT / "schemas", ROOT / "migrations")
    codec = registry.codec("agent_state", format=format_)
    blob = codec.encode(agent_state(codec, "large"))
    assert len(blob) > 300_000
    codec.view(blob)
    tracemalloc.start()
    try:
        view = codec.view(blob)
        found = view.status, view.last_heartbeat, view.tokens_used, view.messages[-1].hydrate()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    state = codec.decode(blob)
    assert found == (
        state.status,
        state.last_heartbeat,
        state.tokens_used,
        state.messages[-1],  # type: ignore[attr-defined, unused-ignore]
    )
    assert peak < 64 * 1024


def test_the_first_view_of_a_writer_decodes_no_more() -> None:
    """Neither the first blob of a writer nor a compressed one is built for a look."""
    code = """
import sys, instar
from instar.codec import codec
codec.Codec._run = None
registry = instar.Registry.open(sys.argv[1], sys.argv[2])
reader = registry.codec("agent_state", version=1)
for blob in map(bytes.fromhex, sys.argv[3:]):
    print(reader.view(blob).name, reader.project(blob, "name"), reader.view(bytearray(blob)).name)
"""
    registry = Registry.open(ROOT / "schemas", ROOT / "migrations")
    olds = [registry.codec("agent_state", version=1, format=format_) for format_ in IN_PARTS]
    blobs = [old.encode(agent_state(old, "small")) for old in olds]
    name = olds[0].decode(blobs[0]).name  # type: ignore[attr-defined, unused-ignore]
    run = subprocess.run(
        [
            *(sys.executable, "-c", code, ROOT / "schemas", ROOT / "migrations"),
            *(blob.hex() for blob in blobs),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "INSTAR_ENGINE": "kernel"},
    )
    assert run.stdout.splitlines() == [f"{name} ('{name}',) {name}"] * 2, run.stderr


@pytest.mark.parametrize(
    ("format_", "payload"), [("avro", b"\x04\x02a\x7f"), ("protobuf", b"\x0a\x01a\x0a\x01\xff")]
)
def test_nothing_leaks(format_: Format, payload: bytes) -> None:
    """Views, good and refused, leave nothing behind: counts of blocks are stable."""
    codec = codec_of(subject_of(Array(TEXT)), format_)
    good = codec.encode(codec.type(f=["a", "b" * 50]))
    bad = pack_binary(format_, 1, codec.fingerprint, payload)

    def look() -> None:
        assert rebuilt(codec.view(good)) == codec.type(f=["a", "b" * 50])
        assert outcome(lambda: rebuilt(codec.view(bad))) is CorruptPayload
        assert codec.project(good, "f[-1]", "f") == ("b" * 50, ["a", "b" * 50])

    for _ in range(100):
        look()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(2000):
        look()
    gc.collect()
    assert sys.getallocatedblocks() - before < 200


def test_lengths_and_numbers_in_every_form() -> None:
    """What is passed over may be written longer than it need be, and as long as the value
    before it in its place or not.
    """
    sizes = {b"\x00": b"", b"\x80\x00": b"", b"\x80\x80\x00": b"", b"\x02": b"a", b"\x82\x00": b"b"}
    sizes |= {b"\x80\x01": b"c" * 64, b"\x84\x80\x00": b"de", b"\xfe\x01": b"f" * 127}
    texts = [size + text for size, text in sizes.items()]
    numbers = [
        b"\x02",
        b"\x82\x00",
        b"\x82\x80\x80\x80\x80\x80\x80\x80\x80\x00",
        b"\x82\x80\x80\x00",
    ]
    row = RecordType("Row", (Field("t", TEXT), Field("n", Primitive("long"))))
    program = program_of(Array(Reference("Row")), row)
    pairs = [(a, b) for a in texts for b in texts]
    chosen = [(text, numbers[at % 4]) for at, two in enumerate(pairs) for text in two]
    payload = b"\x80\x02" + b"".join(text + number for text, number in chosen) + b"\x00"
    items = core.part_of_payload(program, payload).field(0)
    state = core.decode_payload(program, payload)
    assert items.count() == len(chosen) == len(state.f) == 128
    assert [items.item(at).field(0) for at in range(128)] == [one.t for one in state.f]
    assert [items.item(at).field(1) for at in range(128)] == [1] * 128
