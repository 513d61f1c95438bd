"""Vectors: arrays of floating point numbers that are one block in Python."""

from __future__ import annotations

import json
import math
import struct
import sys
from array import array
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from same import same
from vector_samples import (
    ENGINES,
    EVERYWHERE,
    FORMATS,
    SINGLES,
    each_engine,
    everywhere,
    plain,
    registry,
    vector,
)

import instar
from instar import Registry
from instar.codec import exact
from instar.codec.tag.header import Format
from instar.codec.vectors import (
    decode_vector,
    encode_vector,
    join_numbers,
    joined,
    split_numbers,
)
from instar.errors import CorruptPayload, ValueMismatch
from instar.schemas.avro.reader import parse_avro
from instar.schemas.numbering import number_fields


@pytest.mark.parametrize("format_", FORMATS)
@given(data=st.data())
def test_vectors_come_back(format_: Format, data: st.DataObject) -> None:
    """In a field, a list, a map, an optional and a union, NaN and infinities included,
    and both engines write the same bytes.
    """
    opened = registry(EVERYWHERE)
    state = data.draw(everywhere(opened.subject("sample").types(1)))
    blobs: set[bytes] = set()
    for _ in each_engine():
        codec = opened.codec("sample", format=format_)
        blobs.add(codec.encode(state))
        assert same(codec.decode(codec.encode(state)), state)
        assert same(codec.from_builtins(codec.to_builtins(state)), state)
    assert len(blobs) == 1


WRONG: list[tuple[Any, str]] = [
    ([1.0, 2.0], 'array("f", numbers)'),
    ((1.0,), 'array("f", numbers)'),
    (array("d", [1.0]), 'array("f", numbers)'),
    (array("i", [1]), 'array("f", numbers)'),
    (b"\0\0\0\0", 'typecode "f"'),
    (None, 'typecode "f"'),
]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(("value", "mend"), WRONG, ids=[repr(value) for value, _ in WRONG])
@pytest.mark.usefixtures("engine_in_use")
def test_only_the_right_array_is_written(format_: Format, value: Any, mend: str) -> None:
    """A list, another typecode or another class is refused, with what to give instead."""
    codec = registry({"inner": plain(vector())}).codec("sample", format=format_)
    with pytest.raises(ValueMismatch) as caught:
        codec.encode(codec.type(inner=[array("f"), value]))
    assert caught.value.where == "sample.inner[1]"
    assert mend in caught.value.mend


class _Own(array):  # type: ignore[type-arg]
    """A subclass, which would come back as another class."""


@pytest.mark.usefixtures("engine_in_use")
def test_subclasses_are_refused() -> None:
    """As of any container: what would not come back as it was is not written."""
    codec = registry({"x": vector()}).codec("sample")
    with pytest.raises(ValueMismatch):
        codec.encode(codec.type(x=_Own("f", [1])))


BAD_JSON: list[Any] = [True, "1", None, [], {}, 1e39, 10**400, 2**24 + 1, "nan"]


@pytest.mark.parametrize("bad", BAD_JSON, ids=repr)
@pytest.mark.parametrize("format_", ["json", "msgpack", "yaml"])
def test_lists_are_checked_number_by_number(format_: Format, bad: Any) -> None:
    """What is no float of 32 bits is refused at its index, however the list was written."""
    codec = registry({"x": vector()}).codec("sample", format=format_)
    document: Any = {"x": [0.5, bad, 1.0]}
    if bad == 10**400 and format_ == "msgpack":
        pytest.skip("MessagePack has no integer so large")
    payload = (msgspec.msgpack if format_ == "msgpack" else json).__dict__[
        "encode" if format_ == "msgpack" else "dumps"
    ](document)
    with pytest.raises(CorruptPayload) as caught:
        codec.decode(payload if isinstance(payload, bytes) else payload.encode(), legacy=1)
    if bad != 10**400:  # msgspec reads no such number at all
        assert caught.value.where == "sample.x[1]"
    with pytest.raises(ValueMismatch) as builtin:
        codec.from_builtins(document)
    assert builtin.value.where == "sample.x[1]"


