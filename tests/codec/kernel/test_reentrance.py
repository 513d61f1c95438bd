"""Functions in Python, called in the middle of a decode or an encode, and other threads."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from kernel_hooks import collector, encoder_of, in_threads, program_of
from kernel_pair import field_of, pair_of, with_field

from instar.codec.kernel import core
from instar.codec.limits import Limits
from instar.schemas.model import Array, Field, Logical, Optional, Primitive, Record, Reference

INT = Primitive("int")
NODE = Record("Node", (Field("v", INT), Field("next", Optional(Reference("Node")))))


def meddling(meddle: Callable[[], None]) -> Callable[[Any], Any]:
    """A function that takes a container apart while it is being written."""

    def hook(value: Any) -> Any:
        meddle()
        return value

    return hook


def test_a_function_may_decode_with_the_same_program() -> None:
    """A decode inside a decode has its own place in its own payload."""
    depth = 0

    def hook(text: str) -> Any:
        nonlocal depth
        if depth == 3:
            return text
        depth += 1
        inner = core.decode_payload(program, b"\x04\x02a\x02b\x00")
        depth -= 1
        return inner

    program = program_of(hook)
    with collector(enabled=True):
        found = core.decode_payload(program, b"\x02\x02c\x00")
        assert gc.isenabled()
    assert found == [[[["a", "b"], ["a", "b"]], [["a", "b"], ["a", "b"]]]]


def test_one_codec_may_be_used_in_many_threads() -> None:
    """Functions let other threads in, in the middle of a decode and of an encode."""
    pair = pair_of(Array(Logical("timestamp", Primitive("long"), "nanos")))
    long = pair_of(Logical("decimal", Primitive("bytes"), precision=40, scale=2))
    payload = long.write(with_field(long, Decimal("1" * 30 + ".25")))
    state = long.read(payload)

    def work() -> None:
        for _ in range(300):
            assert long.state(payload) == state
            assert long.payload(state) == payload
            assert field_of(pair.state(b"\x04\x02\x04\x00")) == [1, 2]

    with collector(enabled=True):
        in_threads(work)
        assert gc.isenabled()


def test_the_deepest_state_fits_a_small_stack() -> None:
    """The kernel recurses on the stack of C: 400 levels fit what a thread may be given."""
    pair = pair_of(Optional(Reference("Node")), NODE, limits=Limits(depth=400))
    payload = b"\x02\x00" * 398 + b"\x00"

    def work() -> None:
        assert pair.payload(pair.state(payload)) == payload
        assert pair.state(b"\x02\x00" * 5000 + b"\x00") is NotImplemented

    before = threading.stack_size(256 * 1024)
    try:
        in_threads(work, 1)
    finally:
        threading.stack_size(before)


@pytest.mark.parametrize("change", ["clear", "append", "pop", "replace"])
def test_a_list_may_change_while_it_is_written(change: str) -> None:
    """The kernel refuses it, or writes as many items as it said; it touches none that is gone."""
    for size in (1, 2, 50):
        items = [f"text{n}" for n in range(size)]
        changes: dict[str, Callable[[], Any]] = {
            "clear": items.clear,
            "append": lambda items=items: items.append("more"),
            "pop": lambda items=items: items and items.pop(),
            "replace": lambda items=items: items.__setitem__(slice(None), ["new"] * len(items)),
        }
        found = encoder_of(meddling(changes[change]), core.ARRAY).payload(items)
        assert (found is NotImplemented) == (change != "replace")


@pytest.mark.parametrize("change", ["clear", "add", "swap"])
def test_a_dict_may_change_while_it_is_written(change: str) -> None:
    """The kernel refuses it, or writes as many entries as it said."""
    for size in (1, 5, 50):
        entries = {f"key{n}": f"text{n}" for n in range(size)}
        count = iter(range(1000))

        def swap(entries: dict[str, str] = entries, count: Iterator[int] = count) -> None:
            entries.popitem()
            entries[f"new{next(count)}"] = "x" * 40

        changes: dict[str, Callable[[], Any]] = {
            "clear": entries.clear,
            "add": lambda entries=entries, count=count: entries.update({f"n{next(count)}": ""}),
            "swap": swap,
        }
        found = encoder_of(meddling(changes[change]), core.MAP).payload(entries)
        assert found is NotImplemented or change == "swap"


def test_an_encoder_may_be_used_inside_itself() -> None:
    """A function that encodes with the same encoder has a buffer of its own."""
    inner: list[bytes] = []

    def hook(text: str) -> str:
        if text != "in":
            inner.append(made.payload(["in"] * 2000))
        return text

    made = encoder_of(hook, core.ARRAY)
    assert made.payload(["a", "b"]) == b"\x04\x02a\x02b\x00"
    assert set(inner) == {b"\xa0\x1f" + b"\x04in" * 2000 + b"\x00"}
