"""Functions of migrations, called by the kernel: what they are given, and what they may do."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from evolve import enum, field, optional, record, registry

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from kernel_hooks import in_threads

from instar import Registry
from instar.codec.engines import VARIABLE
from instar.codec.tag.header import Format
from instar.errors import ComputeError, InstarError, NewerVersion, NotExpressible
from instar.migrations import compute, convert, hoist, or_else

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "json", "msgpack")
TEXTS = {"type": "array", "items": "string"}


@pytest.fixture(params=FORMATS)
def format_(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Format:
    """Each format that the kernel reads."""
    monkeypatch.setenv(VARIABLE, "kernel")
    return request.param


def one(up: Callable[..., Any], old: Any, new: Any, *, writes: Any = "b") -> Registry:
    """A subject whose field ``a`` becomes other fields by a function."""
    fields = [field(n, k) for n, k in zip([writes] if writes == "b" else writes, new, strict=True)]
    kept = field("n", "int")
    op = compute(reads="a", writes=writes, up=up, down=None, lossy="a")
    return registry([[field("a", old), kept], [kept, *fields]], [op])


def read(opened: Registry, value: Any, format_: Format, **more: Any) -> Any:
    """The state of version 2 of one of version 1."""
    writer = opened.codec("state", format=format_, version=1)
    return opened.codec("state").decode(
        writer.encode(writer.from_builtins({"a": value, "n": 1, **more}))
    )


def failure(opened: Registry, value: Any, format_: Format) -> tuple[type, str]:
    """The error of a read, as a user sees it."""
    with pytest.raises(InstarError) as caught:
        read(opened, value, format_)
    return type(caught.value), str(caught.value)


def test_a_function_is_called_once(format_: Format) -> None:
    """A result of the right class costs no second look by the library engine."""
    calls: list[str] = []

    def up(text: str) -> str:
        calls.append(text)
        return text * 2

    assert read(one(up, "string", ["string"]), "ab", format_).b == "abab"
    assert calls == ["ab"]


class Pair(NamedTuple):
    """What a function may give as two results."""

    left: str
    right: int


@pytest.mark.parametrize(
    ("kind", "given", "wanted"),
    [
        ("long", 2**40, 2**40),
        ("double", 3, 3.0),
        (optional("string"), None, None),
        (optional("string"), "x", "x"),
        (TEXTS, ["x"], ["x"]),
        (enum("Color", "RED", "BLUE"), "BLUE", "BLUE"),
        ({"type": "long", "logicalType": "timestamp-millis"}, "2026-01-02T00:00:00Z", None),
        (record("Point", field("x", "int")), {"x": 4}, {"x": 4}),
    ],
    ids=str,
)
def test_results(format_: Format, kind: Any, given: Any, wanted: Any) -> None:
    """Values of the Python type, and the JSON form of what a migration cannot import."""
    opened = one(lambda _: given, "string", [kind])
    state = read(opened, "a", format_)
    plain = opened.codec("state").to_builtins(state)["b"]
    assert plain == (given if wanted is None else wanted)


def test_several_results_are_a_tuple_of_any_class(format_: Format) -> None:
    """A named tuple does as well, and each result goes to its field."""
    opened = one(lambda a: Pair(a, len(a)), "string", ["string", "int"], writes=("b", "c"))
    state = read(opened, "xyz", format_)
    assert (state.b, state.c) == ("xyz", 3)


def test_a_list_that_a_function_keeps_is_not_that_of_the_state(format_: Format) -> None:
    """Two reads share nothing, whatever the function does with what it was given."""
    kept: list[list[str]] = []

    def up(texts: list[str]) -> list[str]:
        kept.append(texts)
        return texts

    opened = one(up, TEXTS, [TEXTS])
    first, second = (read(opened, ["a"], format_) for _ in range(2))
    first.b.append("b")
    kept[1].append("c")
    assert (kept[0], first.b, second.b) == (["a"], ["a", "b"], ["a"])


def _raising(text: str) -> str:
    raise LookupError(text)


def _endless(text: str) -> str:
    return _endless(text)


WRONG: dict[str, tuple[Callable[..., Any], Any, Any]] = {
    "raises": (_raising, ["string"], "b"),
    "another class": (lambda _: 4, ["string"], "b"),
    "out of range": (lambda _: 2**31, ["int"], "b"),
    "no text": (lambda _: "\ud800", ["string"], "b"),
    "too few": (lambda _: ("x",), ["string", "int"], ("b", "c")),
    "no tuple": (lambda _: "x", ["string", "int"], ("b", "c")),
    "recursion": (_endless, ["string"], "b"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_worded_by_the_library_engine(
    format_: Format, case: tuple[Any, Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is the same, and its cause, at the first read and at any later one."""
    up, kinds, writes = case
    opened = one(up, "string", kinds, writes=writes)
    found = [failure(opened, "x", format_) for _ in range(2)]
    monkeypatch.setenv(VARIABLE, "library")
    again = one(up, "string", kinds, writes=writes)
    assert found == [failure(again, "x", format_)] * 2
    assert found[0][0] is ComputeError


