"""Parts of Protobuf payloads in the kernel: what is found, and what is refused."""

from __future__ import annotations

import math
import random
from importlib import import_module
from typing import Any

import pytest
from codec.formats.test_protobuf_wire import SCHEMAS
from codec.kernel.protobuf_pairs import Pair
from examples import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from part_walks import decode_in_parts, holds_refusal, walk
from protobuf_rearranged import shuffled
from same import same
from schema_strategies import schemas
from view_walks import subject_of

from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.kernel import core
from instar.codec.library.format import Reading
from instar.codec.library.protobuf_wire import ProtobufWire
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.subject import Subject
from instar.schemas.model import (
    Array,
    Field,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
)
from instar.schemas.numbering import number_fields

INT, TEXT = Primitive("int"), Primitive("string")
ROW = Record("Row", (Field("n", INT), Field("t", TEXT)))
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


def root_of(kind: Type, payload: bytes, *named: NamedType) -> Any:
    """The part of a root with one field, ``f``, whose number is 1."""
    return core.part_of_payload(Pair(subject_of(kind, *named)).program, payload)


@settings(max_examples=examples(12), suppress_health_check=SLOW)
@given(schema=schemas(), data=st.data(), chance=st.randoms(use_true_random=False))
def test_pieces_of_any_state(schema: Schema, data: st.DataObject, chance: random.Random) -> None:
    """All parts of what our encoder writes are found, also where the fields are shuffled."""
    assume(heights(schema)[schema.root] < math.inf)
    pair = Pair(Subject(number_fields([schema])))
    payload = pair.written_by_library(data.draw(states(pair.types)))
    descriptor = ProtobufWire(pair.types.schema).root.DESCRIPTOR
    for found in (payload, shuffled(descriptor, payload, chance)):
        whole = decode_in_parts(pair.program, pair.types, found)
        assert same(whole, pair.read_by_library(found))


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=examples(15), suppress_health_check=SLOW)
@given(data=st.data())
def test_pieces_of_what_protoc_has_alone(
    protos: dict[str, Pair], name: str, data: st.DataObject
) -> None:
    """Groups, oneofs, expanded lists, wrappers and required fields are looked at in parts."""
    pair = protos[name]
    payload = pair.written_by_library(data.draw(states(pair.types)))
    whole = decode_in_parts(pair.program, pair.types, payload)
    assert same(whole, pair.read_by_library(payload))


LEAF = b"\x0a\x02\x08\x02"
"""A row whose number is 1, as an item of a list under the number 1."""

