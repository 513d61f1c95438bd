"""A subject of three versions whose steps use every op, at the root and in records inside."""

from __future__ import annotations

from functools import cache
from typing import Any

from evolve import carry, enum, field, optional, record, registry

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


ADDRESS = record(
    "Address", field("street", "string"), field("city", "string"), field("code", "int")
)
CODED = record("Address", field("code", "long"))
AUTHOR = record("Author", field("name", "string"), field("age", "int"))
OLD_MESSAGE = record("Message", field("author", AUTHOR), field("text", "string"))


def _message(author: dict[str, Any]) -> dict[str, Any]:
    name, text = field("author_name", "string"), field("text", "string")
    return record("Message", field("author", author), text, name)


AGED = record("Author", field("age", "int"))
LATER_AGED = record("Author", field("years", "string"))
CONTACT = record("Contact", field("phone", optional("string")), field("mail", optional("string")))
PLACE = record("Place", field("lat", "double"), field("lon", "double"))
SPOT = record("Spot", field("height", "int"))
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
    field("total", "int"),
    field("height", "int"),
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
    field("address", optional(CODED)),
    field("contact", optional(CONTACT)),
    field("place", PLACE),
    field("width", "string"),
    field("height", "string"),
    field("total", "long"),
    field("spot", optional(SPOT)),
    field("tree", _node("title")),
    field("messages", array(_message(AGED))),
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
    field("address", optional(CODED)),
    field("contact", optional(CONTACT)),
    field("place", PLACE),
    field("extent", "string"),
    field("sum", "string"),
    field("spot", optional(SPOT)),
    field("tree", _node("name")),
    field("messages", array(_message(LATER_AGED))),
    field("notes", array("string")),
]


def _parts(name: str) -> tuple[str, str]:
    first, _, last = name.partition(" ")
    return first, last


def _number(text: str) -> int:
    return int(text)


def _bounded(text: str) -> int:
    return min(int(text), 2**31 - 1)


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
        plunge("height", "spot"),
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
        compute(reads="total", writes="sum", up=str, down=_number),
        convert("status", {"NEW": "OPEN"}),
        rename("level", "rank"),
        convert("rank", {"low": "base"}),
        rename("count", "counts"),
        head("owner"),
        rename("city", "town"),
        within("messages[].author", compute(reads="age", writes="years", up=str, down=_bounded)),
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
    "address": {"street": "Main", "city": "Rome", "code": 9},
    "phone": None,
    "mail": "a@b",
    "lat": 1.5,
    "lon": -2.25,
    "size": "12x34",
    "total": 2147483647,
    "height": 4,
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
    "address": {"code": 9},
    "contact": {"phone": None, "mail": "a@b"},
    "place": {"lat": 1.5, "lon": -2.25},
    "extent": "12 x 34 cm",
    "sum": "2147483647",
    "spot": {"height": 4},
    "tree": {"v": 1, "name": "tOP", "children": [{"v": 2, "name": "IN", "children": []}]},
    "messages": [
        {"author": {"years": "7"}, "text": "one", "author_name": "Bo"},
        {"author": {"years": "8"}, "text": "two", "author_name": "Cy"},
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
    "address": None,
    "contact": None,
    "messages": [],
}
DOCUMENTS = {1: (FULL, BARE), LATEST: (LATEST_FULL, LATEST_BARE)}
"""States of the oldest version and the same of the newest, in JSON form."""


WAYS = ((1, LATEST), (2, 1), (LATEST, 1))
"""Of the last only the step to version 2 is in its first pass: an op there reaches into a record
that a function makes."""


def documents(version: int) -> tuple[dict[str, Any], ...]:
    """States of a version in JSON form."""
    if version in DOCUMENTS:
        return DOCUMENTS[version]
    return tuple(carry(moving(), plain, 1, version, "json") for plain in DOCUMENTS[1])


@cache
def moving() -> Registry:
    """The subject ``state``."""
    return registry([FIRST, SECOND, THIRD], *STEPS)
