"""Reads the schemas of other projects, where they lie beside the checkout."""

from __future__ import annotations

from collections import Counter

from material import material

from instar.errors import SchemaError, SchemaSyntaxError, UnsupportedSchema
from instar.schemas.avro import avsc_text, parse_avro, read_avro
from instar.schemas.fingerprint import fingerprint, wire_fingerprint
from instar.schemas.model import Schema
from instar.schemas.portable import schema_from_text, schema_to_text


def check_written_forms(schema: Schema) -> None:
    """Every written form of a schema that loads is whole."""
    assert schema_from_text(schema_to_text(schema)) == schema
    written = parse_avro(avsc_text(schema), subject=schema.subject, version=1, where="written")
    assert schema.language == "protobuf" or written == schema
    assert wire_fingerprint(written) == wire_fingerprint(schema)
    assert fingerprint(schema)


def report(kind: str, outcomes: Counter[str]) -> None:
    # The counts are what these tests show; pytest -s lets them through.
    print(f"{kind}: " + ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())))  # noqa: T201  # as above


def test_avro_histories_are_read_or_refused() -> None:
    """Every .avsc of the histories loads, and comes back from Avro, or has an error of its own."""
    outcomes: Counter[str] = Counter()
    for path in sorted(material("histories").glob("*/v*.avsc")):
        try:
            check_written_forms(read_avro(path, "history", 1))
            outcomes["loaded"] += 1
        except (SchemaSyntaxError, UnsupportedSchema) as error:
            outcomes[type(error).__name__ if str(path) in error.where else "misplaced"] += 1
    assert "misplaced" not in outcomes
    report("avro histories", outcomes)
    assert outcomes["loaded"] > outcomes.total() / 2


def test_schemas_with_faults_are_read_or_refused() -> None:
    """Schemas of the wild, faults and all, load or have an error of their own."""
    outcomes: Counter[str] = Counter()
    for path in sorted(material("suites", "avsc-dirty", "handout").glob("*.avsc")):
        try:
            check_written_forms(read_avro(path, "dirty", 1))
            outcomes["loaded"] += 1
        except SchemaError as error:
            outcomes[type(error).__name__] += 1
    report("schemas of the wild", outcomes)
    assert outcomes.total()
