"""The files that Avro's implementations test each other with, where they are."""

from __future__ import annotations

import json

import fastavro
import pytest
from material import material
from suites.avro_cases import Case, Tally, bare_payload, cases, plain

from instar.codec.registry import Registry
from instar.codec.tag import read_tag
from instar.errors import CorruptPayload, UnsupportedSchema
from instar.schemas.avro import avsc_text, parse_avro, read_avro
from instar.schemas.fingerprint import wire_fingerprint

SUITE = ("suites", "avro-interop")


def test_schemas() -> None:
    """Every schema of the suite is read and written back; a root that is no record is named."""
    tally = Tally("avro-interop, schemas")
    folder = material(*SUITE)
    for path in sorted([*folder.rglob("*.avsc"), *folder.rglob("schema.json")]):
        # Person.avsc uses the type of the file beside it.
        whole = path.parent if path.name == "Person.avsc" else path
        try:
            schema = read_avro(whole, path.stem, 1)
        except UnsupportedSchema:
            tally.inapplicable["have a root that is no record"] += 1
            continue
        again = parse_avro(avsc_text(schema), subject=path.stem, version=1, where="written")
        tally.check(str(path.relative_to(folder)), again, schema)
    for _ in folder.rglob("*.av[pd][rl]"):
        tally.inapplicable["are protocols, which are no schemas"] += 1
    tally.report({"are protocols, which are no schemas": 14, "have a root that is no record": 2})


def test_records_of_container_files() -> None:
    """The records of a container, which fastavro opens, are read as its own readers read them."""
    tally = Tally("avro-interop, records")
    packed = 0
    for case in cases("avro-interop", "EXPECTED.jsonl"):
        if "records" not in case:
            tally.inapplicable["are damaged containers, which are not ours to open"] += 1
            continue
        one = Case(case["schema"])
        with material(*SUITE, case["file"]).open("rb") as file:
            container = fastavro.reader(file)
            try:
                records = list(container)
            except ValueError:
                packed += 1
                tally.inapplicable["are compressed with what is not installed"] += 1
                continue
        found = [one.decode(bare_payload(container.writer_schema, record)) for record in records]
        tally.check(case["file"], found, records)
    expected = {"are damaged containers, which are not ours to open": 4}
    if packed:
        expected["are compressed with what is not installed"] = packed
    assert packed <= 2, "only snappy and zstandard may be absent"
    tally.report(expected)


def test_the_single_object_message() -> None:
    """The message that Avro ships is found by its fingerprint, and written alike."""
    folder = material(*SUITE, "data", "messageV1")
    blob = (folder / "test_message.bin").read_bytes()
    schema = read_avro(folder / "test_schema.avsc", "test_message", 1)
    registry = Registry.of([schema])
    codec = registry.codec("test_message", framing="avro-single-object")
    assert read_tag(blob).fingerprint == wire_fingerprint(schema)
    state = codec.decode(blob)
    found = plain(state, registry.subject("test_message").types(1))
    assert found == {"id": 42, "name": "Bill", "tags": ["dog_lover", "cat_hater"]}
    assert codec.encode(state) == blob
    with pytest.raises(CorruptPayload):
        codec.decode(blob[:-1])


def test_records_of_the_weather() -> None:
    """A state that was read from a real container is written to its very bytes again."""
    with material(*SUITE, "data", "weather.avro").open("rb") as file:
        container = fastavro.reader(file)
        records = list(container)
    one = Case(json.loads(container.metadata["avro.schema"]))
    for record in records:
        assert one.encode(record) == bare_payload(container.writer_schema, record)