def test_an_interrupt_is_no_error_of_the_function(format_: Format) -> None:
    """What is no ``Exception`` is not taken for one."""

    def up(_: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(one(up, "string", ["string"]), "x", format_)


def test_a_function_may_read_and_collect(format_: Format) -> None:
    """A decode inside of a decode has its own scratch."""
    inner = one(str.upper, "string", ["string"])

    def up(text: str) -> str:
        gc.collect()
        return read(inner, text, format_).b + text

    assert read(one(up, "string", ["string"]), "x", format_).b == "Xx"


def test_threads_do_not_share_a_scratch(format_: Format) -> None:
    """Each read has the values of its own payload."""
    opened = one(lambda text: "".join(reversed(text)), "string", ["string"])
    writer, reader = opened.codec("state", format=format_, version=1), opened.codec("state")

    def work() -> None:
        for number in range(200):
            state: Any = reader.decode(
                writer.encode(writer.from_builtins({"a": f"{number}!", "n": number}))
            )
            assert (state.b, state.n) == (f"!{number}"[:1] + str(number)[::-1], number)

    in_threads(work)


def test_more_fields_than_there_is_room_on_the_stack(format_: Format) -> None:
    """A long record with a function is read as any other."""
    many = [field(f"f{n}", "string") for n in range(60)]
    op = compute(reads=tuple(f"f{n}" for n in range(40)), writes="all", up=_all, down=None,
                 lossy=tuple(f"f{n}" for n in range(40)))  # fmt: skip
    opened = registry([many, [*many[40:], field("all", "string")]], [op])
    writer, reader = opened.codec("state", format=format_, version=1), opened.codec("state")
    blob = writer.encode(writer.from_builtins({f"f{n}": str(n) for n in range(60)}))
    state: Any = reader.decode(blob)
    assert (state.all, state.f59) == (",".join(map(str, range(40))), "59")


def _all(*texts: str) -> str:
    return ",".join(texts)


def test_a_record_of_nulls_is_null_and_of_some_is_refused(format_: Format) -> None:
    """Older versions need both values of an optional record, or none."""
    address = record("Address", field("street", "string"), field("city", "string"))
    old = [field("home", optional(address))]
    new = [field("street", optional("string")), field("city", optional("string"))]
    opened = registry([old, new], [hoist("home.street"), hoist("home.city")])
    writer = opened.codec("state", format=format_)
    reader: Any = opened.codec("state", version=1)

    def home(street: str | None, city: str | None) -> Any:
        blob = writer.encode(writer.from_builtins({"street": street, "city": city}))
        return reader.to_builtins(reader.decode(blob))["home"]

    assert home(None, None) is None
    assert home("s", "c") == {"street": "s", "city": "c"}
    with pytest.raises(NewerVersion, match="city: null"):
        home("s", None)


@pytest.mark.parametrize("engine", ["kernel", "library"])
def test_a_rule_for_null_gives_a_member_where_the_record_was_null(
    format_: Format, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that was inside of a null record is null to the rules of later versions."""
    monkeypatch.setenv(VARIABLE, engine)
    kind, count = enum("Color", "RED", "BLUE"), field("n", "int")
    bare = field("box", optional(record("Box", count)))
    opened = registry(
        [
            [field("box", optional(record("Box", field("c", kind), count)))],
            [bare, field("c", optional(kind))],
            [bare, field("c", kind)],
        ],
        [hoist("box.c")],
        [convert("c", or_else("RED"))],
    )
    writer: Any = opened.codec("state", format=format_, version=1)
    reader: Any = opened.codec("state")
    red, blue = opened.subject("state").types(3).enum("Color")
    assert reader.decode(writer.encode(writer.from_builtins({"box": None}))).c is red
    full = {"box": {"c": "BLUE", "n": 1}}
    assert reader.decode(writer.encode(writer.from_builtins(full))).c is blue


def test_a_result_is_narrowed_as_a_value_of_the_writer_is(format_: Format) -> None:
    """What a function gives fits its own version, and may not fit the one before that."""
    opened = registry(
        [[field("a", "int")], [field("a", "long")], [field("b", "string")]],
        [],
        [compute(reads="a", writes="b", up=str, down=int)],
    )
    writer: Any = opened.codec("state", format=format_)
    reader: Any = opened.codec("state", version=1)
    assert len(opened.subject("state").plan(3, 1).segments) == 1
    assert reader.decode(writer.encode(writer.from_builtins({"b": "5"}))).a == 5
    blob = writer.encode(writer.from_builtins({"b": str(2**31)}))
    with pytest.raises(NewerVersion, match="a: expected an int"):
        reader.decode(blob)
    with pytest.raises(NotExpressible):
        writer.decode(blob, version=1)
