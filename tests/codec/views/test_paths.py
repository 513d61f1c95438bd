"""Paths: how they read, where they lead, and that they are those that errors print."""

from __future__ import annotations

from typing import Any, cast

import pytest
from codec.formats.golden_states import STATES
from examples import examples
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from same import same
from schema_strategies import schemas
from view_walks import PRESENT, codec_of, forced, outcome, subject_of

from instar import Codec, Registry
from instar.codec.compatibility.values import states
from instar.codec.record import Record
from instar.codec.subject import Subject
from instar.codec.views.paths import parse_path
from instar.codec.views.views import Attribute
from instar.errors import NoSuchPath, SchemaError, ValueMismatch
from instar.schemas.model import Array, Branch, Field, Map, Primitive, Reference, Schema, Union
from instar.schemas.model import Record as RecordType
from instar.schemas.numbering import number_fields

INT, TEXT = Primitive("int"), Primitive("string")
READS = {
    "status": ("status",),
    "messages[-1].content.text": ("messages", -1, "content", "text"),
    "a[0][10].b": ("a", 0, 10, "b"),
    "memory['goal']": ("memory", "goal"),
    'memory["it\'s"]': ("memory", "it's"),
    r"memory['a\'b\\\n\x00\u00e9']": ("memory", "a'b\\\n\x00é"),
    "flags[True].x": ("flags", True, "x"),
    "m['a.b[0]'][1]": ("m", "a.b[0]", 1),
    "__init__._": ("__init__", "_"),
}
UNREADABLE = {
    "": 1,
    ".status": 1,
    "status.": 7,
    "a..b": 2,
    "a b": 2,
    "a[": 2,
    "a[]": 2,
    "a[b]": 2,
    "a[1:2]": 2,
    "a[1.5]": 2,
    "a[None]": 2,
    "a['b]": 2,
    "a[ 1]": 2,
    "a[1]b": 5,
    "a[01]": 2,
    r"a['\x']": 2,
    "a-b": 2,
    "é": 1,
    "a[٣]": 2,
    "0": 1,
}


@pytest.mark.parametrize("path", READS)
def test_reads(path: str) -> None:
    """A path is names with points between them, and indexes and keys in brackets."""
    found = parse_path(path)
    assert found == READS[path]
    assert [type(step) is not Attribute for step in found] == [
        f"[{step!r}]" in path or f'["{step}"]' in path or not str(step).isidentifier()
        for step in found
    ]


@pytest.mark.parametrize("path", UNREADABLE)
def test_does_not_read(path: str) -> None:
    """What is no path is refused at the character where it ceases to be one."""
    with pytest.raises(NoSuchPath) as caught:
        parse_path(path)
    assert caught.value.what == f"the path does not read from character {UNREADABLE[path]} on"
    assert caught.value.where == path
    assert "messages[-1].content" in caught.value.mend


@given(text=st.text(max_size=20) | st.text(alphabet="ab.[]'\"\\01-Tru", max_size=12))
@example("a['\\N{x}']")
def test_any_text_reads_or_is_refused(text: str) -> None:
    """No text ends in another error, and what reads reads the same again."""
    found = outcome(lambda: parse_path(text))
    assert found is NoSuchPath or found == parse_path(text)


def leaves(value: Any) -> list[tuple[Any, Any]]:
    """Every place below a value, as what holds it and the step to it."""
    found: list[tuple[Any, Any]] = []
    match value:
        case Record():
            found = [(value, name) for name in value.__struct_fields__]
        case list():
            found = [(value, at) for at in range(len(value))]
        case dict():
            found = [(value, key) for key in cast("dict[Any, Any]", value)]
        case _:
            pass
    return found + [pair for holder, step in found for pair in leaves(held(holder, step))]


def held(holder: Any, step: Any) -> Any:
    return getattr(holder, step) if isinstance(holder, Record) else holder[step]


def put(holder: Any, step: Any, value: Any) -> None:
    if isinstance(holder, Record):
        setattr(holder, step, value)
    else:
        holder[step] = value


class Wrong:
    """A value that no schema takes."""


@settings(max_examples=examples(40))
@given(schema=schemas(), data=st.data())
def test_the_paths_of_errors_lead_there(schema: Schema, data: Any) -> None:
    """The path of a ValueMismatch leads to what stands in that place in a good state."""
    try:
        subject = Subject(number_fields([schema]))
    except SchemaError:
        assume(False)
        raise
    blob = outcome(lambda: codec_of(subject).encode(data.draw(states(subject.types(1)))))
    assume(isinstance(blob, bytes))
    good, wrong = codec_of(subject).decode(blob), codec_of(subject).decode(blob)
    places = leaves(good)
    assume(places)
    at = data.draw(st.integers(0, len(places) - 1))
    holder, step = leaves(wrong)[at]
    put(holder, step, Wrong())
    for engine in PRESENT:
        with forced(engine):
            codec = codec_of(subject)
            with pytest.raises(ValueMismatch) as caught:
                codec.encode(wrong)
            path = caught.value.path.removeprefix("subject").removeprefix(".")
            (found,) = codec.project(blob, path)
        if subject.types(1).boxes or "Json(" in repr(schema):
            # A path ends at a json value, and at a box, whose value it does not name.
            assert any(same(found, value) for value in _around(good, places[at]))
        else:
            assert same(found, held(*places[at]))


def _around(good: Any, place: tuple[Any, Any]) -> list[Any]:
    """The value of a place, and all that it is in."""
    target = held(*place)
    every = [held(*pair) for pair in leaves(good)]
    return [value for value in every if contains(value, target)]


