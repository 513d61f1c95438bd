from __future__ import annotations

import json
from pathlib import Path

import fastavro

from instar import Registry
from instar.bench.big_schema import KIBIBYTE, big_avsc, big_proto
from instar.codec.library.depth import is_recursive
from instar.schemas.model import Array, Field, Optional, Record, Reference, Schema

SIZE = 20 * KIBIBYTE


def test_the_size_is_what_was_asked_for() -> None:
    """A large schema has the size that it says, and little more, in both languages."""
    for text in (big_avsc(), big_proto(), big_avsc(SIZE), big_proto(SIZE)):
        assert (len(text) > SIZE * 2) == (len(text) >= 250 * KIBIBYTE)
        assert len(text) < 260 * KIBIBYTE


def test_both_open(tmp_path: Path) -> None:
    """The schemas are valid for their own tools and for us, with the same records."""
    fastavro.parse_schema(json.loads(big_avsc(SIZE)), {})
    for name, text in (("a/v1.avsc", big_avsc(SIZE)), ("p/v1.proto", big_proto(SIZE))):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    registry = Registry.open(tmp_path)
    for name in registry.subjects:
        schema = registry.subject(name).schema(1)
        assert schema.root == "bench.Big"
        assert len(schema.types) > 10
        assert not is_recursive(schema)


def record(name: str, *uses: str) -> Record:
    fields = [Field(f"f{n}", Array(Optional(Reference(use)))) for n, use in enumerate(uses)]
    return Record(name, tuple(fields))


def test_recursion_is_found_at_any_distance() -> None:
    """A record that holds itself does so directly, or through any number of others."""

    def schema(*records: Record) -> Schema:
        return Schema("s", 1, "avro", records[0].name, {r.name: r for r in records})

    assert is_recursive(schema(record("A", "A")))
    assert is_recursive(schema(record("R", "A"), record("A", "B"), record("B", "C", "A")))
    assert not is_recursive(schema(record("R", "A", "B"), record("A", "B"), record("B")))
    chain = [record(f"R{n}", f"R{n + 1}") for n in range(2000)]
    assert not is_recursive(schema(*chain, record("R2000")))
    assert is_recursive(schema(*chain, record("R2000", "R0")))