@pytest.mark.parametrize("format_", ["json", "msgpack", "yaml"])
def test_lists_may_have_whole_numbers_and_words(format_: Format) -> None:
    """What a float takes in JSON form, a vector takes: 1 for 1.0, and words for NaN."""
    codec = registry({"x": vector(), "y": vector("double")}).codec("sample", format=format_)
    state = codec.from_builtins({"x": [1, "NaN", "-Infinity"], "y": [2**53, 0.1]})
    assert same(state.x, array("f", [1.0, math.nan, -math.inf]))
    assert state.y == array("d", [2.0**53, 0.1])
    assert same(codec.decode(codec.encode(state)), state)


def test_json_form_is_a_list() -> None:
    """to_builtins gives a list of numbers, with words where JSON has none."""
    codec = registry({"x": vector()}).codec("sample")
    state = codec.type(x=array("f", [0.5, math.inf]))
    assert codec.to_builtins(state) == {"x": [0.5, "Infinity"]}


def test_finite_numbers_of_an_infinite_sum_stay_numbers() -> None:
    """JSON is written in words only where a number is not finite, not where a sum is not."""
    codec = registry({"x": vector("double")}).codec("sample", format="json")
    state = codec.type(x=array("d", [1.7e308, 1.7e308]))
    assert codec.decode(codec.encode(state)) == state
    assert b"Infinity" not in codec.encode(state)


def test_a_float_vector_rounds_when_it_is_made() -> None:
    """In every format the same: 0.1 is the nearest float of 32 bits."""
    opened = registry({"x": vector()})
    for format_ in FORMATS:
        codec = opened.codec("sample", format=format_)
        state = codec.from_builtins({"x": [0.1]})
        assert state.x[0] == struct.unpack("f", struct.pack("f", 0.1))[0]
        assert codec.decode(codec.encode(state)) == state


@pytest.mark.usefixtures("engine_in_use")
def test_a_mark_on_other_items_says_nothing() -> None:
    """An array of integers stays a list, marked or not."""
    codec = registry({"x": vector("int"), "y": vector(["null", "float"])}).codec("sample")
    state = codec.type(x=[1, 2], y=[None, 0.5])
    assert codec.decode(codec.encode(state)) == state


# Versions: a field by its type in each, and its value in each.


def test_defaults_are_made_anew() -> None:
    """No two objects share the array of a default, and it has the numbers of the schema."""
    field = {"name": "x", "type": vector("double"), "default": [1.5, 2]}
    text = json.dumps({"type": "record", "name": "Sample", "fields": [field]})
    schema = parse_avro(text, subject="sample", version=1, where="test")
    made: Any = Registry.of(number_fields([schema])).codec("sample").type
    one, two = made(), made()
    assert one.x == array("d", [1.5, 2.0])
    assert one.x is not two.x


@pytest.mark.usefixtures("engine_in_use")
def test_states_with_vectors_are_compared_and_copied() -> None:
    """Equal by their numbers; a copy shares no memory; two decodes share none either."""
    codec = registry({"x": vector()}).codec("sample")
    state = codec.type(x=array("f", [0.5, 1.5]))
    blob = codec.encode(state)
    for other in (deepcopy(state), codec.decode(blob), codec.decode(blob)):
        assert other == state
        other.x[0] = 2.0
        assert other != state
    assert state.x[0] == 0.5


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.usefixtures("engine_in_use")
def test_a_vector_in_a_view_is_a_value(format_: Format) -> None:
    """It is decoded when touched, kept, and reached by a path, number by number."""
    codec = registry({"x": vector(), "n": "int"}).codec("sample", format=format_)
    blob = codec.encode(codec.type(x=array("f", [0.5, 1.5]), n=7))
    view: Any = codec.view(blob)
    assert view.x == array("f", [0.5, 1.5])
    assert view.x is view.x
    assert codec.project(blob, "x", "n", "x[-1]") == (array("f", [0.5, 1.5]), 7, 1.5)


