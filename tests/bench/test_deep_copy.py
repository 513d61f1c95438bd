"""The deep copy in C makes everything anew that hydration has to make."""

from __future__ import annotations

import datetime as dt
import gc
import sys
import tracemalloc
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from instar.bench import deep_copy
from instar.bench.deep_copy import SOURCE, build, check_copy, deep_copier
from instar.bench.peers import Versions
from instar.bench.same import same
from instar.codec.types import SchemaTypes
from instar.errors import ConfigError, ValueMismatch

Copy = Callable[[Any], Any]


@pytest.fixture(scope="module")
def types(versions: Versions) -> SchemaTypes:
    return versions.registry.subject(versions.subject).types(versions.version)


@pytest.fixture(scope="module")
def copy(types: SchemaTypes) -> Copy:
    try:
        return deep_copier(types)
    except ConfigError as error:
        pytest.skip(error.what)


def parts(value: Any) -> Iterator[Any]:
    """The value and all that is in it, dict keys included."""
    yield value
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from parts(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from parts(item)
    elif isinstance(value, dict):
        for pair in value.items():
            yield from (part for half in pair for part in parts(half))


def made_anew(value: Any) -> bool:
    """Whether a copy has to have an object of its own for it."""
    if isinstance(value, str | bytes):
        return len(value) > 1
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return value > 256
    return isinstance(value, float | list | dict | array | dt.datetime | msgspec.Struct)


def test_copies_the_whole_state(copy: Copy, states: list[Any]) -> None:
    """A copy is the same state, in value and class, and shares no container with it."""
    for state in states:
        check_copy(copy, state)
        assert same(copy(state), state)


def test_everything_is_new(copy: Copy, states: list[Any]) -> None:
    """Texts, numbers, vectors, times and dict keys are new objects as well: no work is saved."""
    old = [part for part in parts(states[0]) if made_anew(part)]
    copied = copy(states[0])
    new = {id(part) for part in parts(copied)}
    assert {type(part) for part in old} >= {str, int, list, dict, array, dt.datetime}
    assert [part for part in old if id(part) in new] == []


@pytest.mark.parametrize("text", ["", "a", "é", "plain text", "cafés", "тест", "a 🦗 b", "\ud800"])
def test_texts(copy: Copy, text: str) -> None:
    """Texts of every width come out as they went in."""
    assert copy([text]) == [text]
    assert copy({text: text}) == {text: text}


@pytest.mark.parametrize("number", [0, -1, 257, 2**63 - 1, -(2**63), 2**64, -(2**100), 1.5, -0.0])
def test_numbers(copy: Copy, number: float) -> None:
    """Numbers of any size come out as they went in."""
    assert same(copy([number]), [number])


def test_floats_are_new(copy: Copy) -> None:
    """A float is a new object too."""
    number = 1.5
    assert copy([number])[0] is not number


def test_zone_and_fold(copy: Copy) -> None:
    """A datetime keeps its zone and fold."""
    zone = dt.timezone(dt.timedelta(hours=2))
    moment = dt.datetime(2026, 3, 2, 9, 0, 1, 5, zone, fold=1)
    copied = copy(moment)
    assert (copied, copied.tzinfo, copied.fold) == (moment, zone, 1)
    assert copied is not moment


@pytest.mark.parametrize("where", [lambda x: x, lambda x: [x], lambda x: {"a": x}])
def test_unknown_class(copy: Copy, where: Copy) -> None:
    """An object of a class that was not learnt is refused, wherever it stands."""
    with pytest.raises(TypeError, match="cannot copy a"):
        copy(where({1, 2}))


def test_unknown_class_in_a_record(copy: Copy, states: list[Any]) -> None:
    """So is one within a record, and the half copy is cleared away."""
    state = copy(states[0])
    state.metadata = {"a": {1}}
    with pytest.raises(TypeError, match="cannot copy a set"):
        copy(state)


def test_nothing_leaks(copy: Copy, states: list[Any]) -> None:
    """Memory and references are given back when a copy goes."""
    made = [part for part in parts(states[0]) if made_anew(part)]
    watched = [*made, *{type(part) for part in parts(states[0])}]
    gc.collect()  # what other tests left, which holds the classes
    counts = [sys.getrefcount(part) for part in watched]
    copy(states[0])
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            copy(states[0])
        gc.collect()
        # A state is some 10 KB, so that one in 200 that stays would show.
        assert tracemalloc.get_traced_memory()[0] - before < 5_000
    finally:
        tracemalloc.stop()
    changes = [sys.getrefcount(part) - count for part, count in zip(watched, counts, strict=True)]
    assert max(map(abs, changes)) < 200


def test_a_copy_that_is_none(states: list[Any]) -> None:
    """A copy that is the very object, or another state, is refused before it is timed."""
    for fake in (lambda _: states[0], lambda _: states[1]):
        with pytest.raises(ValueMismatch, match="copy of the whole state"):
            check_copy(fake, states[0])


def test_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler the error says what is missing and what to install."""
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(ConfigError, match=r"cannot be built.*install a C compiler"):
        build(tmp_path)


def test_broken_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it does where the compiler refuses the source."""
    broken = tmp_path / "deep_copy.c"
    broken.write_text("#include <no_such_header.h>\n", encoding="utf-8")
    monkeypatch.setattr(deep_copy, "SOURCE", broken)
    with pytest.raises(ConfigError, match="cannot be built"):
        build(tmp_path)


def test_source_is_there() -> None:
    """The source lies beside the module, where an installed package has it too."""
    assert "PyInit_deep_copy" in SOURCE.read_text(encoding="utf-8")
