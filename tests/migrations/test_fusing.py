"""Many versions at once: the fused plan gives what its hops give one after the other."""

from __future__ import annotations

from typing import Any

import pytest
from evolve import FORMATS, Fields, carry, field, optional, record, registry
from hypothesis import given
from hypothesis import strategies as st
from op_lines import op_lines
from same import same

from instar import Registry
from instar.codec.compatibility.values import states
from instar.codec.engines import VARIABLE, engine
from instar.codec.tag.header import Format
from instar.errors import InstarError
from instar.migrations import add, compute, convert, head, or_else, plunge, within, wrap
from instar.migrations.ops import Op, inverse

HAS_KERNEL = engine().name == "kernel"
ENGINES = st.sampled_from(["library", "kernel"] if HAS_KERNEL else ["library"])


REFUSED = object()


def outcome(read: Any) -> Any:
    """What a read gives, or that it is refused."""
    try:
        return read()
    except InstarError:
        return REFUSED


def hop_by_hop(opened: Registry, state: Any, ends: list[int], format_: Format) -> Any:
    """The state read and written again at each version on the way."""
    source, target = ends
    way = 1 if target > source else -1
    for version in range(source, target, way):
        writer = opened.codec("state", format=format_, version=version)
        reader: Any = opened.codec("state", version=version + way)
        state = reader.decode(writer.encode(state))
    return state


@given(opened=op_lines(), data=st.data())
def test_fused_is_step_by_step(opened: Registry, data: st.DataObject) -> None:
    """Up and down, in each format and engine, to the same state.

    What a hop refuses may be of a field that a later hop drops, which the fused plan never
    looks at; what the fused plan refuses, some hop refuses.
    """
    subject = opened.subject("state")
    ends = data.draw(st.permutations([1, subject.latest]))
    format_ = data.draw(st.sampled_from(FORMATS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, data.draw(ENGINES))
        state = data.draw(states(subject.types(ends[0])))
        blob = opened.codec("state", format=format_, version=ends[0]).encode(state)
        reader: Any = opened.codec("state", version=ends[1])
        fused = outcome(lambda: reader.decode(blob))
        single = outcome(lambda: hop_by_hop(opened, state, ends, format_))
    assert single is REFUSED or same(fused, single), (fused, single)


TO_NULL = inverse(convert("a", or_else("", null_again=True)))
INTS = {"type": "array", "items": "int"}
BOX = record("Box", field("x", optional("int")))
LEAF = record("Leaf", field("n", "int"))
TEXT_LEAF = record("Leaf", field("text", "string"))
LATER: dict[str, tuple[list[Fields], list[list[Op]], list[tuple[Any, Any]]]] = {
    "a list of what a rule made null": (
        [
            [field("a", "string")],
            [field("a", optional("string"))],
            [field("a", {"type": "array", "items": "string"})],
        ],
        [[TO_NULL], [wrap("a")]],
        [({"a": ""}, {"a": []}), ({"a": "x"}, {"a": ["x"]})],
    ),
    "a branch of what a rule made null": (
        [
            [field("a", "string")],
            [field("a", optional("string"))],
            [field("a", ["null", "int", "string"])],
        ],
        [[TO_NULL], []],
        [({"a": ""}, {"a": None}), ({"a": "x"}, {"a": "x"})],
    ),
    "functions in a record that was null when it was new": (
        [
            [field("a", "string")],
            [field("a", "string"), field("leaf", optional(LEAF), default=None)],
            [field("a", "string"), field("leaf", optional(TEXT_LEAF), default=None)],
        ],
        [[], [within("leaf", compute(reads="n", writes="text", up=str, down=int))]],
        [({"a": "x"}, {"a": "x", "leaf": None})],
    ),
    "functions in a record that was a default when it was new": (
        [
            [field("a", "string")],
            [field("a", "string"), field("leaf", LEAF, default={"n": 7})],
            [field("a", "string"), field("leaf", TEXT_LEAF)],
        ],
        [[], [within("leaf", compute(reads="n", writes="text", up=str, down=int))]],
        [({"a": "x"}, {"a": "x", "leaf": {"text": "7"}})],
    ),
    "a list of what a rule put in the place of null": (
        [
            [field("a", optional("int"))],
            [field("a", "int")],
            [field("a", {"type": "array", "items": "int"})],
        ],
        [[convert("a", or_else(5))], [wrap("a")]],
        [({"a": None}, {"a": [5]}), ({"a": 1}, {"a": [1]})],
    ),
    "a list of what a rule put in the place of no first item": (
        [
            [field("a", INTS)],
            [field("a", optional("int"))],
            [field("a", "int")],
            [field("a", INTS)],
        ],
        [[head("a")], [convert("a", or_else(5))], [wrap("a")]],
        [({"a": []}, {"a": [5]}), ({"a": [1, 2]}, {"a": [1]})],
    ),
    "a list of a list of a null": (
        [
            [field("a", optional("int"))],
            [field("a", INTS)],
            [field("a", {"type": "array", "items": INTS})],
        ],
        [[wrap("a")], [wrap("a")]],
        [({"a": None}, {"a": [[]]}), ({"a": 1}, {"a": [[1]]})],
    ),
    "a record of no first item": (
        [
            [field("x", INTS)],
            [field("x", optional("int"))],
            [field("a", optional(BOX))],
        ],
        [[head("x")], [plunge("x", "a")]],
        [({"x": []}, {"a": None}), ({"x": [1]}, {"a": {"x": 1}})],
    ),
    "a record of a default of null": (
        [
            [field("z", "int")],
            [field("z", "int"), field("x", optional("int"))],
            [field("z", "int"), field("a", optional(BOX))],
        ],
        [[add("x", default=None)], [plunge("x", "a")]],
        [({"z": 1}, {"z": 1, "a": None})],
    ),
    "a record of a record of a null": (
        [
            [field("x", optional("int"))],
            [field("a", optional(BOX))],
            [field("b", optional(record("B", field("a", optional(BOX)))))],
        ],
        [[plunge("x", "a")], [plunge("a", "b")]],
        [({"x": None}, {"b": None}), ({"x": 1}, {"b": {"a": {"x": 1}}})],
    ),
}


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("engine", ["library", "kernel"])
@pytest.mark.parametrize(("versions", "steps", "pairs"), LATER.values(), ids=LATER)
def test_several_hops(  # noqa: PLR0913, PLR0917 - the case, and what runs it
    versions: list[Fields],
    steps: list[list[Op]],
    pairs: list[tuple[Any, Any]],
    engine: str,
    format_: Format,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What one hop makes of a field is what the next one starts from."""
    if engine == "kernel":
        pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")
    monkeypatch.setenv(VARIABLE, engine)
    opened = registry(versions, *steps)
    for old, new in pairs:
        assert carry(opened, old, 1, len(versions), format_) == new
