"""A large schema for measuring: a quarter of a megabyte, hundreds of types, both languages.

The types are those of a real one in kind: records of a dozen documented fields that use
each other, enums, lists, maps, optionals, unions, times and defaults.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import UUID

KIBIBYTE = 1024
_DOC = "What the field number {} of this record is for, in a sentence of the usual length."


def big_avsc(size: int = 250 * KIBIBYTE) -> str:
    """The text of an ``.avsc`` of at least ``size`` bytes, whose root is ``Big``."""
    records: list[dict[str, Any]] = []
    length = 0
    for index in count():
        if length >= size:
            break
        records.append(_record(index))
        length += len(json.dumps(records[-1])) + len(_use(index))
    # Each record is defined where the root uses it, and before the next one refers to it.
    fields = [{"name": f"part_{i}", "type": record} for i, record in enumerate(records)]
    return json.dumps({"type": "record", "name": "Big", "namespace": "bench", "fields": fields})


def _use(index: int) -> str:
    return json.dumps({"name": f"part_{index}", "type": ""})


def _record(index: int) -> dict[str, Any]:
    return {
        "type": "record",
        "name": f"Part{index}",
        "doc": f"Part number {index}.",
        "fields": [
            {"name": f"{name}_{index}", "doc": _DOC.format(place), **field}
            for place, (name, field) in enumerate(_fields(index))
        ],
    }


def _fields(index: int) -> Iterator[tuple[str, dict[str, Any]]]:
    symbols = ["PENDING", "RUNNING", "DONE"]
    yield "id", {"type": {"type": "string", "logicalType": "uuid"}}
    yield "title", {"type": "string", "default": "untitled"}
    yield "state", {"type": {"type": "enum", "name": f"State{index}", "symbols": symbols}}
    yield "steps", {"type": "long", "default": 0}
    yield "ratio", {"type": "double", "default": 0.5}
    yield "created", {"type": {"type": "long", "logicalType": "timestamp-micros"}}
    yield "tags", {"type": {"type": "array", "items": "string"}, "default": []}
    yield "counts", {"type": {"type": "map", "values": "long"}, "default": {}}
    yield "note", {"type": ["null", "string"], "default": None}
    yield "extra", {"type": {"type": "bytes", "logicalType": "json"}, "default": "{}"}
    if index:
        before = f"Part{index - 1}"
        yield "before", {"type": ["null", before], "default": None}
        yield "content", {"type": ["string", "long", before]}


def next_avsc(text: str) -> str:
    """The next version of such an ``.avsc``: each of the parts has one more field."""
    document = json.loads(text)
    added = {"name": "added", "type": ["null", "string"], "default": None}
    for use in document["fields"]:
        use["type"]["fields"].append(added)
    return json.dumps(document)


def big_document(text: str) -> dict[str, Any]:
    """The JSON form of a state of such an ``.avsc``, with little more than it has to have."""
    return {
        use["name"]: {
            f"id_{index}": str(UUID(int=index)),
            f"state_{index}": "RUNNING",
            f"created_{index}": "2026-01-02T03:04:05Z",
            f"extra_{index}": 1,  # no list or object: the parts go deeper than JSON may
            **({f"content_{index}": "text"} if index else {}),
        }
        for index, use in enumerate(json.loads(text)["fields"])
    }


def big_proto(size: int = 250 * KIBIBYTE) -> str:
    """The text of a ``.proto`` of at least ``size`` bytes, whose root is ``Big``."""
    messages: list[str] = []
    for index in count():
        if sum(map(len, messages)) >= size:
            break
        messages.append(_message(index))
    uses = "".join(f"  Part{i} part_{i} = {i + 1};\n" for i in range(len(messages)))
    return (
        'syntax = "proto3";\npackage bench;\n'
        'import "google/protobuf/timestamp.proto";\n'
        f"{''.join(messages)}message Big {{\n{uses}}}\n"
    )


def _message(index: int) -> str:
    lines = [
        f"  // {_DOC.format(number)}\n  {declared}_{index} = {number};\n"
        for number, declared in enumerate(_declarations(index), start=1)
    ]
    return (
        f"// Part number {index}.\nmessage Part{index} {{\n"
        "  enum State { PENDING = 0; RUNNING = 1; DONE = 2; }\n"
        f"{''.join(lines)}}}\n"
    )


def _declarations(index: int) -> Iterator[str]:
    yield from ("string id", "string title", "State state", "int64 steps", "double ratio")
    yield from ("google.protobuf.Timestamp created", "repeated string tags")
    yield from ("map<string, int64> counts", "optional string note", "bytes extra")
    if index:
        yield f"Part{index - 1} before"
