"""What no encoder of ours writes is left to the library engine, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest
from codec.kernel.protobuf_pairs import REFUSED, Pair
from same import same

from instar.codec.subject import Subject
from instar.schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Union,
)

INT, LONG, TEXT = Primitive("int"), Primitive("long"), Primitive("string")
FIELDS = (
    Field("number", INT, 1),
    Field("text", TEXT, 2),
    Field("maybe", Optional(INT), 3),
    Field("many", Array(INT), 4),
    Field("words", Array(TEXT), 5),
    Field("counts", Map(LONG), 6),
    Field("part", Optional(Reference("Part")), 7),
    Field("choice", Optional(Union((Branch("string", TEXT), Branch("long", LONG)))), 8),
    Field("flag", Primitive("boolean"), 9),
    Field("tone", Reference("Tone"), 10),
    Field("single", Primitive("float"), 11),
    Field("double", Primitive("double"), 12),
    Field("nothing", Primitive("null"), 13),
    Field("id", Optional(Logical("uuid", TEXT)), 14),
)
TYPES = {
    "State": Record("State", FIELDS),
    "Part": Record("Part", (Field("a", INT, 1), Field("b", INT, 2))),
    "Tone": Enum("Tone", (Symbol("LOW", 0), Symbol("HIGH", 1))),
}
REFUSALS = {
    "an unknown field": "7801",
    "a known number of another wire type": "0d01000000",
    "the number 0": "0001",
    "a field twice": "08020804",
    "a field twice, not in a row": "080212016108 04",
    "a zero that is left out": "0800",
    "a false that is left out": "4800",
    "an empty text that is left out": "1200",
    "a float of zero that is left out": "5d00000000",
    "a double of zero that is left out": "610000000000000000",
    "a number longer than it need be": "088200",
    "a tag longer than it need be": "880002",
    "a length longer than it need be": "12810061",
    "a number beyond 32 bits": "088080808010",
    "a number beyond 64 bits": "3206 0a0161 1080 80".replace(" ", ""),
    "a list that is there and empty": "2200",
    "a list in two blocks": "2201022201 04".replace(" ", ""),
    "an entry without a value": "32030a0161",
    "an entry without a key": "32021002",
    "an entry with more than both": "32070a016110021002",
    "a key twice": "32050a0161100232050a01611004",
    "a message twice": "3a0208023a021002",
    "a union without a branch": "4200",
    "a union with two branches": "42050a01611002",
    "a union with one branch twice": "42041002 1004".replace(" ", ""),
    "a symbol that nobody knows": "5007",
    "a null that is true": "6801",
    "text that is no UTF-8": "1201ff",
    "text with a surrogate": "1203eda080",
    "an id that is none": "72026162",
    "a length beyond the end": "120561",
    "half a number": "0880",
    "half a double": "610000000001",
    "a group that was not declared": "3b3c",
    "the end of a group that did not begin": "3c",
}


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(Subject([Schema("state", 1, "avro", "State", TYPES)]))


@pytest.mark.parametrize("rule", REFUSALS)
def test_a_payload_that_breaks_a_rule_is_refused_by_both(pair: Pair, rule: str) -> None:
    """The kernel alone refuses it, and so does the library, which says what is wrong."""
    payload = bytes.fromhex(REFUSALS[rule])
    assert pair.read_by_kernel(payload) == REFUSED
    assert pair.read_by_library(payload) == REFUSED


LEFT = {
    "the items of a packed list one by one": "20022004",
    "an entry whose value comes first": "320510020a0161",
    "a boolean of 2": "4802",
    "a short entry that makes up for a long number": "32030a0161 18818000",
}


@pytest.mark.parametrize("rule", LEFT)
def test_a_payload_that_only_the_library_takes(pair: Pair, rule: str) -> None:
    """What has the right size and is still not ours is read by the library alone."""
    payload = bytes.fromhex(LEFT[rule])
    assert pair.read_by_kernel(payload) == REFUSED
    assert pair.read_by_library(payload) != REFUSED


TAKEN = {
    "nothing at all": "",
    "the fields in another order": "120161 0802",
    "a list with other fields between its items": "2a0161 0802 2a0162",
    "entries with other fields between them": "32050a01611002 0802 32050a01621002",
    "a number of ten bytes that is not left out": "1801",
    "an optional of zero": "1800",
    "an entry of zeros": "32040a001000",
    "a negative zero": "610000000000000080",
    "a message without fields": "3a00",
    "a branch of zero": "42021000",
}


@pytest.mark.parametrize("form", TAKEN)
def test_a_payload_that_breaks_none_is_taken(pair: Pair, form: str) -> None:
    """Neither order nor gaps are a reason to refuse."""
    payload = bytes.fromhex(TAKEN[form])
    found = pair.read_by_kernel(payload)
    assert found != REFUSED
    assert same(found, pair.read_by_library(payload))


def test_every_start_of_a_payload_is_read_as_the_library_does(pair: Pair) -> None:
    """Wherever a payload is cut, both refuse it or both read the same."""
    cls: Any = pair.types.record("State")
    part: Any = pair.types.record("Part")
    state = cls(
        number=-5, text="é" * 100, maybe=0, many=[1, -(2**31)], words=["", "b"],
        counts={"a": 2**62, "": 0}, part=part(a=300, b=0), choice=2**40, flag=True,
        tone=pair.types.enum("Tone")("HIGH"), single=0.5, double=-0.0, nothing=None, id=None,
    )  # fmt: skip
    whole = pair.written_by_library(state)
    assert same(pair.read_by_kernel(whole), state)
    for stop in range(len(whole)):
        cut = whole[:stop]
        assert same(pair.read_by_kernel(cut), pair.read_by_library(cut)), cut.hex()
