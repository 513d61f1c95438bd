"""Each op in both directions, in every format and both engines, with exact values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from evolve import FORMATS, Fields, carry, enum, field, optional, record, registry

from instar import Registry
from instar.codec.default_check import wrong_types
from instar.codec.engines import VARIABLE
from instar.codec.tag.header import Format
from instar.errors import MigrationError, MigrationMismatch, NewerVersion
from instar.migrations import (
    Migration,
    add,
    cast,
    compute,
    convert,
    head,
    hoist,
    move,
    or_else,
    plunge,
    remove,
    rename,
    table,
    within,
    wrap,
)
from instar.migrations.ops import Op
from instar.schemas.model import Array, Field, Primitive, Record, Reference, Schema

ANY: Any = 3
UNCALLED: Any = cast
ADDRESS = record("Address", field("street", "string"), field("city", "string"))
STREET = record("Address", field("street", "string"))
MESSAGE = record("Message", field("text", "string"))
TOKENS = record("Message", field("text", "string"), field("tokens", "int"))
NODE = record("Node", field("v", "int"), field("next", optional("Node")))
NODE2 = record("Node", field("value", "int"), field("next", optional("Node")))


@dataclass(frozen=True)
class Case:
    """One step: two versions, the ops between them, and states that belong together."""

    old: Fields
    new: Fields
    ops: tuple[Op, ...]
    pairs: tuple[tuple[dict[str, Any], dict[str, Any]], ...]
    up_only: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    down_only: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()


CASES = {
    "rename": Case(
        [field("a", "int"), field("b", "int")],
        [field("b", "int"), field("c", "int")],
        (rename("a", "c"),),
        (({"a": 1, "b": 2}, {"c": 1, "b": 2}),),
    ),
    "two names change places": Case(
        [field("a", "int"), field("b", "int")],
        [field("a", "int"), field("b", "int")],
        (rename("a", "x"), rename("b", "a"), rename("x", "b")),
        (({"a": 1, "b": 2}, {"a": 2, "b": 1}),),
    ),
    "add without a default in the schema": Case(
        [field("a", "int")],
        [field("a", "int"), field("b", {"type": "array", "items": "string"})],
        (add("b", default=["x"]),),
        (({"a": 1}, {"a": 1, "b": ["x"]}),),
        down_only=(({"a": 1}, {"a": 1, "b": ["y"]}),),
    ),
    "add with another default than the schema's": Case(
        [field("a", "int")],
        [field("a", "int"), field("b", "int", default=0)],
        (add("b", default=7),),
        (({"a": 1}, {"a": 1, "b": 7}),),
    ),
    "remove": Case(
        [field("a", "int"), field("b", "int")],
        [field("a", "int")],
        (remove("b", default=9),),
        (({"a": 1, "b": 9}, {"a": 1}),),
        up_only=(({"a": 1, "b": 2}, {"a": 1}),),
    ),
    "convert an enum by table": Case(
        [field("s", enum("Status", "RUNNING", "DONE", "FAILED"))],
        [field("s", enum("Status", "RUNNING", "COMPLETED", "FAILED"))],
        (convert("s", {"DONE": "COMPLETED"}),),
        (({"s": "DONE"}, {"s": "COMPLETED"}), ({"s": "FAILED"}, {"s": "FAILED"})),
    ),
    "merge symbols": Case(
        [field("s", enum("Status", "OPEN", "DONE", "CLOSED"))],
        [field("s", enum("Status", "OPEN", "ENDED"))],
        (convert("s", {"DONE": "ENDED", "CLOSED": "ENDED"}),),
        (({"s": "DONE"}, {"s": "ENDED"}), ({"s": "OPEN"}, {"s": "OPEN"})),
        up_only=(({"s": "CLOSED"}, {"s": "ENDED"}),),
    ),
    "an enum becomes text, in optionals, lists and maps": Case(
        [
            field("s", optional(enum("Color", "RED", "BLUE"))),
            field("l", {"type": "array", "items": "Color"}),
            field("m", {"type": "map", "values": "Color"}),
        ],
        [
            field("s", optional("string")),
            field("l", {"type": "array", "items": "string"}),
            field("m", {"type": "map", "values": "string"}),
        ],
        (
            convert("s", table({"RED": "#f00"})),
            convert("l", table({"RED": "#f00"})),
            convert("m", table({"RED": "#f00"})),
        ),
        (
            (
                {"s": "RED", "l": ["BLUE", "RED"], "m": {"k": "RED"}},
                {"s": "#f00", "l": ["BLUE", "#f00"], "m": {"k": "#f00"}},
            ),
            ({"s": None, "l": [], "m": {}}, {"s": None, "l": [], "m": {}}),
        ),
    ),
    "wrap": Case(
        [field("a", "int"), field("b", optional("string"))],
        [
            field("a", {"type": "array", "items": "long"}),
            field("b", {"type": "array", "items": "string"}),
        ],
        (wrap("a"), wrap("b")),
        (
            ({"a": 1, "b": "x"}, {"a": [1], "b": ["x"]}),
            ({"a": 1, "b": None}, {"a": [1], "b": []}),
        ),
        down_only=(({"a": 1, "b": "x"}, {"a": [1, 2], "b": ["x", "y"]}),),
    ),
    "head": Case(
        [field("a", {"type": "array", "items": MESSAGE})],
        [field("a", optional(MESSAGE))],
        (head("a"),),
        (({"a": [{"text": "x"}]}, {"a": {"text": "x"}}), ({"a": []}, {"a": None})),
        up_only=(({"a": [{"text": "x"}, {"text": "y"}]}, {"a": {"text": "x"}}),),
    ),
    "hoist": Case(
        [field("home", ADDRESS)],
        [field("home", STREET), field("city", "string")],
        (hoist("home.city"),),
        (({"home": {"street": "s", "city": "c"}}, {"home": {"street": "s"}, "city": "c"}),),
    ),
    "hoist out of an optional record": Case(
        [field("home", optional(ADDRESS))],
        [field("home", optional(STREET)), field("town", optional("string"))],
        (hoist("home.city", "town"),),
        (
            ({"home": {"street": "s", "city": "c"}}, {"home": {"street": "s"}, "town": "c"}),
            ({"home": None}, {"home": None, "town": None}),
        ),
    ),
    "a scalar becomes a record": Case(
        [field("name", "string"), field("n", "int")],
        [field("who", record("Who", field("title", "string"))), field("n", "int")],
        (plunge("name", "who", "title"),),
        (({"name": "Ada", "n": 1}, {"who": {"title": "Ada"}, "n": 1}),),
    ),
    "plunge into a record that was there": Case(
        [field("home", STREET), field("city", "string")],
        [field("home", ADDRESS)],
        (plunge("city", "home"),),
        (({"home": {"street": "s"}, "city": "c"}, {"home": {"street": "s", "city": "c"}}),),
    ),
    "move between records": Case(
        [field("a", ADDRESS), field("b", record("B", field("n", "int")))],
        [
            field("a", STREET),
            field("b", record("B", field("n", "int"), field("town", "string"))),
        ],
        (move("a.city", "b.town"),),
        (
            (
                {"a": {"street": "s", "city": "c"}, "b": {"n": 1}},
                {"a": {"street": "s"}, "b": {"n": 1, "town": "c"}},
            ),
        ),
    ),
    "within a list": Case(
        [field("msgs", {"type": "array", "items": MESSAGE})],
        [field("messages", {"type": "array", "items": TOKENS})],
        (rename("msgs", "messages"), within("messages[]", add("tokens", default=0))),
        (
            (
                {"msgs": [{"text": "x"}, {"text": "y"}]},
                {"messages": [{"text": "x", "tokens": 0}, {"text": "y", "tokens": 0}]},
            ),
        ),
    ),
    "within what is made a list, and no list any more": Case(
        [field("a", MESSAGE), field("b", {"type": "array", "items": "Message"})],
        [field("a", {"type": "array", "items": TOKENS}), field("b", optional("Message"))],
        (within("a", add("tokens", default=1)), wrap("a"), head("b")),
        (
            (
                {"a": {"text": "x"}, "b": [{"text": "y"}]},
                {"a": [{"text": "x", "tokens": 1}], "b": {"text": "y", "tokens": 1}},
            ),
        ),
    ),
    "within a map, an optional and a union": Case(
        [
            field("m", {"type": "map", "values": optional(MESSAGE)}),
            field("u", ["int", "Message"]),
        ],
        [
            field("m", {"type": "map", "values": optional(TOKENS)}),
            field("u", ["int", "Message"]),
        ],
        (within("m[*]", add("tokens", default=1)),),
        (
            (
                {
                    "m": {"k": {"$type": "Message", "text": "x"}, "n": None},
                    "u": {"$type": "Message", "text": "y"},
                },
                {
                    "m": {"k": {"$type": "Message", "text": "x", "tokens": 1}, "n": None},
                    "u": {"$type": "Message", "text": "y", "tokens": 1},
                },
            ),
        ),
    ),
    "within a branch": Case(
        [field("u", ["int", MESSAGE])],
        [field("u", ["int", record("Message", field("body", "string"))])],
        (within("u<Message>", rename("text", "body")),),
        (
            (
                {"u": {"$type": "Message", "text": "y"}},
                {"u": {"$type": "Message", "body": "y"}},
            ),
            ({"u": 5}, {"u": 5}),
        ),
    ),
    "within a record that holds itself": Case(
        [field("n", NODE)],
        [field("n", NODE2)],
        (within("n", rename("v", "value")),),
        (
            (
                {"n": {"v": 1, "next": {"v": 2, "next": None}}},
                {"n": {"value": 1, "next": {"value": 2, "next": None}}},
            ),
        ),
    ),
    "compute within a list": Case(
        [field("ms", {"type": "array", "items": MESSAGE})],
        [
            field(
                "ms",
                {
                    "type": "array",
                    "items": record("Message", field("size", "int"), field("body", "string")),
                },
            )
        ],
        (
            within(
                "ms[]",
                compute(
                    reads="text",
                    writes=("body", "size"),
                    up=lambda text: (text, len(text)),
                    down=lambda body, _: body,
                ),
            ),
        ),
        (({"ms": [{"text": "abc"}]}, {"ms": [{"size": 3, "body": "abc"}]}),),
    ),
    "compute beside structure": Case(
        [field("a", "int"), field("b", "string"), field("gone", "int", default=3)],
        [field("b", "string"), field("twice", "long"), field("new", "string", default="n")],
        (compute(reads="a", writes="twice", up=lambda a: 2 * a, down=lambda t: t // 2),),
        (({"a": 4, "b": "x", "gone": 3}, {"b": "x", "twice": 8, "new": "n"}),),
    ),
}


@pytest.fixture(params=["library", "kernel"], autouse=True)
def _engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "kernel":
        pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")
    monkeypatch.setenv(VARIABLE, request.param)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_values(case: Case, format_: Format) -> None:
    """The state of one version is that of the other, exactly, both ways."""
    opened = registry([case.old, case.new], case.ops)
    for old, new in (*case.pairs, *case.up_only):
        assert carry(opened, old, 1, 2, format_) == new
        look(opened, old, 1, 2, format_)
    for old, new in (*case.pairs, *case.down_only):
        assert carry(opened, new, 2, 1, format_) == old
        look(opened, new, 2, 1, format_)


def look(opened: Registry, plain: Any, source: int, target: int, format_: Format) -> None:
    """A view of a blob and its projection are what decoding it gives."""
    writer = opened.codec("state", format=format_, version=source)
    reader: Any = opened.codec("state", version=target)
    blob = writer.encode(writer.from_builtins(plain))
    state, view = reader.decode(blob), reader.view(blob)
    names = state.__struct_fields__
    assert reader.project(blob, *names) == tuple(getattr(state, name) for name in names)
    for name in names:
        assert (getattr(view, name) is None) == (getattr(state, name) is None)
    assert view.hydrate() == state


def test_a_function_may_change_what_it_is_given() -> None:
    """Its argument is its own, and no part of the state."""
    up = compute(reads="a", writes="last", up=lambda a: a.pop(), down=None, lossy="last")
    numbers = field("a", {"type": "array", "items": "int"})
    opened = registry([[numbers], [numbers, field("last", "int")]], [up])
    for format_ in FORMATS:
        assert carry(opened, {"a": [1, 2]}, 1, 2, format_) == {"a": [1, 2], "last": 2}


@pytest.mark.parametrize("kinds", [("int", optional("int")), ("int", "int")])
def test_a_rule_for_null_where_there_is_none(kinds: tuple[Any, Any]) -> None:
    """It is refused when the registry opens, and not by every read."""
    with pytest.raises(MigrationMismatch, match="was optional and no longer is"):
        registry([[field("a", kind)] for kind in kinds], [convert("a", or_else(3))])


@pytest.mark.parametrize("op", [add("b", default="x"), add("b", default=None)])
def test_a_default_that_the_type_cannot_hold(op: Op) -> None:
    """The default of an op is checked as those of the schemas are."""
    opened = registry([[field("a", "int")], [field("a", "int"), field("b", "int")]], [op])
    (problem,) = wrong_types(opened.subject("state"))
    assert isinstance(problem, MigrationMismatch)
    assert "the default that its op gives is no value of its type" in problem.what


@pytest.mark.parametrize(
    "declare", [lambda: convert("a", UNCALLED), lambda: registry([[], []], [within(ANY, add("a"))])]
)
def test_slips_of_the_pen(declare: Callable[[], object]) -> None:
    """What is no rule and what is no path are named."""
    with pytest.raises(MigrationError, match=r"is no rule|path of within\(...\) is 3"):
        declare()


def test_an_empty_list_has_no_head_where_one_is_needed() -> None:
    """The way down refuses it, with the path, and gives no wrong value."""
    opened = registry(
        [[field("a", "int")], [field("a", {"type": "array", "items": "int"})]], [wrap("a")]
    )
    with pytest.raises(NewerVersion, match="cannot hold it: a: an empty list"):
        carry(opened, {"a": []}, 2, 1, "avro")


FLAT = [field("a", "int")]
IN_BOX = [field("box", record("Box", field("a", "string")))]
BOXED = [field("box", record("Box", field("a", "int"), field("b", "int")))]
OUT = [field("box", record("Box", field("b", "int"))), field("a", "string")]
SPELL = convert("a", cast())
BOTH_WAYS: dict[str, tuple[list[Any], list[Any], tuple[Op, ...], Any, Any]] = {
    "convert, plunge": (FLAT, IN_BOX, (SPELL, plunge("a", "box")), {"a": 5}, {"box": {"a": "5"}}),
    "plunge, convert": (
        FLAT,
        IN_BOX,
        (plunge("a", "box"), within("box", SPELL)),
        {"a": 5},
        {"box": {"a": "5"}},
    ),
    "hoist, convert": (
        BOXED,
        OUT,
        (hoist("box.a"), SPELL),
        {"box": {"a": 5, "b": 6}},
        {"box": {"b": 6}, "a": "5"},
    ),
    "convert, hoist": (
        BOXED,
        OUT,
        (within("box", SPELL), hoist("box.a")),
        {"box": {"a": 5, "b": 6}},
        {"box": {"b": 6}, "a": "5"},
    ),
    "convert, plunge, rename": (
        FLAT,
        [field("box", record("Box", field("c", "string")))],
        (SPELL, plunge("a", "box"), within("box", rename("a", "c"))),
        {"a": 5},
        {"box": {"c": "5"}},
    ),
}


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", BOTH_WAYS)
def test_a_move_and_a_rule_of_one_field(name: str, format_: Format) -> None:
    """A field may be moved and changed, whichever is written first, up and down."""
    old, new, ops, before, after = BOTH_WAYS[name]
    opened = registry([old, new], ops)
    assert carry(opened, before, 1, 2, format_) == after
    assert carry(opened, after, 2, 1, format_) == before


WRONG = {
    "no such field": ((rename("x", "b"),), r"rename x -> b: there is no field x; fields are a"),
    "a name that is taken": ((add("a"),), "there is a field a already"),
    "not in the target": ((rename("a", "c"),), r"state.c is what the ops lead to.*but b"),
    "no path": ((within("a..b", add("x")),), "is no path"),
    "no record": ((within("a[]", add("x")),), r"no record stands at a\[\]"),
    "twice": (
        (wrap("a"), head("a"), rename("a", "b")),
        "head a: an op before it has changed a, wrap a; make the two one op",
    ),
    "two rules": (
        (convert("a", {1: 2}), convert("a", cast(), into="b")),
        "convert a -> b: an op before it has changed a, convert a -> a;",
    ),
    "an added field": (
        (add("c", default=1), wrap("c")),
        "wrap c: an op before it has changed c, add c;",
    ),
    "a rule of what moved": (
        (plunge("a", "box"), within("box", wrap("a"), wrap("a"))),
        "state.box: wrap a: an op before it has changed a, wrap a;",
    ),
    "wrap": ((wrap("a"), rename("a", "b")), "wrap makes a list, and it is long"),
    "what compute wrote is renamed": (
        (compute(reads="a", writes="x", up=str, down=int), rename("x", "b")),
        r"state\.x is what compute writes, and version 2 has not",
    ),
    "no field of it": ((compute(reads="z", writes="b", up=str, down=str),), "has no field z"),
}


@pytest.mark.parametrize(("ops", "words"), WRONG.values(), ids=WRONG)
def test_ops_that_do_not_lead_there(ops: tuple[Op, ...], words: str) -> None:
    """What is wrong is found when the registry opens, and named."""
    with pytest.raises(MigrationMismatch, match=words):
        registry([[field("a", "int")], [field("b", "long")]], ops)


def aliased(version: int, name: str, inner: str, *aliases: str) -> Schema:
    messages = Field(name, Array(Reference("Message")), aliases=aliases)
    message = Record("Message", (Field(inner, Primitive("string")),))
    types = {"Root": Record("Root", (messages,)), "Message": message}
    return Schema("aliased", version, "avro", "Root", types)


@pytest.mark.parametrize("path", ["msgs[]", "messages[]"])
def test_ops_within_a_field_that_an_alias_renames(path: str) -> None:
    """The message says which op does it, and that does it, in both directions."""
    old, new = aliased(1, "msgs", "text"), aliased(2, "messages", "content", "msgs")
    inner = rename("text", "content")
    with pytest.raises(MigrationMismatch) as caught:
        Registry.of([old, new], [Migration("aliased", 1, 2, within(path, inner))])
    assert "write rename('msgs', 'messages') as an op before this one" in str(caught.value)
    ops = (rename("msgs", "messages"), within("messages[]", inner))
    opened = Registry.of([old, new], [Migration("aliased", 1, 2, *ops)])
    before, after = opened.codec("aliased", version=1), opened.codec("aliased")
    blob = before.encode(before.from_builtins({"msgs": [{"text": "a"}]}))
    state = after.decode(blob)
    assert after.to_builtins(state) == {"messages": [{"content": "a"}]}
    assert before.to_builtins(before.decode(after.encode(state))) == {"msgs": [{"text": "a"}]}


def test_a_path_that_no_alias_explains_is_as_it_was() -> None:
    """Where no alias is meant, the message lists the fields."""
    old, new = aliased(1, "msgs", "text"), aliased(2, "messages", "content", "msgs")
    with pytest.raises(MigrationMismatch, match=r"there is no field mesages; fields are msgs"):
        Registry.of([old, new], [Migration("aliased", 1, 2, within("mesages[]", rename("a", "b")))])
