"""A subject of three versions whose steps use every op, at the root and in records inside."""

from __future__ import annotations

from functools import cache
from typing import Any

from evolve import enum, field, optional, record, registry

from instar import Registry
from instar.migrations import (
    add,
    compute,
    convert,
    head,
    hoist,
    plunge,
    remove,
    rename,
    split,
    within,
    wrap,
)

LATEST = 3


def array(items: Any) -> dict[str, Any]:
    """A list as Avro has it."""
    return {"type": "array", "items": items}


def _node(label: str) -> dict[str, Any]:
    children = array("Node")
    return record("Node", field("v", "int"), field(label, "string"), field("children", children))


ADDRESS = record("Address", field("street", "string"), field("city", "string"))
AUTHOR = record("Author", field("name", "string"), field("age", "int"))
OLD_MESSAGE = record("Message", field("author", AUTHOR), field("text", "string"))
AGED = record("Author", field("age", "int"))
MESSAGE = record(
    "Message", field("author", AGED), field("text", "string"), field("author_name", "string")
)
CONTACT = record("Contact", field("phone", optional("string")), field("mail", optional("string")))
PLACE = record("Place", field("lat", "double"), field("lon", "double"))
EVENT = record("Event", field("at", "long"))
LATER_EVENT = record("Event", field("since", "long"))

FIRST = [
    field("id", "string"),
    field("name", "string"),
    field("status", enum("Status", "NEW", "DONE", "FAILED")),
    field("level", enum("Level", "LOW", "HIGH")),
    field("count", "int"),
    field("owner", optional("long")),
    field("tags", array("string")),
    field("address", optional(ADDRESS)),
    field("phone", optional("string")),
    field("mail", optional("string")),
    field("lat", "double"),
    field("lon", "double"),
    field("size", "string"),
    field("tree", _node("label")),
    field("messages", array(OLD_MESSAGE)),
    field("events", {"type": "map", "values": EVENT}),
    field("gone", "bytes"),
]
SECOND = [
    field("id", "string"),
    field("first", "string"),
    field("last", "string"),
    field("status", enum("Phase", "NEW", "COMPLETED", "FAILED")),
    field("level", "string"),
    field("count", array("int")),
    field("owner", array("long")),
    field("tags", optional("string")),
    field("street", optional("string")),
    field("city", optional("string")),
    field("contact", optional(CONTACT)),
    field("place", PLACE),
    field("width", "string"),
    field("height", "string"),
    field("tree", _node("title")),
    field("messages", array(MESSAGE)),
    field("events", {"type": "map", "values": LATER_EVENT}),
    field("unit", "string", default="cm"),
]
THIRD = [
    field("events", {"type": "map", "values": LATER_EVENT}),
    field("id", "string"),
    field("full", "string"),
    field("letters", "int"),
    field("status", enum("Phase", "OPEN", "COMPLETED", "FAILED")),
    field("rank", "string"),
    field("counts", array("int")),
    field("owner", optional("long")),
    field("tags", optional("string")),
    field("town", optional("string")),
    field("street", optional("string")),
    field("contact", optional(CONTACT)),
    field("place", PLACE),
    field("extent", "string"),
    field("tree", _node("name")),
    field("messages", array(MESSAGE)),
    field("notes", array("string")),
]


def _parts(name: str) -> tuple[str, str]:
    first, _, last = name.partition(" ")
    return first, last


def _joined(first: str, last: str) -> str:
    return f"{first} {last}"


def _whole(first: str, last: str) -> tuple[str, int]:
    return f"{first} {last}", len(first) + len(last)


def _apart(full: str, _: int) -> tuple[str, str]:
    return _parts(full)


def _extent(width: str, height: str, unit: str) -> str:
    return f"{width} x {height} {unit}"


def _sides(extent: str) -> tuple[str, str, str]:
    width, _, rest = extent.partition(" x ")
    height, _, unit = rest.partition(" ")
    return width, height, unit


STEPS = (
    (
        compute(reads="name", writes=("first", "last"), up=_parts, down=_joined),
        convert("status", {"DONE": "COMPLETED"}),
        convert("level", {"LOW": "low", "HIGH": "high"}),
        wrap("count"),
        wrap("owner"),
        head("tags"),
        hoist("address.city"),
        hoist("address.street"),
        plunge("phone", "contact"),
        plunge("mail", "contact"),
        plunge("lat", "place"),
        plunge("lon", "place"),
        convert("size", split(r"(\d+)x(\d+)", "{0}x{1}"), into=("width", "height")),
        within("tree", compute(reads="label", writes="title", up=str.swapcase, down=str.swapcase)),
        within("messages[]", hoist("author.name", "author_name")),
        within("events[*]", rename("at", "since")),
        remove("gone", default=""),
    ),
    (
        compute(reads=("first", "last"), writes=("full", "letters"), up=_whole, down=_apart),
        compute(reads=("width", "height", "unit"), writes="extent", up=_extent, down=_sides),
        convert("status", {"NEW": "OPEN"}),
        rename("level", "rank"),
        convert("rank", {"low": "base"}),
        rename("count", "counts"),
        head("owner"),
        rename("city", "town"),
        within("tree", rename("title", "name")),
        add("notes", default=["moved"]),
    ),
)

FULL: dict[str, Any] = {
    "id": "a-1",
    "name": "Ada Lovelace",
    "status": "DONE",
    "level": "LOW",
    "count": 3,
    "owner": 12,
    "tags": ["x", "y"],
    "address": {"street": "Main", "city": "Rome"},
    "phone": None,
    "mail": "a@b",
    "lat": 1.5,
    "lon": -2.25,
    "size": "12x34",
    "tree": {"v": 1, "label": "Top", "children": [{"v": 2, "label": "in", "children": []}]},
    "messages": [
        {"author": {"name": "Bo", "age": 7}, "text": "one"},
        {"author": {"name": "Cy", "age": 8}, "text": "two"},
    ],
    "events": {"k": {"at": 5}},
    "gone": "",
}
BARE: dict[str, Any] = {
    **FULL,
    "status": "NEW",
    "level": "HIGH",
    "owner": None,
    "tags": [],
    "address": None,
    "mail": None,
    "messages": [],
    "events": {},
}
LATEST_FULL: dict[str, Any] = {
    "events": {"k": {"since": 5}},
    "id": "a-1",
    "full": "Ada Lovelace",
    "letters": 11,
    "status": "COMPLETED",
    "rank": "base",
    "counts": [3],
    "owner": 12,
    "tags": "x",
    "town": "Rome",
    "street": "Main",
    "contact": {"phone": None, "mail": "a@b"},
    "place": {"lat": 1.5, "lon": -2.25},
    "extent": "12 x 34 cm",
    "tree": {"v": 1, "name": "tOP", "children": [{"v": 2, "name": "IN", "children": []}]},
    "messages": [
        {"author": {"age": 7}, "text": "one", "author_name": "Bo"},
        {"author": {"age": 8}, "text": "two", "author_name": "Cy"},
    ],
    "notes": ["moved"],
}
LATEST_BARE: dict[str, Any] = {
    **LATEST_FULL,
    "events": {},
    "status": "OPEN",
    "rank": "high",
    "owner": None,
    "tags": None,
    "town": None,
    "street": None,
    "contact": None,
    "messages": [],
}
DOCUMENTS = {1: (FULL, BARE), LATEST: (LATEST_FULL, LATEST_BARE)}
"""States of the oldest version and the same of the newest, in JSON form."""


@cache
def moving() -> Registry:
    """The subject ``state``."""
    return registry([FIRST, SECOND, THIRD], *STEPS)