LISTS = {
    "nothing": (b"", []),
    "in a row": (LEAF + b"\x0a\x00" + LEAF, [1, 0, 1]),
    "with another field between": (LEAF + b"\x10\x06" + LEAF + b"\x0a\x00", [1, 1, 0]),
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_items_are_found_in_any_order(name: str, order: tuple[int, ...]) -> None:
    """Items stand behind a tag each, and other fields may stand between them."""
    payload, wanted = LISTS[name]
    fields = (Field("f", Array(Reference("Row"))), Field("g", INT))
    schema = Schema("state", 1, "avro", "S", {"S": Record("S", fields), "Row": ROW})
    pair = Pair(Subject(number_fields([schema])))
    items = core.part_of_payload(pair.program, payload).field(0)
    assert (items.kind, items.count()) == ("list", len(wanted))
    indexes = [index for index in order if index < len(wanted)]
    assert [items.item(index).field(0) for index in indexes] == [wanted[at] for at in indexes]
    assert [row.n for row in items.hydrate()] == wanted


def test_packed_numbers() -> None:
    """Numbers behind one tag have a count and indexes as other items have."""
    items = root_of(Array(INT), b"\x0a\x04\x02\x80\x02\x05").field(0)
    assert items.count() == 3
    assert [items.item(index) for index in (2, 0, 1)] == [-3, 1, 128]
    assert items.hydrate() == [1, 128, -3]
    floats = root_of(Array(Primitive("float")), b"\x0a\x04\x00\x00\x80\x3f").field(0)
    assert (floats.count(), floats.item(0), floats.hydrate()) == (1, 1.0, [1.0])


def test_entries() -> None:
    """A map has its keys in the order of the bytes, and its values are touched one by one."""
    entries = root_of(Map(TEXT), b"\x0a\x06\x0a\x01b\x12\x01x\x0a\x06\x0a\x01a\x12\x01y").field(0)
    assert entries.kind == "map"
    assert list(entries.keys().items()) == [("b", 0), ("a", 1)]
    assert (entries.value(1), entries.value(0)) == ("y", "x")
    assert entries.hydrate() == {"b": "x", "a": "y"}
    assert root_of(Map(TEXT), b"").field(0).keys() == {}


# Each is refused by a whole decode too: the kernel leaves to the library engine what to say.
REFUSED = {
    "a field twice": (INT, b"\x08\x02\x08\x04"),
    "an unknown field": (INT, b"\x08\x02\x18\x04"),
    "another wire type": (INT, b"\x0a\x01\x02"),
    "a zero": (INT, b"\x08\x00"),
    "an empty text": (TEXT, b"\x0a\x00"),
    "text that is none": (TEXT, b"\x0a\x01\xff"),
    "the number of no field": (INT, b"\x00\x02"),
    "a wire type that is none": (INT, b"\x0e"),
    "the end of a group": (INT, b"\x0c"),
    "a group without an end": (INT, b"\x0b\x08\x02"),
    "a length beyond the end": (TEXT, b"\x0a\x05abc"),
    "the largest length": (TEXT, b"\x0a" + b"\xff" * 9 + b"\x01abc"),
    "a tag that ends": (TEXT, b"\x8a"),
    "an overlong length": (TEXT, b"\x0a\x81\x00a"),
    "packed numbers twice": (Array(INT), b"\x0a\x01\x02\x0a\x01\x02"),
    "no packed numbers": (Array(INT), b"\x0a\x00"),
    "half a packed number": (Array(INT), b"\x0a\x02\x02\x80"),
    "half a packed float": (Array(Primitive("float")), b"\x0a\x05\x00\x00\x00\x00\x00"),
    "an item in the wrong packing": (Array(INT), b"\x08\x02"),
    "an entry without a key": (Map(TEXT), b"\x0a\x03\x12\x01x"),
    "an entry without a value": (Map(TEXT), b"\x0a\x03\x0a\x01b"),
    "an entry with more": (Map(TEXT), b"\x0a\x08\x0a\x01b\x12\x01x\x18\x01"),
    "a key twice": (Map(TEXT), b"\x0a\x06\x0a\x01b\x12\x01x" * 2),
    "a message in two pieces": (Optional(Array(INT)), b"\x0a\x03\x0a\x01\x02" * 2),
    "a list in the wrong message": (Optional(Array(INT)), b"\x0a\x02\x10\x02"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_decode_refuses_is_refused_where_it_is_touched(name: str) -> None:
    """Each time that it is touched, and by a projection as well as by a look."""
    kind, payload = REFUSED[name]
    program = Pair(subject_of(kind)).program
    assert core.decode_payload(program, payload) is NotImplemented
    part = core.part_of_payload(program, payload)
    for _ in range(3):
        assert holds_refusal(walk(part))
        assert part.values(("f",)) is NotImplemented
        assert part.hydrate() is NotImplemented


def test_a_field_beside_a_refused_one_is_there() -> None:
    """What is in a field is not looked at before it is touched."""
    fields = (Field("a", TEXT), Field("b", Reference("Row")), Field("c", INT))
    schema = Schema("state", 1, "avro", "S", {"S": Record("S", fields), "Row": ROW})
    part = core.part_of_payload(
        Pair(Subject(number_fields([schema]))).program, b"\x0a\x01\xff\x12\x01\xff\x18\x08"
    )
    assert part.values(("c",)) == (4,)
    assert (part.field(0), part.field(1).field(0), part.field(2)) == (*[NotImplemented] * 2, 4)
    assert part.values(("a",)) is part.values(("b",)) is part.values(("d",)) is NotImplemented


def test_parts_nest_no_deeper_than_a_decode() -> None:
    """At the limit of depth a part is refused, as the whole is."""
    node = Record("Node", (Field("next", Optional(Reference("Node"))),))
    pair = Pair(subject_of(Optional(Reference("Node")), node))
    payload = b""
    for depth in range(1, 105):
        size = len(payload)
        length = bytes([size]) if size < 128 else bytes([size & 0x7F | 0x80, size >> 7])
        payload = b"\x0a" + length + payload
        refused = core.decode_payload(pair.program, payload) is NotImplemented
        assert refused is (depth > 100)
        assert holds_refusal(walk(core.part_of_payload(pair.program, payload))) is refused, depth


def test_indexes_are_checked() -> None:
    """No index, of whatever size, leads out of a part."""
    row = root_of(Reference("Row"), b"\x0a\x02\x08\x02", ROW).field(0)
    items = root_of(Array(TEXT), b"\x0a\x00\x0a\x00").field(0)
    numbers = root_of(Array(INT), b"\x0a\x02\x02\x02").field(0)
    entries = root_of(Map(INT), b"\x0a\x05\x0a\x01a\x10\x02").field(0)
    assert (items.count(), numbers.count(), entries.count()) == (2, 2, 1)
    looks = (row.field, items.item, numbers.item, entries.value)
    for look in looks:
        for index in (-1, 2, 2**40, -(2**40)):
            with pytest.raises(IndexError):
                look(index)
    for look in (items.keys, entries.item, items.value, numbers.value):
        with pytest.raises(TypeError):
            look(*([] if look == items.keys else [0]))
    with pytest.raises(IndexError):
        # Not known before they were counted.
        root_of(Array(INT), b"\x0a\x02\x02\x02").field(0).item(0)


def test_parts_need_a_payload() -> None:
    """No class of parts can be called to make one that stands nowhere."""
    root = root_of(Array(TEXT), b"\x0a\x00")
    mine = type("Mine", (core.Part,), {})
    classes: list[Any] = [core.Part, type(root), type(root.field(0)), mine]
    for cls in classes:
        for arguments in ((), (None, b""), (None, 0), (root, 1), (root, -1), (root, b"")):
            with pytest.raises((TypeError, IndexError)):
                cls(*arguments)
            with pytest.raises((TypeError, IndexError)):
                cls.__new__(cls, *arguments)


@pytest.mark.parametrize("format_", ["avro", "protobuf"])
def test_what_the_reader_has_no_place_for_is_no_part(format_: str) -> None:
    """A field of the writer alone is not looked at: there is no class to make of it."""
    fields = (Field("old", Reference("Row")), Field("kept", INT))
    kept = Record("S", fields[1:])
    subject = Subject(
        number_fields(
            [
                Schema("state", 1, "avro", "S", {"S": Record("S", fields), "Row": ROW}),
                Schema("state", 2, "avro", "S", {"S": kept}),
            ]
        )
    )
    plan, types = subject.plan(1, 2), subject.types(1)
    reading = Reading(types, plan.segments[0].graph, subject.types(2))
    engine = import_module(f"instar.codec.kernel.{format_}").ENGINE
    program = engine.compile_reading(reading, DEFAULT_LIMITS)
    payload = {"avro": b"\x02\x02a\x04", "protobuf": b"\x0a\x02\x08\x02\x10\x04"}[format_]
    part = core.part_of_payload(program, payload)
    assert part.names.keys() == {"kept"}
    assert part.field(part.names["kept"]) == part.hydrate().kept == 2
    with pytest.raises(IndexError):
        part.field(1 - part.names["kept"])


def test_a_oneof_is_the_field_that_is_there(protos: dict[str, Pair]) -> None:
    """An attribute is looked for under each of its tags; two of them are refused."""
    pair = protos["edition"]
    group, enum = b"\x73\x08\x05\x74", b"\x80\x01\x01"

    def choice(payload: bytes) -> Any:
        whole = core.decode_payload(pair.program, b"\x1a\x00" + payload)
        part = core.part_of_payload(pair.program, b"\x1a\x00" + payload)
        found = part.field(part.names["choice"])
        if whole is NotImplemented:
            assert part.values(("choice",)) is NotImplemented
        else:
            assert part.values(("choice",)) == (whole.choice,)
        return found

    assert choice(b"") is None
    assert choice(group).field(0) == 5
    assert choice(enum).value == "ONE"
    for two in (group + enum, enum + group, group + group):
        assert choice(two) is NotImplemented
