from __future__ import annotations

import datetime as dt
from array import array
from decimal import Decimal
from typing import Any

import pytest

from instar.codec.documents import ABSENT, Change, DocumentCodec
from instar.codec.exact import Duration
from instar.codec.types import build_types
from instar.errors import LimitExceeded, ValueMismatch
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)

LONG, DOUBLE, STRING = Primitive("long"), Primitive("double"), Primitive("string")


def codec(*fields: Field, **more: Record | Enum | Fixed) -> DocumentCodec:
    types = {"State": Record("State", fields), **more}
    return DocumentCodec(build_types(Schema("state", 1, "avro", "State", types)))


def of(type_: Type, **more: Record | Enum | Fixed) -> DocumentCodec:
    return codec(Field("it", type_), **more)


def made(documents: DocumentCodec, value: Any) -> Any:
    """A state whose field ``it`` holds ``value``, fitting or not."""
    make: Any = documents.types.root
    return make(it=value)


def loaded(type_: Type, value: Any, **more: Record | Enum | Fixed) -> Any:
    """What the field ``it`` of this type holds after loading ``value``."""
    state: Any = of(type_, **more).load({"it": value})[0]
    return state.it


@pytest.mark.parametrize(
    ("type_", "value", "held"),
    [
        (Primitive("bytes"), "AP8=", b"\x00\xff"),
        (Logical("date", Primitive("int")), "2024-02-29", dt.date(2024, 2, 29)),
        (Logical("time", LONG, "micros"), "12:30:00.000001", dt.time(12, 30, 0, 1)),
        (Logical("duration", LONG, "micros"), "PT90S", dt.timedelta(seconds=90)),
        (
            Logical("decimal", Primitive("bytes"), precision=6, scale=2),
            "12.50",
            Decimal("12.50"),
        ),
        (Map(LONG, keys=Primitive("int")), {"-7": 1}, {-7: 1}),
        (Map(LONG, keys=Primitive("boolean")), {"true": 1}, {True: 1}),
        (Array(Optional(DOUBLE)), [1.5, None], [1.5, None]),
        (Reference("Hash"), "AAE=", b"\x00\x01"),
    ],
)
def test_types_that_inference_does_not_propose(type_: Type, value: Any, held: Any) -> None:
    """A schema that was written or edited by hand loads and dumps documents all the same."""
    documents = of(type_, Hash=Fixed("Hash", 2))
    state, changes = documents.load({"it": value})
    assert state.it == held  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]  # the class is made here
    assert (documents.dump(state), changes) == ({"it": value}, ())


@pytest.mark.parametrize(
    ("document", "path", "reason"),
    [
        ({}, "state.items", "the key is missing"),
        ({"items": [], "other": 1}, "state.other", "no such key"),
        ({"items": {}}, "state.items", "an array"),
        ({"items": [{"n": 1}, {"n": "1"}]}, "state.items[1].n", "an int"),
        ({"items": [{"n": True}]}, "state.items[0].n", "an int"),
        ({"items": [{"n": 1.0}]}, "state.items[0].n", "an int"),
        ({"items": [{"n": 2**63}]}, "state.items[0].n", "9223372036854775808"),
        ({"items": [{"n": None}]}, "state.items[0].n", "an int"),
        ([], "state", "an object"),
    ],
)
def test_documents_that_do_not_fit(document: Any, path: str, reason: str) -> None:
    """A document that does not fit is refused whole, with the path and what was expected."""
    documents = codec(
        Field("items", Array(Reference("Item"))), Item=Record("Item", (Field("n", LONG),))
    )
    with pytest.raises(ValueMismatch, match=reason) as caught:
        documents.load(document)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (DOUBLE, 2**53 + 1),
        (DOUBLE, "1"),
        (DOUBLE, float("inf")),
        (Primitive("float"), 1e300),
        (Primitive("int"), 2**31),
        (STRING, "\ud800"),
        (Primitive("bytes"), "not base64"),
        (Logical("uuid", STRING), "no uuid"),
        (Logical("timestamp", LONG, "micros"), "2024-01-01T00:00:00"),
        (Logical("local-timestamp", LONG, "micros"), "2024-01-01T00:00:00Z"),
        (Logical("decimal", Primitive("bytes"), precision=4, scale=2), "123.45"),
        (Logical("decimal", Primitive("bytes"), precision=4, scale=2), "many"),
        (Reference("Status"), "UNKNOWN"),
        (Reference("Status"), []),
        (Map(LONG, keys=Primitive("int")), {"07": 1}),
        (Json(), float("nan")),
        (Json(), {1: 2}),
    ],
)
def test_values_that_do_not_fit(type_: Type, value: Any) -> None:
    """A value that its type cannot hold exactly enough is refused."""
    documents = of(type_, Status=Enum("Status", (Symbol("OK", 0),)))
    with pytest.raises(ValueMismatch):
        documents.load({"it": value})


