from __future__ import annotations

from typing import Any

import pytest
from compatibility.make import line, message
from compatibility.pairs import BODIES, DATE, FIELDS, JSON, MICROS, MILLIS, TYPES, UUID

from instar.codec.compatibility import Direction, Settings, Verdict, run
from instar.codec.compatibility.change import RAW_FORMATS, RawFormat
from instar.schemas.model import Schema

WAYS: tuple[Direction, ...] = ("backward", "forward")
FEW = Settings(examples=12)


def agreed(older: Schema, newer: Schema) -> None:
    """Rules and run say the same of each format and direction, and of what does not parse."""
    for reading in RAW_FORMATS:
        for direction in WAYS:
            found = run(older, newer, direction, reading, FEW)
            assert found.refused == ""
            assert found.disagreement == "", (reading, direction)
            said = {b.aspect for c in found.changes for b in c.broken(reading, direction)}
            assert found.layout or "layout" in said, (reading, direction)


@pytest.mark.parametrize(("before", "after"), TYPES.values(), ids=TYPES)
def test_types(before: Any, after: Any) -> None:
    """Of a field whose type changes, the rules say what every format shows when it is run."""
    older, newer = line({"a": before}, {"a": after})
    agreed(older, newer)


@pytest.mark.parametrize(("before", "after"), FIELDS.values(), ids=FIELDS)
def test_fields(before: Any, after: Any) -> None:
    """Of keys and defaults that change, the rules say what every format shows."""
    older, newer = line(before, after)
    agreed(older, newer)


@pytest.mark.parametrize(("before", "after"), BODIES.values(), ids=BODIES)
def test_messages(before: str, after: str) -> None:
    """Of what only Protobuf has, the rules say what every format shows."""
    agreed(message(1, before), message(2, after))


def avro(before: Any, after: Any) -> Verdict:
    """How a newer Avro reader takes what was written before."""
    older, newer = line({"a": before}, {"a": after})
    return run(older, newer, "backward", "avro")


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (
            MILLIS,
            MICROS,
            "is read as datetime.datetime(1970, 1, 11,",
        ),
        ("int", DATE, "0 is read as datetime.date(1970, 1, 1)"),
        (DATE, "int", "datetime.date(2000, 1, 1) is read as 10957"),
        ("string", UUID, "'' is read as uuid of ''"),
        ("bytes", JSON, "b'' is read as json of b''"),
    ],
)
def test_the_readers_logical_type_holds(before: Any, after: Any, what: str) -> None:
    """A logical type is the reader's, as Avro asks, though fastavro takes the writer's."""
    found = avro(before, after)
    assert found.layout
    assert what in found.failures[0].what


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"type": "int", "logicalType": "unheard-of"}, "int"),
        (UUID, "string"),
        (["null", "int", "long"], ["null", "double", "long", "int"]),
        (["string", "bytes"], ["string", "bytes", "int"]),
        (MICROS, MICROS),
    ],
)
def test_what_means_the_same(before: Any, after: Any) -> None:
    """Logical types nobody knows, a UUID as its text, and branches of the very type, are kept."""
    assert avro(before, after).compatible


@pytest.mark.parametrize("reading", RAW_FORMATS)
def test_bytes_that_are_no_text_are_not_passed_over(reading: RawFormat) -> None:
    """Bytes read as text are another value wherever they are not UTF-8, in every format."""
    older, newer = line({"a": "bytes"}, {"a": "string"})
    assert not run(older, newer, "backward", reading).compatible
