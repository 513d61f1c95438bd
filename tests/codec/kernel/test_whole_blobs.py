"""Whole blobs in one pass: by many threads, of many writers, of all classes of bytes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from view_walks import forced

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.codec import Codec
from instar.codec.kernel import core
from instar.codec.limits import Limits
from instar.codec.settings import Settings
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.errors import LimitExceeded
from instar.schemas.model import Default, Field, Optional, Primitive, Reference, Schema
from instar.schemas.model import Record as RecordType
from instar.schemas.numbering import number_fields

INT = Primitive("int")
VERSIONS = 40


@pytest.fixture(autouse=True)
def kernel() -> Iterator[None]:
    """The kernel, whatever the environment asks for."""
    with forced("kernel"):
        yield


@pytest.fixture(scope="module")
def blobs() -> tuple[Subject, list[bytes]]:
    """A subject of many versions, each with one field more, and a blob of each."""
    schemas: list[Schema] = []
    for version in range(1, VERSIONS + 1):
        added = tuple(Field(f"f{at}", INT, default=Default(at)) for at in range(version))
        types = {"State": RecordType("State", (Field("name", INT), *added))}
        schemas.append(Schema("state", version, "avro", "State", types))
    subject = Subject(number_fields(schemas))
    found: list[bytes] = []
    for version in subject.chain.versions:
        codec = Codec[Any](subject, Settings(version))
        made = codec.type(name=version, **{f"f{at}": -at for at in range(version)})
        found.append(codec.encode(made))
    return subject, found


def wanted(version: int) -> tuple[int, ...]:
    """The numbers of a state of a version, at the newest."""
    return (version, *(-at if at < version else at for at in range(VERSIONS)))


def numbers(state: Any) -> tuple[int, ...]:
    return tuple(getattr(state, name) for name in ("name", *(f"f{at}" for at in range(VERSIONS))))


def test_many_writers(blobs: tuple[Subject, list[bytes]]) -> None:
    """Blobs of many versions, one after the other and again, are each read as what they are."""
    subject, found = blobs
    codec = Codec[Any](subject, Settings(VERSIONS))
    for _ in range(2):
        for version, blob in reversed(list(enumerate(found, 1))):
            assert numbers(codec.decode(blob)) == wanted(version)
            assert codec.project(blob, "name", "f0") == (version, 0)


def test_threads(blobs: tuple[Subject, list[bytes]]) -> None:
    """Threads that meet writers for the first time while others decode read all of them right."""
    subject, found = blobs
    codec = Codec[Any](subject, Settings(VERSIONS))
    start, wrong = threading.Barrier(8), list[object]()

    def read(offset: int) -> None:
        start.wait()
        for at in range(3 * VERSIONS):
            version = (at * 7 + offset) % VERSIONS + 1
            state = codec.decode(found[version - 1])
            view = codec.view(found[version - 1])
            if numbers(state) != wanted(version) or view.name != version:
                wrong.append((version, state))

    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=read, args=(offset * 5,)) for offset in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(pause)
    assert wrong == []


@pytest.mark.parametrize("make", [bytearray, memoryview, type("Bytes", (bytes,), {})])
def test_other_classes_of_bytes(blobs: tuple[Subject, list[bytes]], make: Any) -> None:
    """A blob of another class of bytes is read the long way, to the same state."""
    subject, found = blobs
    codec = Codec[Any](subject, Settings(VERSIONS))
    for version in (1, VERSIONS):
        for _ in range(2):
            assert numbers(codec.decode(make(found[version - 1]))) == wanted(version)
            assert codec.view(make(found[version - 1])) == codec.decode(found[version - 1])


def test_strided_views_of_bytes(blobs: tuple[Subject, list[bytes]]) -> None:
    """A memoryview that is not in one piece is read as the bytes that it shows."""
    subject, found = blobs
    codec = Codec[Any](subject, Settings(VERSIONS))
    twice = bytes(byte for value in found[-1] for byte in (value, 0))
    assert codec.view(memoryview(twice)[::2]) == codec.decode(memoryview(twice)[::2])


def test_a_mark_belongs_to_its_program() -> None:
    """A decoder reads no blob whose version, fingerprint or format is not that of a program."""
    subject = Subject([Schema("s", 1, "avro", "R", {"R": RecordType("R", (Field("a", INT),))})])
    codec = Codec[Any](subject, Settings(1))
    blob = codec.encode(codec.type(a=3))
    decoder = core.Decoder(100)
    assert decoder.decode(blob) is NotImplemented
    assert decoder.part(blob, True) is NotImplemented
    program = codec._decoder(1, "avro", 1, "ours").program  # type: ignore[attr-defined]
    decoder.add(1, 2, codec.fingerprint, program)
    decoder.add(1, 1, codec.fingerprint ^ 1, program)
    assert decoder.decode(blob) is NotImplemented
    decoder.add(1, 1, codec.fingerprint, program)
    assert decoder.decode(blob) == codec.type(a=3)
    assert decoder.part(blob, True).values(("a",)) == (3,)
    assert decoder.part(blob, True).values(("b",)) is NotImplemented


def test_a_state_too_deep_for_the_stack_is_named_each_time() -> None:
    """A writer that is known already is read by the short way, which leaves the error too."""
    chain = Optional(Reference("R"))
    first = (Field("next", chain, number=1, default=Default(None)),)
    later = (*first, Field("n", INT, number=2, default=Default(0)))
    schemas = [
        Schema("s", version, "avro", "R", {"R": RecordType("R", fields)})
        for version, fields in ((1, first), (2, later))
    ]
    subject = Subject(schemas)
    codec = Codec[Any](subject, Settings(2, "msgpack", limits=Limits(depth=100_000)))

    def blob(depth: int) -> bytes:
        payload = b"\x81\xa4next" * depth + b"\xc0"
        return pack_binary("msgpack", 1, subject.fingerprint(1), payload)

    assert codec.decode(blob(3)).next.next.next is None
    for _ in range(2):
        with pytest.raises(LimitExceeded):
            codec.decode(blob(600))
