"""What is fuzzed of ways between versions: payloads that have indexes of values beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from fuzz import zoo
from fuzz.targets import LIMITS
from moving import documents, moving
from same import same

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.kernel import avro_reading, avro_writing, core
from instar.codec.library.format import Reading
from instar.codec.subject import Subject


@dataclass(frozen=True, slots=True)
class CarriedTarget:
    """One way. ``decode`` is the kernel alone, with values of one state for all payloads."""

    name: str
    decode: Callable[[bytes], Any]
    check: Callable[[bytes, Any], None]
    seeds: list[bytes]


def carried_targets() -> list[CarriedTarget]:
    """Each subject of the zoo to itself and to its second version, and every op."""
    found = [
        _target(subject, target, zoo.states(subject.types(1)))
        for subject in zoo.subjects()
        for target in (1, 2)
    ]
    make = moving().codec("state", version=1).from_builtins
    return [*found, _target(moving().subject("state"), 2, [make(each) for each in documents(1)])]


def _target(subject: Subject, target: int, states: list[Any]) -> CarriedTarget:
    types, graph = subject.types(1), None
    if target != 1:
        graph = subject.plan(1, target).segments[0].graph
    reading = Reading(types, graph, subject.types(target), subject.types)
    reader = avro_reading.compile_carried(reading, LIMITS)
    write = core.Encoder(avro_writing.compile_carried(types, LIMITS), 1, 0, 0).payload
    carried: list[Any] = []
    # The indexes go on from state to state.
    found = [write(state, 0, carried) for state in states]
    seeds = [payload for payload in found if payload is not NotImplemented]

    def decode(payload: bytes) -> Any:
        return core.decode_payload(reader, payload, 0, carried)

    def check(payload: bytes, found: Any) -> None:
        """What is written again reads as the same, if it was of this version to begin with. A
        payload that was changed may have a value of one type in the place of another.
        """
        if found is NotImplemented or target != 1:
            return
        beside: list[Any] = []
        written = write(found, 0, beside)
        if written is not NotImplemented:
            again = core.decode_payload(reader, written, 0, beside)
            assert same(again, found), payload.hex()

    return CarriedTarget(f"carried-{subject.name}-1-{target}", decode, check, seeds)
