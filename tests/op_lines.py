"""Random lines of versions in which each step needs ops, with the ops that join them.

What an op does to a schema is written down here once more, apart from the code under test:
a line that the registry does not open is a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from evolve import registry
from hypothesis import strategies as st

from instar import Registry
from instar.migrations import (
    add,
    compute,
    convert,
    head,
    hoist,
    null_if,
    or_else,
    plunge,
    remove,
    rename,
    within,
    wrap,
)
from instar.migrations.ops import Op
from instar.schemas.model import JsonValue

Version: TypeAlias = dict[str, Any]
"""The fields of a version: an Avro type for each name."""
Step: TypeAlias = Callable[["Line", st.DataObject], "Op | None"]

SYMBOLS = ["RED", "BLUE", "GREEN"]


@dataclass
class Line:
    """A line in the making: its newest version, and names that were never used."""

    root: Version
    leaf: Version
    names: count[int] = field(default_factory=count)
    settled: set[str] = field(default_factory=set[str])
    """Fields of the version before this one: one step changes each of them once."""

    def fresh(self) -> str:
        return f"n{next(self.names)}"

    def pick(self, data: st.DataObject, of: Callable[[Any], bool]) -> str | None:
        """The name of a root field of some kind, if there is one that no op has changed."""
        found = [name for name, kind in self.root.items() if name in self.settled and of(kind)]
        if found:
            chosen = data.draw(st.sampled_from(found))
            self.settled.discard(chosen)
            return chosen
        return None

    def fields(self) -> list[dict[str, Any]]:
        """The root's fields as Avro has them, with each named type defined once."""
        seen: set[str] = set()
        return [
            {"name": name, "type": self._defined(kind, seen)} for name, kind in self.root.items()
        ]

    def _defined(self, kind: Any, seen: set[str]) -> Any:
        if isinstance(kind, list):
            return [self._defined(inner, seen) for inner in kind]
        if not isinstance(kind, dict):
            return kind
        if kind["type"] in ("array", "map"):
            key = "items" if kind["type"] == "array" else "values"
            return {**kind, key: self._defined(kind[key], seen)}
        if kind["name"] in seen:
            return kind["name"]
        seen.add(kind["name"])
        fields = kind.get("of", self.leaf if kind["name"] == "Leaf" else None)
        if fields is None:
            return kind
        listed = [{"name": n, "type": self._defined(k, seen)} for n, k in fields.items()]
        return {"type": "record", "name": kind["name"], "fields": listed}


ADDED: list[tuple[Any, JsonValue]] = [
    ("int", 7),
    ("string", "d"),
    (["null", "long"], None),
    ({"type": "array", "items": "int"}, [1, 2]),
]
LEAF = {"type": "record", "name": "Leaf"}


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def enum(name: str, *symbols: str) -> dict[str, Any]:
    return {"type": "enum", "name": name, "symbols": list(symbols)}


def start() -> Line:
    """The first version."""
    return Line(
        {
            "i": "int",
            "t": "string",
            "o": ["null", "long"],
            "e": enum("E0", *SYMBOLS),
            "one": LEAF,
            "many": array(LEAF),
            "maybe": ["null", LEAF],
            "named": {"type": "map", "values": LEAF},
        },
        {"v": "int", "w": "string"},
    )


def is_integer(kind: Any) -> bool:
    return kind in ("int", "long")


def is_text(kind: Any) -> bool:
    return kind == "string"


def is_plain(kind: Any) -> bool:
    return is_integer(kind) or is_text(kind)


def is_enum(kind: Any) -> bool:
    return isinstance(kind, dict) and kind["type"] == "enum"


def is_list(kind: Any) -> bool:
    return isinstance(kind, dict) and kind["type"] == "array"


def is_box(kind: Any) -> bool:
    return isinstance(kind, dict) and "of" in kind


def _move(version: Version, old: str, new: str, kind: Any) -> None:
    """Rename in place, so that the order is the target's own."""
    items = [(new, kind) if name == old else (name, k) for name, k in version.items()]
    version.clear()
    version.update(items)


def _rename(line: Line, data: st.DataObject) -> Op | None:
    old, new = line.pick(data, lambda _: True), line.fresh()
    if old is None:
        return None
    _move(line.root, old, new, line.root[old])
    return rename(old, new)


def _add(line: Line, data: st.DataObject) -> Op | None:
    name = line.fresh()
    kind, default = data.draw(st.sampled_from(ADDED))
    line.root[name] = kind
    return add(name, default=default)


