"""What is fuzzed of residue: tokens that are judged and restored, and sections."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
import pytest
from evolve import enum, field, optional, record, registry
from mixed_fleet import array, mapping
from same import same

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar import Registry, read_residue, strip_residue
from instar.codec.engines import forced_engine
from instar.codec.kernel import core
from instar.codec.kernel.format import DEEPEST
from instar.codec.library.residue_section import Entries, attach
from instar.codec.library.unknown import bytes_field
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.newer.checks import Checks
from instar.codec.newer.crossing import Crossing
from instar.codec.newer.prune import prune
from instar.codec.newer.token import NUMBER, kept_in, split_residue
from instar.codec.record import Record, set_residue
from instar.codec.residue import checked_carriers
from instar.errors import ValueMismatch
from instar.migrations import convert

_ENTRIES = msgspec.msgpack.Decoder(Entries)
_STEP = [field("key", "string"), field("state", enum("Mode", "ON", "OFF", default="ON"))]
_STAMP = {"type": "long", "logicalType": "timestamp-micros"}
_MORE = [
    field("text", "string", default=""),
    field("count", "int", default=0),
    field("large", "long", default=0),
    field("is_on", "boolean", default=False),
    field("share", "double", default=0.5),
    field("maybe", optional("string"), default=None),
    field("number", optional("long"), default=None),
    field("at", optional(_STAMP), default=None),
    field("words", array("string"), default=[]),
]
_OLD = [
    field("title", "string"),
    field("level", "string"),
    field("steps", array(record("Step", *_STEP))),
    field("named", mapping("Step")),
    field("first", optional("Step")),
]
_WIDER = field("state", enum("Mode", "ON", "OFF", "STUCK", default="ON"))
_NEW = [
    *_OLD[:2],
    field("steps", array(record("Step", _STEP[0], _WIDER, *_MORE))),
    *_OLD[3:],
    *_MORE,
]
_FILLED: dict[str, Any] = {
    "text": "é",
    "count": -7,
    "large": 2**40,
    "is_on": True,
    "share": 1.5,
    "maybe": "so",
    "number": -(2**63),
    "at": "2024-05-06T07:08:09.000001Z",
    "words": ["a"],
}
_EMPTY: dict[str, Any] = {
    "text": "x",
    "count": 2**31 - 1,
    "large": -1,
    "is_on": False,
    "share": 0.5,
    "maybe": None,
    "number": 300,
    "at": None,
    "words": [],
}


def _step(key: str, state: str, more: dict[str, Any]) -> dict[str, Any]:
    return {"key": key, "state": state, **more}


NEWER: Any = {
    "title": "t",
    "level": "mid",
    "steps": [_step("a", "STUCK", _EMPTY), _step("b", "ON", _FILLED)],
    "named": {"n": _step("c", "STUCK", _FILLED)},
    "first": _step("d", "ON", _FILLED),
    **_FILLED,
}
"""A state of the newer version, of which every record keeps something in the older."""


@cache
def grown() -> Registry:
    """Versions of which the newer has more of all that is read in a token."""
    levels = convert("level", {"mid": "low"})
    return registry([_OLD, _NEW], [levels])


@dataclass(frozen=True, slots=True)
class ResidueTarget:
    """``decode`` is the kernel alone, and ``check`` compares with Python."""

    name: str
    decode: Callable[[bytes], Any]
    check: Callable[[bytes, Any], None]
    seeds: list[bytes]


@cache
def crossing() -> Crossing:
    """The way between both versions."""
    return Crossing(grown().subject("state"), 1, 2, DEFAULT_LIMITS)


def general() -> Crossing:
    """The same without the short way."""
    made = Crossing(grown().subject("state"), 1, 2, DEFAULT_LIMITS)
    vars(made)["parallel"] = None
    return made


def lowered() -> Any:
    """An older state with residue in every record."""
    return crossing().lower(grown().codec("state").from_builtins(NEWER))


def tokens() -> list[bytes]:
    """The tokens in it."""
    return [split_residue(residue)[1] for *_, residue in checked_carriers(lowered())]


def residue_targets() -> list[ResidueTarget]:
    """All of them."""
    return [_raising(), _holding(), _attaching()]


def _give(state: Any, token: bytes) -> None:
    """Give the token to the records that it says it is of, in the place of all residue."""
    strip_residue(state)
    for each in state.steps if b"Step" in token else (state,):
        set_residue(each, bytes_field(NUMBER, token))


def _raising() -> ResidueTarget:
    state, other, parallel = lowered(), general(), crossing().parallel
    assert parallel is not None

    def decode(token: bytes) -> Any:
        _give(state, token)
        return parallel.raise_at_once(state)

    def check(token: bytes, found: Any) -> None:
        if found is NotImplemented:
            return
        try:
            wanted = other.raise_(state, kept_in(state))
        except ValueMismatch as error:
            raise AssertionError(f"{token.hex()}: {found!r} for {error}") from None
        assert same(found, wanted), f"{token.hex()}: {found!r} for {wanted!r}"
        assert read_residue(found) == read_residue(wanted), token.hex()

    return ResidueTarget("residue-raise", decode, check, tokens())


def _holding() -> ResidueTarget:
    state, checks = lowered(), Checks(grown().subject("state").types(1))

    def decode(token: bytes) -> Any:
        _give(state, token)
        return NotImplemented if checks.holding.doubtful(state, DEEPEST) else True

    def check(token: bytes, found: Any) -> None:
        if found is NotImplemented:
            return
        with forced_engine("library"):
            assert not prune(deepcopy(state), checks), token.hex()

    return ResidueTarget("residue-hold", decode, check, tokens())


def _attaching() -> ResidueTarget:
    plain = deepcopy(lowered())
    seed = msgspec.msgpack.encode([(way, residue) for way, _, residue in checked_carriers(plain)])

    def decode(section: bytes) -> Any:
        state = deepcopy(plain)
        size = core.attach_section(state, section, Record)
        return NotImplemented if size is None else (size, read_residue(state))

    def check(section: bytes, found: Any) -> None:
        if found is NotImplemented:
            return
        state, entries = deepcopy(plain), _ENTRIES.decode(section)
        with forced_engine("library"):
            attach(state, entries)
        size = sum(len(residue) for _, residue in entries)
        assert found == (size, read_residue(state)), section.hex()

    return ResidueTarget("residue-attach", decode, check, [seed])
