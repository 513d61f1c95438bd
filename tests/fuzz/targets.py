"""What is fuzzed: for one format, some readings, each with payloads to start from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from fuzz import zoo
from moving import WAYS, documents, moving
from part_walks import decode_in_parts
from same import same

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar import Registry
from instar.codec.kernel import core
from instar.codec.library.format import Reading
from instar.codec.limits import Limits
from instar.codec.subject import Subject
from instar.codec.tag import unpack
from instar.codec.types import SchemaTypes
from instar.errors import ComputeError, ValueMismatch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMITS = Limits(depth=20, zero_size_items=200)
"""Low, so that a limit is met by small payloads too."""


KEYED = ("json", "msgpack")
"""Formats whose payloads are mostly keys, and never looked at in parts."""


@dataclass(frozen=True, slots=True)
class Target:
    """One reading. ``decode`` is the kernel alone, ``library`` the library engine."""

    name: str
    decode: Callable[[bytes], Any]
    library: Callable[[bytes], Any]
    seeds: list[bytes]
    program: core.Program
    types: SchemaTypes

    def check(self, payload: bytes, found: Any) -> None:
        """Raise AssertionError where the kernel accepts what the library engine does not, or
        gives another value.
        """
        if found is NotImplemented:
            return
        try:
            wanted = self.library(payload)
        except (ValueMismatch, ComputeError) as error:
            raise AssertionError(f"{self.name} {payload.hex()}: {found!r} for {error}") from None
        # The text of a state shows classes, the sign of zero, scales, zones and order.
        if repr(found) == repr(wanted):
            return
        # Maps of Protobuf have no order, and upb gives them in one of its own.
        if not (self.name.startswith("protobuf") and same(found, wanted)):
            raise AssertionError(f"{self.name} {payload.hex()}: {found!r} for {wanted!r}")


def targets(format_: str) -> list[Target]:
    """The targets of a format, with the corpus that is kept for each."""
    return [
        *(
            target
            for subject in zoo.subjects()
            for target in _readings(format_, subject, ((1, 1), (1, 2)))
        ),
        *_readings(format_, _reference("agent_state"), ((3, 3), (1, 2))),
        *_readings(format_, _reference("agent_command"), ((1, 1),)),
        *_readings(format_, moving().subject("state"), WAYS),
    ]


def part_targets(format_: str) -> list[Target]:
    """The same readings, with a decode that looks at all parts of a payload. What is made of
    more than fields has none.
    """
    found: list[Target] = []
    for target in targets(format_):
        if core.part_of_payload(target.program, b"") is not NotImplemented:
            decode = partial(decode_in_parts, target.program, target.types)
            found.append(replace(target, decode=decode))
    return found


def writers(format_: str) -> list[tuple[SchemaTypes, core.Program]]:
    """The types of the zoos, each with the program that writes them."""
    kernel = import_module(f"instar.codec.kernel.{format_}").ENGINE
    found = [subject.types(1) for subject in zoo.subjects()]
    return [(types, kernel.compile_writing(types, LIMITS)) for types in found]


def corpus_file(name: str) -> Path:
    """Where the payloads of a target are kept, each as a line of hex digits."""
    return HERE / "corpus" / f"{name}.hex"


def _reference(name: str) -> Subject:
    return Registry.open(ROOT / "schemas", ROOT / "migrations").subject(name)


def _readings(format_: str, subject: Subject, pairs: Sequence[tuple[int, int]]) -> Iterator[Target]:
    kernel = import_module(f"instar.codec.kernel.{format_}").ENGINE
    library = import_module(f"instar.codec.library.{format_}").ENGINE
    for writer, reader in pairs:
        name = f"{format_}-{subject.name}-{writer}-{reader}"
        first = None if writer == reader else subject.plan(writer, reader).segments[0]
        types = subject.types(writer)
        reading = Reading(types, None, types)
        if first is not None:
            reading = Reading(types, first.graph, subject.types(first.target), subject.types)
        program = kernel.compile_reading(reading, LIMITS)
        encode = library.encoder(subject.types(writer), LIMITS)
        yield Target(
            name,
            partial(core.decode_payload, program),
            library.decoder(reading, LIMITS),
            [*_made(subject, writer, format_, encode), *_kept(name)],
            program,
            reading.reader,
        )


def _made(
    subject: Subject, writer: int, format_: str, encode: Callable[[Any], bytes]
) -> list[bytes]:
    if subject.name.startswith("zoo"):
        return [encode(state) for state in zoo.states(subject.types(writer))]
    if subject.name == "state":
        make = moving().codec("state", version=writer).from_builtins
        return [encode(make(document)) for document in documents(writer)]
    blob = ROOT / "tests" / "golden" / "blobs" / f"{subject.name}_v{writer}.{format_}"
    payload = unpack(blob.read_bytes(), LIMITS)[1]
    assert isinstance(payload, bytes)
    return [payload]


def _kept(name: str) -> list[bytes]:
    path = corpus_file(name)
    return [bytes.fromhex(line) for line in path.read_text().split()] if path.exists() else []