def contains(value: Any, part: Any) -> bool:
    """Whether a value is, or holds, another."""
    return same(value, part) or any(
        contains(inner, part)
        for inner in (
            [getattr(value, name) for name in value.__struct_fields__]
            if isinstance(value, Record)
            else value
            if isinstance(value, list)
            else list(value.values())
            if isinstance(value, dict)
            else []
        )
    )


@pytest.fixture
def agent(reference: Registry, engine_in_use: str) -> tuple[Codec[Any], bytes]:
    """A codec of agent_state, and the blob of a state."""
    assert engine_in_use
    codec: Codec[Any] = reference.codec("agent_state")
    return codec, codec.encode(codec.from_builtins(STATES["agent_state", 3]))


def test_project(agent: tuple[Codec[Any], bytes]) -> None:
    """Values come in the order of the paths, hydrated: enums, records, lists, maps, json."""
    codec, blob = agent
    state = codec.decode(blob)
    found = codec.project(
        blob,
        "status",
        "messages[-1].content.url",
        "memory['home']",
        "memory['']",
        "metadata['list'][1]",
        "messages[0]",
        "plan",
        "memory",
        "budget.spent",
        "status",
    )
    assert found == (
        state.status,
        "file:a.png",
        "Zürich",
        "empty key",
        2.5,
        state.messages[0],
        state.plan,
        state.memory,
        state.budget.spent,
        state.status,
    )
    assert codec.project(blob) == ()
    assert same(codec.project(blob, "messages", "name"), (state.messages, state.name))


@pytest.mark.parametrize(
    ("path", "what", "mend"),
    [
        ("stat", "there is no field 'stat'", "known are budget, counters"),
        ("messages[2]", "there is no item 2: the list has 2", ""),
        ("messages[-3].id", "there is no item -3: the list has 2", ""),
        ("messages.id", "there is no 'id' in a list", ""),
        ("messages['id']", "there is no 'id' in a list", ""),
        ("messages[True]", "there is no True in a list", ""),
        ("messages[0].content.url", "there is no field 'url'", "known are text"),
        ("messages[0]['id']", "there is no 'id' in a record", ""),
        ("messages[0][0]", "there is no 0 in a record", ""),
        ("memory.home", "there is no 'home' in a map", ""),
        ("memory['away']", "there is no key 'away'", ""),
        ("memory[0]", "there is no key 0", ""),
        ("metadata['list'][4]", "there is no item 4: the list has 4", ""),
        ("name.x", "there is no 'x' in a value of str", ""),
        ("status[0]", "there is no 0 in a value of Status", ""),
        ("a b", "the path does not read from character 2 on", "write it like messages[-1]"),
    ],
)
def test_no_such_path(agent: tuple[Codec[Any], bytes], path: str, what: str, mend: str) -> None:
    """A path that leads nowhere says where, what is missing there, and what there is."""
    codec, blob = agent
    with pytest.raises(NoSuchPath) as caught:
        codec.project(blob, "name", path)
    assert caught.value.where == path
    assert caught.value.what == what
    assert caught.value.mend.startswith(mend)
    assert bool(mend) is bool(caught.value.mend)


@pytest.mark.parametrize("path", [1, None, ["name"], b"name"])
def test_no_text(agent: tuple[Codec[Any], bytes], path: Any) -> None:
    """What is no text is no path."""
    codec, blob = agent
    with pytest.raises(NoSuchPath, match="a path is text, and this is"):
        codec.project(blob, path)


def test_null_on_the_way(agent: tuple[Codec[Any], bytes]) -> None:
    """A path through an optional that is null leads to None, however far it goes."""
    codec, blob = agent
    state = codec.decode(blob)
    state.parent_id = None
    state.metadata = {"a": None}
    blob = codec.encode(state)
    assert codec.project(blob, "parent_id", "metadata['a']['b'][0]") == (None, None)


def test_boxes(engine_in_use: str) -> None:
    """A path goes through a box as if it were not there, as the paths of errors do."""
    assert engine_in_use
    row = RecordType("Row", (Field("class", INT),))
    union = Union((Branch("rows", Array(Reference("Row"))), Branch("ints", Array(INT))))
    subject = subject_of(Map(union), row)
    codec, types = codec_of(subject), subject.types(1)
    boxes: dict[str, Any] = dict(types.boxes)
    rows, ints = boxes.values()
    make: Any = types.record("Row")
    state = codec.type(f={"r": rows(value=[make(class_=5)]), "i": ints(value=[7])})
    blob = codec.encode(state)
    assert codec.project(blob, "f['r'][0].class", "f['i'][-1]") == (5, 7)
    assert codec.project(blob, "f['i']") == (state.f["i"],)


def test_names_of_fields_come_first(engine_in_use: str) -> None:
    """A path has the names of fields; attributes do where no field is called so."""
    assert engine_in_use
    fields = (Field("class", INT), Field("class_", INT), Field("from", TEXT))
    types = {"State": RecordType("State", fields)}
    subject = Subject(number_fields([Schema("state", 1, "avro", "State", types)]))
    codec, names = codec_of(subject), subject.types(1).names.attributes["State"]
    state = codec.type(**{names["class"]: 1, names["class_"]: 2, names["from"]: "x"})
    blob = codec.encode(state)
    for _ in range(2):
        assert codec.project(blob, "class", "class_", "from", "from_") == (1, 2, "x", "x")