def test_msgspec_itself_reads_and_writes_them_with_the_hooks() -> None:
    """The classes work in msgspec alone, where it is given the two hooks."""
    root: Any = registry({"x": vector(), "y": ["null", vector("double")]}).codec("sample").type
    state = root(x=array("f", [0.5]), y=array("d", [0.1]))
    text = msgspec.json.encode(state, enc_hook=encode_vector)
    assert text == b'{"x":[0.5],"y":[0.1]}'
    assert msgspec.json.decode(text, type=root, dec_hook=decode_vector) == state
    with pytest.raises(msgspec.ValidationError, match="floats of 32 bits"):
        msgspec.json.decode(b'{"x":[true],"y":null}', type=root, dec_hook=decode_vector)


def test_hooks_leave_other_classes_alone() -> None:
    """Neither hook takes what is no vector."""
    with pytest.raises(NotImplementedError):
        encode_vector(object())
    with pytest.raises(NotImplementedError):
        decode_vector(complex, [1.0])


@given(st.lists(SINGLES))
def test_numbers_are_little_endian_on_any_machine(numbers: list[float]) -> None:
    """Where the highest byte comes first, bytes are swapped on the way in and out."""
    raw = struct.pack(f">{len(numbers)}f", *numbers)
    foreign = "big" if sys.byteorder == "little" else "little"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "byteorder", foreign)
        if foreign == "big":
            found = joined("f", raw)
            assert found.tobytes() == struct.pack(f"<{len(numbers)}f", *numbers)
            assert b"".join(split_numbers(found)) == raw
            assert join_numbers("f", split_numbers(found)).tobytes() == found.tobytes()


@pytest.mark.usefixtures("engine_in_use")
def test_numpy_sees_the_memory_of_a_vector() -> None:
    """numpy.asarray copies nothing: what is written to the one stands in the other."""
    numpy: Any = pytest.importorskip("numpy", reason="numpy is not installed")
    codec = registry({"x": vector(), "y": vector("double")}).codec("sample")
    blob = codec.encode(codec.type(x=array("f", [0.5, 1.5]), y=array("d", [0.1])))
    state: Any = codec.decode(blob)
    seen = numpy.asarray(state.x)
    assert seen.dtype == numpy.float32
    assert numpy.asarray(state.y).dtype == numpy.float64
    seen[0] = 2.5
    assert state.x[0] == 2.5
    given_ = numpy.asarray([1.0, 2.0], dtype=numpy.float32)
    state.x = array("f", given_.tobytes())
    assert codec.decode(codec.encode(state)) == state


def test_the_fingerprint_tells_a_vector_from_a_list() -> None:
    """The mark changes the type in Python, so it is part of what a version means."""
    marked, bare = registry({"x": vector()}), registry({"x": plain()})
    assert marked.codec("sample").fingerprint != bare.codec("sample").fingerprint


def test_the_annotation_is_told_by_its_values() -> None:
    """The types of generated classes take arrays of their own typecode alone."""
    assert isinstance(array("f"), exact.FloatVector)  # type: ignore[misc] # a class at run time
    assert not isinstance(array("d"), exact.FloatVector)  # type: ignore[misc]
    assert isinstance(array("d"), exact.DoubleVector)  # type: ignore[misc]
    assert not isinstance([1.0], exact.DoubleVector)  # type: ignore[misc]
    assert instar.engine().name in ENGINES


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.usefixtures("engine_in_use")
def test_a_hydrated_view_shares_no_vector(format_: Format) -> None:
    """What is done to the object of a view does not show in the view."""
    codec = registry({"x": vector(), "y": plain(vector())}).codec("sample", format=format_)
    blob = codec.encode(codec.type(x=array("f", [0.5]), y=[array("f", [1.5])]))
    view: Any = codec.view(blob)
    full: Any = view.hydrate()
    full.x[0] = full.y[0][0] = 7.0
    assert view.x == array("f", [0.5])
    assert view.y[0] == array("f", [1.5])
    assert view.hydrate().x == array("f", [0.5])
