"""Every op is run by the kernel in its one pass, to what the library engine gives."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from examples import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from moving import WAYS, documents, moving
from op_lines import op_lines
from same import same

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from kernel_hooks import functions_called

from instar.codec.compatibility.values import states
from instar.codec.kernel import core
from instar.codec.kernel.avro import ENGINE as AVRO
from instar.codec.kernel.json import ENGINE as JSON
from instar.codec.kernel.msgpack import ENGINE as MSGPACK
from instar.codec.kernel.protobuf import ENGINE as PROTOBUF
from instar.codec.library.format import Decode, Encode, Reading
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.subject import Subject
from instar.codec.tag.header import Format
from instar.errors import InstarError

KERNELS = {"avro": AVRO, "protobuf": PROTOBUF, "json": JSON, "msgpack": MSGPACK}


@dataclass(frozen=True)
class Engines:
    """The kernel alone, and the library engine, for states of one version read as another."""

    program: core.Program
    read: Decode
    write: Encode

    def wanted(self, payload: bytes) -> Any:
        """What the library engine gives, or ``NotImplemented`` where it refuses."""
        try:
            return self.read(payload)
        except InstarError:
            return NotImplemented

    def check(self, payload: bytes) -> bool:
        """Whether the kernel takes a payload; it must then be what the library engine takes."""
        found = core.decode_payload(self.program, payload)
        if found is NotImplemented:
            return False
        wanted = self.wanted(payload)
        assert same(found, wanted), (payload, found, wanted)
        return True


def engines(subject: Subject, writer: int, reader: int, format_: str) -> Engines:
    """Both for the first pass of the plan."""
    segments = subject.plan(writer, reader).segments
    types = subject.types(writer)
    target = subject.types(segments[0].target)
    reading = Reading(types, segments[0].graph, target, subject.types)
    kernel = KERNELS[format_]
    return Engines(
        kernel.compile_reading(reading, DEFAULT_LIMITS),
        kernel.library.decoder(reading, DEFAULT_LIMITS),
        kernel.library.encoder(types, DEFAULT_LIMITS),
    )


def damaged(payload: bytes, count: int) -> Iterator[bytes]:
    """The payload cut at each byte, and with so many of its bits turned."""
    chance = random.Random(3)  # noqa: S311 - no secret
    for end in range(len(payload)):
        yield payload[:end]
    for _ in range(count):
        at = chance.randrange(len(payload))
        yield payload[:at] + bytes([payload[at] ^ 1 << chance.randrange(8)]) + payload[at + 1 :]


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("format_", KERNELS)
def test_a_damaged_payload_is_read_alike_or_refused(format_: str, way: tuple[int, int]) -> None:
    """Whole payloads are taken by the kernel; of cut and changed ones it may take some."""
    both = engines(moving().subject("state"), *way, format_)
    make = moving().codec("state", version=way[0]).from_builtins
    taken = 0
    for document in documents(way[0]):
        payload = both.write(make(document))
        assert both.check(payload)
        taken += sum(map(both.check, damaged(payload, 300)))
    assert taken > 10


@pytest.mark.parametrize("format_", KERNELS)
@settings(max_examples=examples(25))
@given(opened=op_lines(), data=st.data())
def test_random_ops_are_read_alike(format_: str, opened: Any, data: st.DataObject) -> None:
    """The kernel takes whatever the library engine takes, of random ops and states."""
    subject = opened.subject("state")
    way = data.draw(st.permutations([1, subject.latest]))
    assume(way[0] != way[1])
    both = engines(subject, way[0], way[1], format_)
    payload = both.write(data.draw(states(subject.types(way[0]))))
    assert both.check(payload) == (both.wanted(payload) is not NotImplemented)
    for changed in damaged(payload, 20):
        both.check(changed)


@pytest.mark.parametrize("format_", KERNELS)
def test_no_other_function_is_called(format_: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions of every op cost the functions of the migrations, and a rule for a text."""
    monkeypatch.setenv("INSTAR_ENGINE", "kernel")
    old, new = moving().codec("state", format=format_, version=1), moving().codec("state")
    blob = old.encode(old.from_builtins(documents(1)[0]))
    new.decode(blob)
    found = functions_called(lambda: new.decode(blob))
    assert found[:2] == ["decode", "_parts"]
    assert found[-2:] == ["_whole", "_extent"]
    assert {"load", "array", "deepcopy", "maybe", "mapping", "_string"}.isdisjoint(found)