@pytest.mark.parametrize(
    ("type_", "before", "after", "kind"),
    [
        (DOUBLE, 1, 1.0, "number-type"),
        (Primitive("float"), 0.1, 0.10000000149011612, "number-rounded"),
        (
            Logical("timestamp", LONG, "millis"),
            "2024-01-01T01:00:00.123456+01:00",
            "2024-01-01T00:00:00.123Z",
            "text-form",
        ),
        (
            Logical("timestamp", LONG, "micros"),
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:00:00+00:00",
            "text-form",
        ),
        (
            Logical("uuid", STRING),
            "1F00FE48515F6B8880046FFFB69DD465",
            "1f00fe48-515f-6b88-8004-6fffb69dd465",
            "text-form",
        ),
    ],
)
def test_changes_are_reported(type_: Type, before: Any, after: Any, kind: Any) -> None:
    """What is not kept exactly is reported with its path, before and after."""
    documents = of(Array(type_))
    state, changes = documents.load({"it": [before]})
    assert changes == (Change("it[0]", kind, before, after),)
    assert documents.dump(state) == {"it": [after]}


@pytest.mark.parametrize(
    ("absent", "document", "changes"),
    [
        (True, {}, ()),
        (True, {"a": None}, (Change("a", "absent-null-merged", None, ABSENT),)),
        (False, {}, (Change("a", "absent-null-merged", ABSENT, None),)),
        (False, {"a": None}, ()),
    ],
)
def test_missing_and_null(absent: bool, document: Any, changes: Any) -> None:
    """A null stands for a missing key only in a field that says so; the other is reported."""
    field = Field("a", Optional(LONG), default=Default(None), absent=absent)
    assert codec(field).load(document)[1] == changes


def test_default_of_a_missing_key() -> None:
    """A missing key gets the field's default, and that is reported."""
    state, changes = codec(Field("a", LONG, default=Default(7))).load({})
    assert state.a == 7  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]  # the class is made here
    assert changes == (Change("a", "default-written", ABSENT, 7),)


def test_paths_of_odd_keys() -> None:
    """A key that is no identifier is subscripted, and left open in the place."""
    documents = of(Map(Array(DOUBLE)))
    _, changes = documents.load({"it": {"branch:to[0]": [1]}})
    assert changes[0].path == 'it["branch:to[0]"][0]'
    assert changes[0].place == "it[][]"


CAT, DOG = Record("Cat", (Field("name", STRING),)), Record("Dog", (Field("legs", LONG),))
PETS = Union((Branch("Cat", Reference("Cat")), Branch("Dog", Reference("Dog"))))


def test_union_of_records_by_the_only_fit() -> None:
    """Where several branches take objects, the one that fits is taken."""
    pet = loaded(PETS, {"legs": 4}, Cat=CAT, Dog=DOG)
    assert type(pet).__name__ == "Dog"


def test_union_that_would_be_a_guess() -> None:
    """A value that fits two branches, or none, is refused."""
    twin = Record("Dog", CAT.fields)
    with pytest.raises(ValueMismatch, match="2 of the union fit"):
        loaded(PETS, {"name": "x"}, Cat=CAT, Dog=twin)
    with pytest.raises(ValueMismatch, match="0 of the union fit"):
        loaded(PETS, {"tail": 1}, Cat=CAT, Dog=DOG)


@pytest.mark.parametrize("value", [1, 1.5, "a", "AAE=", [1], {"any": None}])
def test_union_by_kind(value: Any) -> None:
    """Each JSON kind goes to its branch, boxed or not, and comes back."""
    union = Union(
        (
            Branch("long", LONG),
            Branch("double", DOUBLE),
            Branch("string", STRING),
            Branch("array", Array(LONG)),
            Branch("json", Json()),
        )
    )
    documents = of(union)
    state, changes = documents.load({"it": value})
    assert (documents.dump(state), changes) == ({"it": value}, ())


