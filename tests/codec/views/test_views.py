"""How views behave as objects: read-only, kept, compared, copied and shown."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any, cast

import pytest
from codec.formats.golden_states import STATES
from view_walks import codec_of, subject_of

from instar import Codec, Registry
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.types import SchemaTypes
from instar.codec.views import ListView, MapView, RecordView
from instar.errors import BlobError, NoSuchPath, WrongSubject
from instar.schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Json,
    Map,
    Optional,
    Primitive,
    Reference,
    Schema,
    Symbol,
    Union,
)
from instar.schemas.model import Record as RecordType
from instar.schemas.numbering import number_fields

INT, TEXT = Primitive("int"), Primitive("string")
ROW = RecordType("Row", (Field("n", INT), Field("tags", Array(TEXT))))
NAMES = ("hydrate", "kind", "names", "_part", "_kept", "__class__", "__init__", "class", "_")

pytestmark = pytest.mark.usefixtures("engine_in_use")


def view_of(kind: Any, value: Any, *named: Any) -> Any:
    """What a view gives for a field of a type; ``value`` may be made of the types."""
    subject = subject_of(kind, *named)
    codec = codec_of(subject)
    state = codec.type(f=value(subject.types(1)) if callable(value) else value)
    return codec.view(codec.encode(state)).f


@pytest.fixture
def rows() -> tuple[Codec[Any], Any]:
    """A codec, and a state with two rows."""
    subject = subject_of(Array(Reference("Row")), ROW)
    codec, make = codec_of(subject), cast("Any", subject.types(1).record("Row"))
    return codec, codec.type(f=[make(n=1, tags=["a"]), make(n=2, tags=[])])


def test_lists() -> None:
    """A view of a list has a length, items from both ends, slices and all of a sequence."""
    found = view_of(Array(INT), [5, 6, 7])
    assert isinstance(found, ListView)
    assert (len(found), found[0], found[-1], found[-3]) == (3, 5, 7, 5)
    assert (found[1:], found[::-1], found[5:], list(found)) == ([6, 7], [7, 6, 5], [], [5, 6, 7])
    assert 6 in found
    assert 8 not in found
    assert (found.index(7), found.count(6), list(reversed(found))) == (2, 1, [7, 6, 5])
    assert not view_of(Array(INT), [])


@pytest.mark.parametrize("index", [3, -4, 10**30])
def test_an_index_beyond_a_list(index: int) -> None:
    """An index beyond the list is an IndexError that says how many items there are."""
    with pytest.raises(IndexError, match="the list has 3"):
        view_of(Array(INT), [5, 6, 7])[index]


@pytest.mark.parametrize("index", ["0", 1.0, None])
def test_an_index_that_is_none(index: Any) -> None:
    """A list takes integers and slices, also where an equal number was looked at before."""
    found = view_of(Array(INT), [5, 6, 7])
    assert list(found) == [5, 6, 7]
    with pytest.raises(TypeError):
        found[index]


def test_maps() -> None:
    """A view of a map has the keys in order, and all of a mapping."""
    found = view_of(Map(Reference("Row")), _two_rows, ROW)
    assert isinstance(found, MapView)
    assert (list(found), len(found), "a" in found, "c" in found) == (["b", "a"], 2, True, False)
    assert found["a"].n == 1
    assert found.get("c") is None
    assert [value.n for value in found.values()] == [2, 1]
    with pytest.raises(KeyError):
        found["c"]


def _two_rows(types: SchemaTypes) -> dict[str, Any]:
    row = cast("Any", types.record("Row"))
    return {"b": row(n=2, tags=[]), "a": row(n=1, tags=[])}


def test_maps_of_integers() -> None:
    """Keys of a map are of the class that decoding gives them."""
    found = view_of(Map(INT, Primitive("long")), {-1: 1, 2**40: 2})
    assert (list(found), found[2**40]) == ([-1, 2**40], 2)
    assert "-1" not in found
    found = view_of(Map(INT, Primitive("boolean")), {True: 1})
    assert next(iter(found)) is True


def test_a_key_that_stands_twice() -> None:
    """Of a key that stands twice the last value counts, and also where a later entry is a
    value that the library engine has to judge.
    """
    codec = codec_of(subject_of(Map(Primitive("boolean"), INT)))
    entries = b"\x06" + b"\x021\x00" + b"\x022\x01" + b"\x021\x01" + b"\x00"
    blob = pack_binary("avro", 1, codec.fingerprint, entries)
    for _ in range(2):
        view = codec.view(blob)
        assert (list(view.f), view.f[1], view.f[2]) == ([1, 2], True, True)
        assert view.hydrate() == codec.decode(blob)


def test_values() -> None:
    """Enums, json values, boxes and nulls are what decoding gives in their place."""
    colour = Enum("Colour", (Symbol("RED", 0),))
    json = view_of(Json(), {"a": [1]})
    assert type(json) is dict
    assert json == {"a": [1]}
    red = view_of(Reference("Colour"), lambda types: types.enum("Colour")["RED"], colour)
    assert (type(red).__name__, red.value) == ("Colour", "RED")
    assert view_of(Optional(Reference("Row")), None, ROW) is None


def test_what_a_view_gives_is_no_way_in() -> None:
    """A change of a json value, a box or a hydrated object does not show in other parts."""
    subject = subject_of(Array(Union((Branch("ints", Array(INT)), Branch("texts", Array(TEXT))))))
    codec, make = codec_of(subject), cast("Any", next(iter(subject.types(1).boxes.values())))
    view = codec.view(codec.encode(codec.type(f=[make(value=[1])])))
    view.f[0].value.append(2)
    view.hydrate().f.clear()
    view.f.hydrate().clear()
    assert view.hydrate() == codec.type(f=[make(value=[1])])
    json = codec_of(subject_of(Json()))
    seen = json.view(json.encode(json.type(f=[1])))
    seen.f.append(2)
    assert seen.hydrate() == json.type(f=[1])


def test_parts_are_kept(rows: tuple[Codec[Any], Any]) -> None:
    """What was touched once is the same object the next time."""
    codec, state = rows
    view = codec.view(codec.encode(state))
    assert view.f is view["f"]
    assert view.f[0] is view.f[-2]
    assert view.f[0].tags[0] is view.f[0].tags[0]


def test_views_have_the_class_of_the_record(rows: tuple[Codec[Any], Any]) -> None:
    """A view of a record passes ``isinstance`` for its class, and matches its patterns."""
    codec, state = rows
    view = codec.view(codec.encode(state))
    assert isinstance(view, codec.type)
    assert isinstance(view, RecordView)
    assert not isinstance(view.f[0], codec.type)
    row: Any = type(state.f[0])
    match view.f[1]:
        case row(n=n, tags=[]):
            assert n == 2
        case _:
            raise AssertionError


def test_read_only(rows: tuple[Codec[Any], Any]) -> None:
    """Nothing of a view can be set or deleted, its own parts included."""
    codec, state = rows
    view: Any = codec.view(codec.encode(state))
    for found, name in [(view, "f"), (view, "new"), (view, "_view_part"), (view.f, "x")]:
        with pytest.raises(AttributeError, match="read-only"):
            setattr(found, name, 1)
        with pytest.raises(AttributeError, match="read-only"):
            delattr(found, name)
    for found, step in [(view, "f"), (view.f, 0), (view_of(Map(INT), {"a": 1}), "a")]:
        with pytest.raises(TypeError):
            found[step] = 1
        with pytest.raises(TypeError):
            del found[step]
    assert view.hydrate() == state


def test_equality(rows: tuple[Codec[Any], Any]) -> None:
    """A view equals what it hydrates to, and another view of an equal part."""
    codec, state = rows
    view, other = codec.view(codec.encode(state)), codec.view(codec.encode(state))
    assert view == state
    assert state == view
    assert view == other
    assert view.f == state.f
    assert view.f[0] in view.f
    assert state.f[1] in view.f
    assert view.f[0] != view.f[1]
    assert view != 1
    with pytest.raises(TypeError):
        hash(view)


def test_copies(rows: tuple[Codec[Any], Any]) -> None:
    """A copy is another view of the same; pickling says what to pickle instead."""
    codec, state = rows
    view = codec.view(codec.encode(state))
    for found in (view, view.f, view.f[0]):
        for copied in (copy.copy(found), copy.deepcopy([found])[0]):
            assert copied is not found
            assert type(copied) is type(found)
            assert copied == found
        with pytest.raises(TypeError, match="pickle the blob, or what hydrate"):
            pickle.dumps(found)


def test_repr(rows: tuple[Codec[Any], Any]) -> None:
    """A view shows where it is, in a line, and decodes nothing for it."""
    codec, state = rows
    view = codec.view(codec.encode(state))
    assert repr(view) == "<RecordView of the whole state>"
    assert repr(view.f) == "<ListView of f>"
    assert repr(view.f[-1].tags) == "<ListView of f[1].tags>"
    long = view_of(Map(Array(INT)), {"k" * 1000: []})["k" * 1000]
    assert repr(long).startswith("<ListView of f['kkk")
    assert len(repr(long)) < 90


def test_attributes_that_are_not_there(rows: tuple[Codec[Any], Any]) -> None:
    """An unknown attribute is an AttributeError, an unknown name NoSuchPath; both list what
    there is, and neither is mistaken for a sequence.
    """
    codec, state = rows
    view: Any = codec.view(codec.encode(state))
    with pytest.raises(AttributeError, match="no attribute 'g'; known are f"):
        view.g  # noqa: B018 - the access is what fails
    with pytest.raises(NoSuchPath, match="no attribute 'g'; known are f"):
        view["g"]
    assert not hasattr(view, "g")
    assert getattr(view, "g", 7) == 7
    assert dir(view) == ["f", "hydrate"]
    with pytest.raises(TypeError):
        iter(view)


def test_awkward_names() -> None:
    """A field of any name is at ``view["name"]``, and at ``view.name`` unless it is hydrate."""
    fields = tuple(Field(name, INT) for name in NAMES)
    types = {"State": RecordType("State", fields)}
    subject = Subject(number_fields([Schema("state", 1, "avro", "State", types)]))
    codec = codec_of(subject)
    attributes = subject.types(1).names.attributes["State"]
    state = codec.type(**{attributes[name]: at for at, name in enumerate(NAMES)})
    view = codec.view(codec.encode(state))
    for at, name in enumerate(NAMES):
        assert view[attributes[name]] == at
        assert name == "hydrate" or getattr(view, attributes[name]) == at
    assert view.hydrate() == state
    assert codec.project(codec.encode(state), *NAMES) == tuple(range(len(NAMES)))


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, type("B", (bytes,), {})])
def test_kinds_of_bytes(rows: tuple[Codec[Any], Any], make: Any) -> None:
    """A blob may be of any class of bytes, and may change once the view is made."""
    codec, state = rows
    for _ in range(2):
        held = bytearray(codec.encode(state))
        view = codec.view(held if make is bytearray else make(held))
        held[:] = bytes(len(held))
        assert view == state


def test_no_blobs(reference: Registry) -> None:
    """What is no blob of the subject is the error of decoding, as the view is made."""
    codec, other = reference.codec("agent_state"), reference.codec("agent_command")
    blob = other.encode(other.from_builtins(STATES["agent_command", 1]))
    for _ in range(2):
        with pytest.raises(WrongSubject):
            codec.view(blob)
    nothing: Any = "text"
    with pytest.raises(BlobError):
        codec.view(nothing)


@pytest.mark.parametrize("settings", [{"compress": True}, {"framing": "avro-single-object"}])
def test_framings(rows: tuple[Codec[Any], Any], settings: dict[str, Any]) -> None:
    """Compressed blobs and those in Avro's own framing are viewed like any."""
    if "compress" in settings:
        pytest.importorskip("zstandard")
    codec, _ = rows
    other = codec_of(subject_of(Array(Reference("Row")), ROW), **settings)
    rows_of: Any = [{"n": 1, "tags": ["a"]}] * 100
    row = other.from_builtins({"f": rows_of})
    for _ in range(2):
        blob = other.encode(row)
        assert len(codec.view(blob).f) == 100
        assert codec.view(blob) == codec.decode(blob)


def test_threads_are_given_one_object(rows: tuple[Codec[Any], Any]) -> None:
    """Threads that touch one part of a view at once are given one object."""
    codec, state = rows
    blob = codec.encode(state)
    for _ in range(50):
        view, start, found = codec.view(blob), threading.Barrier(4), list[Any]()

        def touch(view: Any = view, start: Any = start, found: Any = found) -> None:
            start.wait()
            found.append(view.f[1].tags)

        threads = [threading.Thread(target=touch) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({id(item) for item in found}) == 1
