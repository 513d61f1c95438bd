"""Strategies for Avro schema documents, with all that our reader reads in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
Node = tuple[Any, st.SearchStrategy[Any]]
"""A type, and what a default of it may be."""

_LATIN = st.text(st.characters(max_codepoint=0xFF), max_size=4)
_INTS = st.integers(-(2**31), 2**31 - 1)
_LONGS = st.integers(-(2**63), 2**63 - 1)
_INSTANTS = st.integers(-(10**12), 10**12)
_JSON_TEXT = st.sampled_from(["{}", "[]", "null", '{"a":[1,2.5,"x"]}', "3"])

_LEAVES: list[tuple[str, Node]] = [
    ("null", ("null", st.none())),
    ("boolean", ("boolean", st.booleans())),
    ("int", ("int", _INTS)),
    ("long", ("long", _LONGS)),
    ("float", ("float", st.floats(width=32))),
    ("double", ("double", st.floats() | st.integers(-100, 100))),
    ("string", ("string", st.text(max_size=4))),
    ("bytes", ("bytes", _LATIN)),
    ("string", ({"type": "string", "logicalType": "uuid"}, st.uuids().map(str))),
    ("int", ({"type": "int", "logicalType": "date"}, st.integers(-9999, 9999))),
    ("int", ({"type": "int", "logicalType": "time-millis"}, st.integers(0, 86_399_999))),
    ("long", ({"type": "long", "logicalType": "timestamp-micros"}, _INSTANTS)),
    ("long", ({"type": "long", "logicalType": "timestamp-millis"}, _INSTANTS)),
    ("long", ({"type": "long", "logicalType": "local-timestamp-micros"}, _INSTANTS)),
    ("long", ({"type": "long", "logicalType": "duration-micros"}, _INSTANTS)),
    ("long", ({"type": "long", "logicalType": "timestamp-nanos"}, _LONGS)),
    ("long", ({"type": "long", "logicalType": "colour", "unit": [1]}, _LONGS)),
    ("string", ({"type": "string", "java": {"class": "X"}}, st.text(max_size=4))),
    ("bytes", ({"type": "bytes", "logicalType": "json"}, _JSON_TEXT)),
    (
        "bytes",
        ({"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 4}, _LATIN),
    ),
]


class _Builder:
    """Draws the parts of one document and keeps their names apart."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.defined: list[tuple[str, Node]] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"N{self.count}"

    def node(self, depth: int) -> tuple[str, Node]:
        """A type that may stand anywhere, with its Avro name."""
        kinds = ["leaf", "leaf", "leaf", "enum", "fixed", "known"]
        if depth > 0:
            kinds += ["array", "map", "record"]
        kind = self.draw(st.sampled_from(kinds))
        if kind == "known" and self.defined:
            known: tuple[str, Node] = self.draw(st.sampled_from(self.defined))
            return known
        builders = {
            "enum": self._enum,
            "fixed": self._fixed,
            "array": self._array,
            "map": self._map,
            "record": self._record,
        }
        if kind in builders:
            return builders[kind](depth - 1)
        leaf: tuple[str, Node] = self.draw(st.sampled_from(_LEAVES))
        return leaf

    def field_node(self, depth: int) -> Node:
        kind = self.draw(st.sampled_from(["plain", "plain", "nullable", "union", "single"]))
        if kind == "plain":
            return self.node(depth)[1]
        if kind == "single":
            node, default = self.node(depth)[1]
            return [node], default
        count = 1 if kind == "nullable" else self.draw(st.integers(2, 4))
        branches: dict[str, Node] = {}
        for _ in range(count):
            before = len(self.defined)
            label, node = self.node(depth)
            if label in branches:
                del self.defined[before:]  # what a dropped branch defines is not there to use
            branches.setdefault(label, node)
        null = ("null", st.none())
        nodes = [node for node in branches.values() if node[0] != "null"]
        if kind == "nullable" or len(nodes) < 2:
            nodes = nodes or [("string", st.text(max_size=4))]
            nodes.insert(self.draw(st.integers(0, len(nodes))), null)
        return [node for node, _ in nodes], st.one_of([default for _, default in nodes])

    def _define(self, written: dict[str, Any], default: st.SearchStrategy[Any]) -> tuple[str, Node]:
        if self.draw(st.booleans()):
            written["aliases"] = [self.name(), f"former.{self.name()}"]
        if self.draw(st.booleans()):
            written |= {"doc": self.draw(st.text(max_size=5)), "owner": ["me"]}
        name = f"space.{written['name']}"
        self.defined.append((name, (name, default)))
        return name, (written, default)

    def _enum(self, _depth: int) -> tuple[str, Node]:
        symbols = self.draw(
            st.lists(st.sampled_from("ABCDEF"), min_size=1, max_size=4, unique=True)
        )
        written = {"type": "enum", "name": self.name(), "symbols": symbols}
        if self.draw(st.booleans()):
            written["default"] = symbols[-1]
        return self._define(written, st.sampled_from(symbols))

    def _fixed(self, _depth: int) -> tuple[str, Node]:
        size = self.draw(st.sampled_from([0, 3, 12, 16]))
        text = st.text(st.characters(max_codepoint=0xFF), min_size=size, max_size=size)
        written: dict[str, Any] = {"type": "fixed", "name": self.name(), "size": size}
        if self.draw(st.booleans()):
            written["logicalType"] = {12: "duration", 16: "uuid"}.get(size, "decimal")
        return self._define(written, text)

    def _array(self, depth: int) -> tuple[str, Node]:
        items, default = self.field_node(depth)
        written = {"type": "array", "items": items}
        if self.draw(st.booleans()):
            written |= self.draw(st.sampled_from([{"vector": True}, {"vector": 3, "extra": None}]))
        return "array", (written, st.lists(default, max_size=2))

    def _map(self, depth: int) -> tuple[str, Node]:
        values, default = self.field_node(depth)
        keys = st.text(max_size=3)
        return "map", (
            {"type": "map", "values": values},
            st.dictionaries(keys, default, max_size=2),
        )

    def _record(self, depth: int) -> tuple[str, Node]:
        written: dict[str, Any] = {"type": "record", "name": self.name()}
        # Recursion: the fields may use the record itself, where a null ends it.
        recursive = [["null", f"space.{written['name']}"]] if self.draw(st.booleans()) else []
        names = self.draw(st.lists(st.sampled_from("abcdefgh"), max_size=4, unique=True))
        fields: list[dict[str, Any]] = []
        defaults: dict[str, st.SearchStrategy[Any]] = {}
        for name in names:
            type_, default = self.field_node(depth)
            fields.append(self.field(name, type_, default))
            defaults[name] = default
        for type_ in recursive:
            fields.append(self.field("again", type_, st.none()))
            defaults["again"] = st.none()
        written["fields"] = fields
        return self._define(written, st.fixed_dictionaries(defaults))

    def field(self, name: str, type_: Any, default: st.SearchStrategy[Any]) -> dict[str, Any]:
        written: dict[str, Any] = {"name": name, "type": type_}
        extras = self.draw(
            st.sets(st.sampled_from(["default", "alias", "doc", "json", "marks", "unknown"]))
        )
        if "default" in extras:
            written["default"] = self.draw(default)
        if "alias" in extras:
            written["aliases"] = [f"former_{name}"]
        if "doc" in extras:
            written["doc"] = self.draw(st.text(max_size=5))
        if "json" in extras:
            written["json"] = f"${name}-key"
        if "unknown" in extras:
            written |= {"order": "ignore", "since": 2}
        if "marks" in extras:
            written["deprecated"] = written["absent"] = True
        return written


@st.composite
def documents(draw: Draw) -> dict[str, Any]:
    """A document whose root is a record in the namespace ``space``."""
    builder = _Builder(draw)
    written: dict[str, Any] = {"type": "record", "name": "Root", "namespace": "space"}
    written["fields"] = [
        builder.field(name, *builder.field_node(3))
        for name in draw(st.lists(st.sampled_from("pqrstu"), max_size=5, unique=True))
    ]
    return written
