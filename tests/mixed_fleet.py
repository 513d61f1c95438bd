"""A subject of two versions whose newer one has something of every kind that an older one lacks."""

from __future__ import annotations

from functools import cache
from typing import Any

from evolve import enum, field, optional, record, registry

from instar import Registry
from instar.migrations import compute, wrap


def array(items: Any) -> dict[str, Any]:
    """A list as Avro has it."""
    return {"type": "array", "items": items}


def mapping(values: Any) -> dict[str, Any]:
    """A map as Avro has it."""
    return {"type": "map", "values": values}


TOOL = record("Tool", field("name", "string"))
HUMAN = record("Human", field("email", "string"))
OLD_STEP = record("Step", field("key", "string"), field("note", "string"))
NEW_STEP = record(
    "Step",
    field("key", "string"),
    field("note", "string"),
    field("cost", "int", default=0),
    field("by", optional(HUMAN), default=None),
)
OLD = [
    field("title", "string"),
    field("status", enum("Status", "OPEN", "DONE", default="OPEN")),
    field("mood", optional(enum("Mood", "CALM"))),
    field("steps", array(OLD_STEP)),
    field("notes", mapping("Step")),
    field("pick", ["null", "string", TOOL]),
    field("parts", array(["string", "Tool"])),
    field("named", mapping(["string", "Tool"])),
    field("name", "string"),
    field("goal", optional("string")),
]
NEW = [
    field("title", "string"),
    field("status", enum("Status", "OPEN", "DONE", "STUCK", default="OPEN")),
    field("mood", optional(enum("Mood", "CALM", "CROSS"))),
    field("steps", array(NEW_STEP)),
    field("notes", mapping("Step")),
    field("pick", ["null", "string", TOOL, "Human"]),
    field("parts", array(["string", "Tool", "Human"])),
    field("named", mapping(["string", "Tool", "Human"])),
    field("first", "string"),
    field("last", "string"),
    field("goal", array("string")),
    field("budget", "int", default=0),
    field("owner", optional("Human"), default=None),
]


def split_name(name: str) -> tuple[str, str]:
    """Up: all but the last word, and the last."""
    first, _, last = name.rpartition(" ")
    return first, last


def join_name(first: str, last: str) -> str:
    """Down: which cannot be split the same way where the last name has a space."""
    return f"{first} {last}" if first else last


@cache
def fleet() -> Registry:
    """The registry of both versions."""
    named = compute(
        reads="name",
        writes=("first", "last"),
        up=split_name,
        down=join_name,
        lossy=("first", "last"),
    )
    return registry([OLD, NEW], [named, wrap("goal")])


@cache
def older() -> Registry:
    """The registry of code that was deployed before version 2 was made."""
    return registry([OLD])