def _remove(line: Line, data: st.DataObject) -> Op | None:
    name = line.pick(data, is_plain)
    if name is None:
        return None
    kind = line.root.pop(name)
    return remove(name, default=3 if is_integer(kind) else "gone")


def _wrap(line: Line, data: st.DataObject) -> Op | None:
    name = line.pick(data, lambda kind: is_plain(kind) or isinstance(kind, list))
    if name is None:
        return None
    kind = line.root[name]
    line.root[name] = array(kind[1] if isinstance(kind, list) else kind)
    return wrap(name)


def _head(line: Line, data: st.DataObject) -> Op | None:
    name = line.pick(data, is_list)
    if name is None:
        return None
    line.root[name] = ["null", line.root[name]["items"]]
    return head(name)


def _no_list(line: Line, data: st.DataObject) -> Op | None:
    name = line.pick(data, is_list)
    if name is None:
        return None
    line.root[name] = ["null", line.root[name]]
    return convert(name, null_if([]))


def _some_list(line: Line, data: st.DataObject) -> Op | None:
    name = line.pick(data, lambda kind: isinstance(kind, list) and is_list(kind[1]))
    if name is None:
        return None
    line.root[name] = line.root[name][1]
    return convert(name, or_else([], null_again=data.draw(st.booleans())))


def _symbols(line: Line, data: st.DataObject) -> Op | None:
    name = line.pick(data, is_enum)
    if name is None:
        return None
    kind = line.root[name]
    old, new = data.draw(st.sampled_from(kind["symbols"])), line.fresh().upper()
    symbols = [new if symbol == old else symbol for symbol in kind["symbols"]]
    line.root[name] = enum(f"E{line.fresh()}", *symbols)
    return convert(name, {old: new})


def _spell(line: Line, data: st.DataObject) -> Op | None:
    """An enum becomes text."""
    name = line.pick(data, is_enum)
    if name is None:
        return None
    first = line.root[name]["symbols"][0]
    line.root[name] = "string"
    return convert(name, {first: "#f00"})


def _double(line: Line, data: st.DataObject) -> Op | None:
    name, new = line.pick(data, is_integer), line.fresh()
    if name is None:
        return None
    kind = line.root.pop(name)
    line.root[new] = "string"
    parse = int if kind == "long" else _small
    return compute(reads=name, writes=new, up=str, down=parse)


def _small(text: str) -> int:
    return max(-(2**31), min(int(text or 0), 2**31 - 1))


def _in_leaf(line: Line, data: st.DataObject) -> Op | None:
    name = line.fresh()
    place = data.draw(st.sampled_from(["one", "many[]", "maybe", "named[*]"]))
    held = place.partition("[")[0]
    # An op of an earlier version may have made another shape of it.
    if held not in line.settled or line.root[held] != start().root[held]:
        return None
    line.settled.discard(held)
    if data.draw(st.booleans()):
        line.leaf[name] = "int"
        return within(place, add(name, default=5))
    old = data.draw(st.sampled_from(list(line.leaf)))
    kind = line.leaf.pop(old)
    if is_text(kind) and data.draw(st.booleans()):
        line.leaf[name] = "string"
        up, down = str.swapcase, str.swapcase
        return within(place, compute(reads=old, writes=name, up=up, down=down))
    line.leaf[name] = kind
    return within(place, rename(old, name))


def _plunge(line: Line, data: st.DataObject) -> Op | None:
    name, box = line.pick(data, is_plain), line.fresh()
    if name is None:
        return None
    kind = line.root.pop(name)
    line.root[box] = {"type": "record", "name": f"Box{box}", "of": {"inner": kind}}
    return plunge(name, box, "inner")


def _hoist(line: Line, data: st.DataObject) -> Op | None:
    box, name = line.pick(data, is_box), line.fresh()
    if box is None:
        return None
    line.root[name] = line.root.pop(box)["of"]["inner"]
    return hoist(f"{box}.inner", name)


STEPS: tuple[Step, ...] = (
    _rename, _add, _remove, _wrap, _head, _no_list, _some_list,
    _symbols, _spell, _double, _in_leaf, _plunge, _hoist,
)  # fmt: skip


@st.composite
def op_lines(draw: st.DrawFn, versions: int = 4) -> Registry:
    """A registry whose steps each have one or two ops."""
    data, line = draw(st.data()), start()
    fields, ops = [line.fields()], []
    for _ in range(draw(st.integers(1, versions - 1))):
        line.settled = set(line.root)
        steps = draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=2, unique=True))
        made = [op for op in (step(line, data) for step in steps) if op is not None]
        ops.append(made)
        fields.append(line.fields())
    return registry(fields, *ops)
