"""Old blobs in JSON and MessagePack: the kernel reads them alone, as the library engine does."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import pytest
from evolutions import lines
from examples import examples
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from kernel_pair import Refused, alike
from msgspec.structs import replace

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from codec.kernel.keyed_pair import KeyedPair
from codec.kernel.test_avro_differential import damaged
from fuzz.mutate import flipped, mutated

from instar import Codec
from instar.codec.codec import Settings
from instar.codec.compatibility.values import states
from instar.codec.engines import forced_engine
from instar.codec.library.format import Reading
from instar.codec.limits import DEFAULT_LIMITS, Limits
from instar.codec.subject import Subject
from instar.errors import MigrationMismatch
from instar.migrations.conversion import Graph, Take
from instar.migrations.derive import identity
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

Name: TypeAlias = Literal["json", "msgpack"]
FORMATS: tuple[Name, ...] = ("json", "msgpack")
INT, LONG, TEXT, BYTES, DOUBLE = map(Primitive, ("int", "long", "string", "bytes", "double"))
SLOW = settings(
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def pair_of(
    subject: Subject, writer: int, reader: int, format_: Name, limits: Limits = DEFAULT_LIMITS
) -> KeyedPair:
    """Both engines for blobs of ``writer`` read as ``reader``."""
    graph = subject.plan(writer, reader).segments[0].graph
    types = subject.types(writer)
    reading = Reading(types, graph, subject.types(reader), subject.types)
    return KeyedPair(format_, types, limits, reading)


def has_no_plain_form(payload: bytes) -> bool:
    """Whether JSON spells a number as text, which the kernel leaves to Python."""
    return b'"NaN"' in payload or b'Infinity"' in payload


@pytest.mark.parametrize("format_", FORMATS)
@SLOW
@given(line=lines(), data=st.data())
def test_every_upgrade_and_downgrade_is_read_alike(
    format_: Name, line: tuple[Schema, ...], data: st.DataObject
) -> None:
    """The kernel takes whatever the library engine takes, and gives the same object of it."""
    subject = Subject(line)
    writer = data.draw(st.integers(1, subject.latest))
    reader = data.draw(st.integers(1, subject.latest).filter(lambda v: v != writer))
    try:
        pair = pair_of(subject, writer, reader, format_)
    except MigrationMismatch:
        reject()
    payload = pair.write(data.draw(states(pair.types)))
    wanted, found = pair.wanted(payload), pair.state(payload)
    if format_ == "msgpack" or not has_no_plain_form(payload):
        assert (found is NotImplemented) == isinstance(wanted, Refused)
    assert found is NotImplemented or alike(found, wanted)
    assert pair.agrees(data.draw(damaged(payload)))
    for changed in flipped([payload], 10, data.draw(st.integers(0, 2**32))):
        assert pair.agrees(changed)


def subject_of(first: Type, later: Type | None, *named: Any) -> Subject:
    """A subject whose field ``f`` changes its type, or is dropped, beside one that stays."""
    kept = Field("kept", INT)
    old = Record("State", (Field("f", first), kept))
    fields = (kept,) if later is None else (kept, Field("f", later))
    types = {record.name: record for record in named}
    schemas = [
        Schema("state", version, "avro", "State", {"State": root, **types})
        for version, root in enumerate((old, Record("State", fields)), 1)
    ]
    return Subject(number_fields(schemas))


LEAF = Record("Leaf", (Field("n", INT), Field("note", Optional(TEXT))))
DROPPED: list[Type] = [
    *(INT, LONG, TEXT, BYTES, DOUBLE, Json(), Reference("Leaf"), Optional(Reference("Leaf"))),
    Primitive("boolean"),
    Primitive("null"),
    Logical("timestamp", LONG, "millis"),
    Logical("decimal", BYTES, precision=9, scale=2),
    Array(Array(DOUBLE, vector=True)),
    Array(Map(Reference("Leaf"))),
    Map(TEXT, keys=INT),
    Union((Branch("Leaf", Reference("Leaf")), Branch("string", TEXT), Branch("bytes", BYTES))),
]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("kind", DROPPED, ids=str)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_a_field_that_is_gone_is_passed_over(
    format_: Name, kind: Type, data: st.DataObject
) -> None:
    """Whatever stood there costs the kernel no help, and damage in it is judged alike."""
    pair = pair_of(subject_of(kind, None, LEAF), 1, 2, format_)
    payload = pair.write(data.draw(states(pair.types)))
    assert pair.read_alone(payload)
    for changed in mutated([payload], 25, data.draw(st.integers(0, 2**32))):
        assert pair.agrees(changed)


UNSOUND: dict[Name, list[bytes]] = {
    "json": [
        *(b'"\xff"', b'"\\ud800"', b'"\\x"', b'"a', b"[1,]", b'{"a":1,}', b"{1:2}", b"[1 2]"),
        *(b"01", b"1.", b"-", b"1e400", b"nul", b"NaN", b"[", b"]", b"", b'{"a"}', b'{"a":}'),
        *(b'"\x01"', b'{"\xff":1}', b"[" * 200 + b"]" * 200, b"[" * 2000 + b"]" * 2000, b"1 "),
    ],
    "msgpack": [
        *(b"\xa1\xff", b"\xa2a", b"\xd9\x05ab", b"\xc1", b"\xca\x00\x00\x00\x00", b"\x92\x01"),
        *(b"\xd6\xff\x00", b"\xd7\xff" + b"\xff" * 8, b"\xc7\x0c\xff" + b"\x7f" * 12),
        *(b"\xd6\x05\x00\x00\x00\x00", b"\x81\x90\x01", b"\x81\x80\x01", b"\x81\xa1\xff\x01"),
        *(b"\xdc\xff\xff", b"\xdf\xff\xff\xff\xff", b"\x91" * 200 + b"\x01", b"\xc4\x05a"),
        *(b"\x81\x01\x02", b"\x82\xa1a\x01\xa1a\x02", b"\xcf" + b"\xff" * 8, b"\xc7\x01\x07a"),
    ],
}
SOUND: dict[Name, list[bytes]] = {
    "json": [
        *(b'"\\n\\u0001\xc3\xa9"', b'{"a":[{},[],"",-1.5e3,null,true],"a":false}', b"[[[]]]"),
        *(b"18446744073709551615", b"[" * 90 + b"]" * 90),
    ],
    "msgpack": [
        *(b"\x81\xa1a\x93\x80\x90\xc4\x01\xff", b"\xcf" + b"\xff" * 8, b"\xd6\xff\x00\x00\x00\x01"),
        *(b"\x82\xa1a\x01\xa1a\x02", b"\x81\x01\x02", b"\x91" * 90 + b"\xcb" + bytes(8)),
        *(b"\xd7\xff" + b"\x00" * 8, b"\xc7\x0c\xff" + b"\x00" * 12, b"\xda\x00\x01a", b"\xc2"),
    ],
}


def _around(format_: Name) -> tuple[bytes, bytes]:
    if format_ == "json":
        return b'{"f":', b',"kept":1}'
    return b"\x82\xa1f", b"\xa4kept\x01"


@pytest.mark.parametrize(
    ("format_", "value"), [(name, value) for name in FORMATS for value in UNSOUND[name]]
)
def test_a_value_that_is_gone_is_parsed_all_the_same(format_: Name, value: bytes) -> None:
    """Bytes that no library reads are refused where nobody looks at them, too; rare ones may be."""
    pair = pair_of(subject_of(Json(), None), 1, 2, format_)
    before, behind = _around(format_)
    assert pair.agrees(before + value + behind)


@pytest.mark.parametrize(
    ("format_", "value"), [(name, value) for name in FORMATS for value in SOUND[name]]
)
def test_any_value_may_be_gone(format_: Name, value: bytes) -> None:
    """It need not be what the schema says: the library engine does not look either."""
    before, behind = _around(format_)
    for kind in (Json(), INT):
        pair = pair_of(subject_of(kind, None), 1, 2, format_)
        assert pair.read_alone(before + value + behind)


JSON_OR_NULL = Optional(Json())


@pytest.mark.parametrize("format_", FORMATS)
def test_null_is_refused_even_where_a_value_may_look_like_it(format_: Name) -> None:
    """A null that the reader has no place for is no JSON value, as the library engine says."""
    pair = pair_of(subject_of(Json(), JSON_OR_NULL), 2, 1, format_)
    root: Any = pair.types.root
    null, other = (pair.write(root(f=value, kept=1)) for value in (None, [None]))
    assert isinstance(pair.wanted(null), Refused)
    assert pair.state(null) is NotImplemented
    assert pair.read_alone(other)


BARE = Union((Branch("string", TEXT), Branch("long", LONG), Branch("Leaf", Reference("Leaf"))))
BOXED = Union((*BARE.branches, Branch("bytes", BYTES), Branch("longs", Map(LONG))))
FEWER = Union((Branch("Leaf", Reference("Leaf")), Branch("bytes", BYTES)))


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    ("first", "later"),
    [
        (BARE, BOXED),
        (FEWER, BOXED),
        (TEXT, BARE),
        (Reference("Leaf"), BOXED),
        (Optional(BARE), Optional(BOXED)),
        (BARE, Optional(BOXED)),
        (Array(BARE), Array(BOXED)),
        (Map(BARE), Map(BOXED)),
    ],
    ids=str,
)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_branches_in_boxes_and_without(
    format_: Name, first: Type, later: Type, data: st.DataObject
) -> None:
    """The writer's boxes are those of its union, and the reader's those of its own."""
    subject = subject_of(first, later, LEAF)
    for writer, reader in ((1, 2), (2, 1)):
        pair = pair_of(subject, writer, reader, format_)
        payload = pair.write(data.draw(states(pair.types)))
        wanted, found = pair.wanted(payload), pair.state(payload)
        assert (found is NotImplemented) == isinstance(wanted, Refused)
        assert found is NotImplemented or alike(found, wanted)
        for changed in flipped([payload], 10, data.draw(st.integers(0, 2**32))):
            assert pair.agrees(changed)


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=examples(30))
@given(data=st.data())
def test_a_field_may_go_to_two_places(format_: Name, data: st.DataObject) -> None:
    """It is read again for each field that takes it."""
    kinds = (Array(TEXT), Map(INT), Reference("Leaf"), Optional(LONG))
    old = Record("State", tuple(Field(f"f{n}", kind, n) for n, kind in enumerate(kinds, 1)))
    copies = [replace(f, name=f"{f.name}_copy", number=(f.number or 0) + 9) for f in old.fields]
    schemas = [
        Schema("state", 1, "avro", "State", {"State": root, "Leaf": LEAF})
        for root in (old, Record("State", (*old.fields, *copies)))
    ]
    writer, reader = (Subject([schema]).types(1) for schema in schemas)
    graph = identity(writer.schema)
    conversion = graph.records[graph.root]
    again: tuple[Take, ...] = tuple(
        replace(take, target=f"{take.target}_copy") for take in conversion.takes
    )
    doubled = replace(conversion, takes=conversion.takes + again)
    graph = Graph(graph.root, {**graph.records, graph.root: doubled})
    pair = KeyedPair(format_, writer, DEFAULT_LIMITS, Reading(writer, graph, reader))
    payload = pair.write(data.draw(states(writer)))
    assert pair.read_alone(payload)
    found = pair.state(payload)
    assert found.f3 == found.f3_copy
    assert found.f3 is not found.f3_copy
    for changed in mutated([payload], 20, data.draw(st.integers(0, 2**32))):
        assert pair.agrees(changed)


@pytest.mark.parametrize("format_", FORMATS)
def test_keys_that_change_their_type_are_checked(format_: Name) -> None:
    """Integer keys become wider and narrower ones, by the kernel alone where they fit."""
    subject = subject_of(Map(TEXT, keys=INT), Map(TEXT, keys=LONG))
    for writer, key, fits in ((1, 7, True), (2, -7, True), (2, 2**40, False)):
        pair = pair_of(subject, writer, 3 - writer, format_)
        root: Any = pair.types.root
        payload = pair.write(root(f={key: "v"}, kept=1))
        assert isinstance(pair.wanted(payload), Refused) != fits
        assert (pair.state(payload) is not NotImplemented) == fits
        assert pair.agrees(payload)


@pytest.mark.parametrize("format_", FORMATS)
def test_depth_is_bounded_as_for_current_blobs(format_: Name) -> None:
    """A chain of the deepest records is read by the kernel; one more is for the library."""
    node = Record("Node", (Field("v", INT), Field("next", Optional(Reference("Node")))))
    wider = Record("Node", (Field("v", LONG), Field("next", Optional(Reference("Node")))))
    root = Record("State", (Field("head", Optional(Reference("Node"))),))
    subject = Subject(
        number_fields(
            [
                Schema("state", version, "avro", "State", {"State": root, "Node": each})
                for version, each in enumerate((node, wider), 1)
            ]
        )
    )
    limits = Limits(depth=20)
    pair, deeper = (pair_of(subject, 1, 2, format_, found) for found in (limits, DEFAULT_LIMITS))
    make: Any = pair.types.record("Node")
    top: Any = pair.types.root
    chain = None
    for number in range(20):
        payload = deeper.write(top(head=chain))
        assert alike(deeper.state(payload), pair.wanted(payload))
        assert pair.read_alone(payload)
        chain = make(v=number, next=chain)
    payload = deeper.write(top(head=chain))
    assert pair.state(payload) is NotImplemented


@pytest.mark.parametrize("format_", FORMATS)
def test_a_default_stands_in_a_record_without_fields(format_: Name) -> None:
    """Nothing stands around what the writer does not have, not even in an empty record."""
    empty, full = Record("State", ()), Record("State", (Field("f", INT, default=Default(3)),))
    subject = Subject(
        number_fields(
            [
                Schema("state", version, "avro", "State", {"State": root})
                for version, root in enumerate((empty, full), 1)
            ]
        )
    )
    for writer, reader in ((1, 2), (2, 1)):
        pair = pair_of(subject, writer, reader, format_)
        root: Any = pair.types.root
        payload = pair.write(root())
        assert pair.read_alone(payload)
        codec: Any = Codec(subject, Settings(reader))
        with forced_engine("kernel"):
            old: Any = Codec(subject, Settings(writer, format_))
            assert codec.decode(old.encode(old.type())) == codec.type()
