"""Views of states that ops move and functions change: the same as decoding, and as late."""

from __future__ import annotations

import random
from typing import Any

import pytest
from evolve import field, record, registry
from moving import WAYS, documents, moving
from same import same
from view_walks import ENGINES, FORMATS, HAS_KERNEL, forced, hydrates, kinds, outcome, rebuilt

from instar.codec.engines import EngineName
from instar.codec.tag.header import Format
from instar.migrations import compute, hoist, within, wrap


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_view_gives_what_decoding_gives(
    format_: Format, engine: EngineName, way: tuple[int, int]
) -> None:
    """Touched in any order, and hydrated at any part."""
    writer, reader = way
    with forced(engine):
        old = moving().codec("state", format=format_, version=writer)
        new: Any = moving().codec("state", version=reader)
        for document in documents(writer):
            blob = old.encode(old.from_builtins(document))
            wanted = new.decode(blob)
            assert same(rebuilt(new.view(blob), random.Random(1)), wanted)  # noqa: S311 - no secret
            assert hydrates(new.view(blob), wanted)
            assert kinds(new.view(blob)) == kinds(new.view(new.encode(wanted)))


AUTHOR = record("Author", field("name", "string"))
MESSAGES = {"type": "array", "items": record("Message", field("by", AUTHOR), field("n", "int"))}
LATER = {
    "type": "array",
    "items": record("Message", field("name", "string"), field("twice", "int")),
}
BY = [field("last", record("Last", field("of", "string"))), field("messages", MESSAGES)]
NEW = [
    field("last", {"type": "array", "items": record("Last", field("of", "string"))}),
    field("messages", LATER),
]


@pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")
@pytest.mark.parametrize("format_", ["avro", "protobuf"])
def test_a_function_runs_where_its_record_is_touched(format_: Format) -> None:
    """A list is passed without a call; an item that is touched is built whole."""
    calls: list[int] = []

    def twice(number: int) -> int:
        calls.append(number)
        if number < 0:
            raise ValueError(number)
        return 2 * number

    ops = (
        wrap("last"),
        within(
            "messages[]",
            hoist("by.name"),
            compute(reads="n", writes="twice", up=twice, down=abs),
        ),
    )
    opened = registry([BY, NEW], ops)
    old, new = opened.codec("state", format=format_, version=1), opened.codec("state")
    messages = [{"by": {"name": str(n)}, "n": n} for n in (1, 2, -3, 4)]
    plain: Any = {"last": {"of": "x"}, "messages": messages}
    view: Any = new.view(old.encode(old.from_builtins(plain)))
    assert view.last[0].of == "x"
    assert len(view.messages) == 4
    assert calls == []
    assert (view.messages[3].name, view.messages[3].twice) == ("4", 8)
    assert set(calls) == {4}
    assert type(view.messages[1].hydrate()).__name__ == "Message"
    whole = outcome(lambda: new.decode(old.encode(old.from_builtins(plain))))
    assert outcome(lambda: view.messages[2].twice) is whole
