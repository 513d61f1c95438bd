"""The kernel and the collector: what is tracked, and what a decode leaves switched on."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from kernel_hooks import collector, program_of
from kernel_pair import Pair, pair_of, with_field

from instar.codec.kernel import core
from instar.schemas.model import (
    Array,
    Field,
    Json,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
)

INT, TEXT = Primitive("int"), Primitive("string")
NODE = Record("Node", (Field("v", INT), Field("next", Optional(Reference("Node")))))
LEAF = Record("Leaf", (Field("n", INT), Field("note", Optional(TEXT))))


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize(
    "payload", [b"\x02\x02\x00", b"", b"\x02", b"\x02\x02\x00\x00", b"\x02\x03", b"\x7f"]
)
def test_the_collector_is_left_as_it_was_found(payload: bytes, enabled: bool) -> None:
    """On after a decode where it was on before and off where it was off, on refusals too."""
    pair = pair_of(Array(INT))
    with collector(enabled=enabled):
        pair.state(payload)
        assert gc.isenabled() is enabled


def failing(error: type[BaseException]) -> Callable[[Any], Any]:
    def hook(_: Any) -> Any:
        raise error

    return hook


def test_the_end_of_the_stack_in_a_function_is_left_to_the_long_way() -> None:
    """It refuses, so that the library engine says in words that the state is too deep."""
    with collector(enabled=True):
        refused = core.decode_payload(program_of(failing(RecursionError)), b"\x04\x02a\x02b\x00")
        assert refused is NotImplemented
        assert gc.isenabled()


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, ZeroDivisionError])
def test_an_error_of_a_function_goes_on_as_it_is(error: type[BaseException]) -> None:
    """What a function raises is no refusal, and the collector is on again."""
    with collector(enabled=True):
        with pytest.raises(error):
            core.decode_payload(program_of(failing(error)), b"\x04\x02a\x02b\x00")
        assert gc.isenabled()


def tracked(value: Any) -> bool:
    return gc.is_tracked(value)


def test_what_may_be_part_of_a_cycle_is_known_to_the_collector() -> None:
    """A record of scalars is not tracked; one that holds a list, a dict or a record is."""
    assert not tracked(pair_of(TEXT).state(b"\x02a"))
    assert not tracked(pair_of(Optional(TEXT)).state(b"\x00"))
    for kind, payload in (
        (Array(TEXT), b"\x00"),
        (Map(TEXT), b"\x00"),
        (Json(), b"\x04[]"),
        (Optional(Array(TEXT)), b"\x02\x00"),
    ):
        assert tracked(pair_of(kind).state(payload)), kind
    held = pair_of(Reference("Leaf"), LEAF).state(b"\x02\x00")
    assert tracked(held)
    assert not tracked(held.f)
    lists = pair_of(Array(Array(INT))).state(b"\x02\x02\x02\x00\x00")
    assert tracked(lists.f)
    assert tracked(lists.f[0])


def test_a_cycle_made_later_is_collected() -> None:
    """A record that was not tracked becomes so when it is given what may lead back to it."""
    made: list[Any] = []
    for _ in range(50):
        made.append(pair_of(TEXT).state(b"\x02a"))
        made[-1].f = [made[-1]]
    assert all(map(tracked, made))
    before = len(gc.get_objects())
    made.clear()
    gc.collect()
    assert len(gc.get_objects()) < before - 50


def test_a_decoded_tree_is_collected_when_it_holds_itself() -> None:
    """The collector sees through decoded lists, dicts and records."""
    pair = pair_of(Optional(Reference("Node")), NODE)
    state = pair.state(b"\x02\x02\x02\x04\x00")
    state.f.next.next = state.f
    gc.collect()
    del state
    assert gc.collect() >= 2


def test_the_collector_may_run_in_a_function_in_the_middle() -> None:
    """Lists that are not full yet and records without values are not shown to it."""

    def hook(text: str) -> str:
        gc.collect()
        [repr(held) for held in gc.get_objects() if type(held) is list and len(held) < 9]
        return text

    payload = b"\x08" + b"\x02a" * 4 + b"\x02\x02b" + b"\x00"
    gc.freeze()  # What there is already is not looked through, five times.
    try:
        assert core.decode_payload(program_of(hook), payload) == ["a", "a", "a", "a", "b"]
    finally:
        gc.unfreeze()


def test_a_record_without_a_value_is_refused() -> None:
    """An attribute that was deleted is no NULL to be followed."""
    pair = pair_of(TEXT)
    state = with_field(pair, "a")
    del state.f
    assert pair.payload(state) is NotImplemented


def test_a_record_of_another_class_is_refused() -> None:
    """Slots are only looked up in the very class that they were found in."""
    pair, other = pair_of(TEXT), pair_of(Array(TEXT))
    wide: Any = msgspec.defstruct("State", [("f", str), ("g", str)])
    plain: Any = type("State", (), {})()
    plain.f = "a"
    for state in (with_field(other, []), wide(f="a", g="b"), plain, None, 5, pair.types.root):
        assert pair.payload(state) is NotImplemented


def test_pairs_are_what_they_say() -> None:
    """The kernel is asked here, and nothing behind it: a refusal is seen as one."""
    pair: Pair = pair_of(INT)
    assert pair.state(b"") is NotImplemented
    assert pair.payload(with_field(pair, 2**31)) is NotImplemented