def test_whole_number_in_a_union_without_integers() -> None:
    """A whole number goes to the float branch where no branch takes integers."""
    assert repr(loaded(Union((Branch("double", DOUBLE), Branch("string", STRING))), 1)) == "1.0"


def test_record_that_holds_itself() -> None:
    """A recursive record loads and dumps, and nesting without end is refused."""
    field = Field("child", Optional(Reference("State")), default=Default(None), absent=True)
    documents = codec(field)
    document: dict[str, Any] = {"child": {"child": {}}}
    assert documents.dump(documents.load(document)[0]) == document
    for _ in range(100_000):
        document = {"child": document}
    with pytest.raises(LimitExceeded, match="too deep"):
        documents.load(document)


def test_state_shares_nothing_with_its_document() -> None:
    """Changing the state's json does not change the document, nor the reverse."""
    document: dict[str, Any] = {"it": {"a": [1]}}
    documents = of(Json())
    state: Any = documents.load(document)[0]
    dumped: Any = documents.dump(state)
    state.it["a"].append(2)
    assert document == dumped == {"it": {"a": [1]}}


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (LONG, "1"),
        (Array(LONG), (1,)),
        (Map(LONG), [1]),
        (Map(LONG), {1: 1}),
        (Union((Branch("long", LONG), Branch("string", STRING))), [1]),
        (Reference("Status"), "OK"),
        (Reference("Cat"), {"name": "x"}),
    ],
)
def test_states_that_do_not_fit(type_: Type, value: Any) -> None:
    """A state that was given a wrong value is not dumped; the error has the path."""
    documents = of(type_, Status=Enum("Status", (Symbol("OK", 0),)), Cat=CAT)
    state = made(documents, value)
    with pytest.raises(ValueMismatch) as caught:
        documents.dump(state)
    assert caught.value.path.startswith("state.it")


@pytest.mark.parametrize(("value", "text"), [(float("nan"), "NaN"), (float("-inf"), "-Infinity")])
def test_floats_that_json_cannot_say(value: float, text: str) -> None:
    """NaN and infinities of a state are written as words, which load again."""
    documents = of(DOUBLE)
    dumped = documents.dump(made(documents, value))
    assert dumped == {"it": text}
    assert repr(loaded(DOUBLE, text)) == repr(value)


NANOS = Logical("timestamp", LONG, unit="nanos")
SPAN = Logical("calendar-duration", Reference("Span"))
A_SPAN = {"months": 1, "days": 2, "millis": 3}


@pytest.mark.parametrize(
    ("type_", "value", "held"),
    [
        (NANOS, 5, 5),
        (Union((Branch("long", NANOS), Branch("string", STRING))), 5, 5),
        (SPAN, A_SPAN, Duration(**A_SPAN)),
        (Optional(SPAN), None, None),
    ],
)
def test_what_avro_alone_has_is_loaded_and_dumped(type_: Type, value: Any, held: Any) -> None:
    """Nanoseconds stand in a document as a number, a duration as an object of its parts."""
    documents = of(type_, Span=Fixed("Span", 12))
    state: Any = documents.load({"it": value})[0]
    assert state.it == held
    assert documents.dump(state) == {"it": value}


@pytest.mark.parametrize("value", ["P1M", {"months": 1}, {**A_SPAN, "days": -1}])
def test_a_document_without_a_sound_duration_is_refused(value: Any) -> None:
    """What is no object of three numbers is no duration."""
    with pytest.raises(ValueMismatch, match="it"):
        of(SPAN, Span=Fixed("Span", 12)).load({"it": value})


VECTOR = Array(Primitive("float"), vector=True)


@pytest.mark.parametrize("type_", [VECTOR, Union((Branch("a", VECTOR), Branch("s", STRING)))])
def test_vectors_are_lists_of_numbers(type_: Type) -> None:
    """A document has a list where the state has a vector, in a union too."""
    documents = of(type_)
    state, changes = documents.load({"it": [0.5, -1.0]})
    assert state == made(documents, array("f", [0.5, -1.0]))
    assert changes == ()
    assert documents.dump(state) == {"it": [0.5, -1.0]}
    with pytest.raises(ValueMismatch):
        documents.dump(made(documents, [0.5]))


def test_vectors_that_round_are_told() -> None:
    """A number of more than 32 bits would be written back as another, which is a change."""
    (change,) = of(VECTOR).load({"it": [0.5, 0.1]})[1]
    assert change.path == "it[1]"
