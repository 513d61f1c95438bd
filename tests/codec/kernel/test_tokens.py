"""Tokens in Protobuf: the kernel takes and writes what the library engine does, or nothing."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from mixed_fleet import fleet
from same import same

from instar import read_residue
from instar.codec.engines import missing_kernel
from instar.codec.library.format import Reading
from instar.codec.library.protobuf import ENGINE as LIBRARY
from instar.codec.limits import DEFAULT_LIMITS
from instar.errors import InstarError

pytestmark = pytest.mark.skipif(bool(missing_kernel()), reason=missing_kernel() or "")

STEP = {"key": "k", "note": "n", "cost": 3, "by": {"$type": "Human", "email": "e"}}
PLAIN: dict[str, Any] = {
    "title": "t",
    "first": "a",
    "last": "b c",
    "status": "STUCK",
    "budget": 7,
    "mood": None,
    "pick": None,
    "owner": None,
    "notes": {"n": STEP},
    "named": {},
    "steps": [STEP, STEP | {"cost": 0, "by": None}],
    "parts": ["x"],
    "goal": ["g"],
}
ROOM = 1 << 20


@cache
def readers() -> tuple[Any, Any, Any]:
    """The program of version 1, the library's decoder, and its encoder."""
    from instar.codec.kernel.protobuf_reading import compile_reading  # noqa: PLC0415

    types = fleet().subject("state").types(1)
    program = compile_reading(Reading(types, None, types), DEFAULT_LIMITS)
    library = LIBRARY.decoder(Reading(types, None, types, residue=True), DEFAULT_LIMITS)
    return program, library, LIBRARY.encoder(types, DEFAULT_LIMITS, leaves=True)


def decode(payload: bytes, room: int = ROOM) -> Any:
    """What the kernel makes of a payload."""
    from instar.codec.kernel import core  # noqa: PLC0415

    return core.decode_payload(readers()[0], payload, room)


@cache
def lowered() -> tuple[Any, bytes]:
    """A state of version 1 with tokens, and its payload by the library engine."""
    new, old = fleet().codec("state"), fleet().codec("state", version=1)
    state = old.decode(new.encode(new.from_builtins(PLAIN)))
    assert set(read_residue(state)) == {"", "steps[0]", "notes['n']"}
    return state, readers()[2](state)


def test_both_engines_write_the_same() -> None:
    """A token stands behind the fields of its message."""
    from instar.codec.kernel import core  # noqa: PLC0415
    from instar.codec.kernel.protobuf_writing import compile_writing  # noqa: PLC0415

    state, payload = lowered()
    program = compile_writing(fleet().subject("state").types(1), DEFAULT_LIMITS)
    encoder = core.Encoder(program, 1, 0, 0)
    assert encoder.payload(state, ROOM) == payload
    assert encoder.payload(state) is NotImplemented
    assert encoder.payload(state, 20) is NotImplemented


def test_tokens_are_read_where_they_may_be() -> None:
    """As many bytes of them as there is room for."""
    state, payload = lowered()
    found = decode(payload)
    assert same(found, state)
    assert read_residue(found) == read_residue(state)
    assert decode(payload, 0) is decode(payload, 20) is NotImplemented


def test_no_message_has_two() -> None:
    """Nor a field of another number or kind: that is left to the library."""
    state, payload = lowered()
    token = read_residue(state)[""]
    assert decode(payload + token) is NotImplemented
    assert decode(payload + bytes.fromhex("d0f9 0900")) is NotImplemented
    assert decode(payload[: -len(token)] + bytes.fromhex("9a7d 00")) is NotImplemented


def test_damaged_payloads() -> None:
    """What the kernel takes, the library takes, with the same in it."""
    _, payload = lowered()
    rng, taken = random.Random(5), 0  # noqa: S311 - only to damage payloads
    for _ in range(1500):
        damaged = bytearray(payload)
        for _ in range(rng.randint(1, 2)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        found = decode(bytes(damaged))
        if found is NotImplemented:
            continue
        taken += 1
        wanted = readers()[1](bytes(damaged))
        assert same(found, wanted)
        assert read_residue(found) == read_residue(wanted)
    assert taken > 100
    with pytest.raises(InstarError):
        readers()[1](payload[:-1])
    assert decode(payload[:-1]) is NotImplemented
