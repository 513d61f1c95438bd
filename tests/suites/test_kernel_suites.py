"""The payloads of other projects, by the kernel alone: the library engine's value, or a refusal."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from kernel_pair import Pair, Refused, alike
from msgspec.structs import replace
from suites.avro_cases import Case, cases, untag
from suites.test_avro_cross_version import FAMILIES, SUITE, payload_of, types_of
from suites.test_avro_fastavro import VECTORS

from instar.codec.library.format import Reading
from instar.errors import InstarError, MigrationMismatch, SchemaSyntaxError, ValueMismatch
from instar.migrations.derive import derive


def check(tally: Counter[str], pair: Pair, payload: bytes) -> None:
    """Both engines agree, and the kernel leaves nothing to the library engine that this takes."""
    wanted, found = pair.wanted(payload), pair.state(payload)
    if isinstance(wanted, Refused):
        assert found is NotImplemented
        tally["refused by both"] += 1
    else:
        assert alike(found, wanted)
        tally["same value"] += 1


@cache
def family_pair(family: str, writer: int, reader: int) -> Pair:
    """A reading across versions of a family. Raises MigrationMismatch where there is none."""
    old, new = types_of(family, writer), types_of(family, reader)
    graph = None if writer == reader else derive(old.schema, new.schema)
    return Pair(old, Reading(old, graph, new))


@pytest.mark.parametrize("family", FAMILIES)
def test_payloads_across_versions(family: str) -> None:
    """Each real payload is read as its writer's version and as another one."""
    tally: Counter[str] = Counter()
    for case in cases(*SUITE, f"{family}.jsonl"):
        writer, reader = case["from"], case["to"]
        for version in (writer, reader):
            try:
                pair = family_pair(family, writer, version)
                payload = payload_of(family, writer, bytes.fromhex(case["blob_hex"]))
            except (SchemaSyntaxError, MigrationMismatch):
                tally["no reading"] += 1
                continue
            check(tally, pair, payload)
            if version == writer and not isinstance(state := pair.wanted(payload), Refused):
                assert pair.payload(state) == pair.write(state)
    print(f"{family}: {dict(tally)}")  # noqa: T201 - the counts are what this shows
    assert tally["same value"]


def reading_of(case: dict[str, Any]) -> Pair | None:
    """The pair of a case of fastavro, where its schemas are Avro's and lead to each other."""
    try:
        old = Case(case["writer"])
        if "reader" not in case:
            return Pair(old.types)
        new = Case(case["reader"])
        graph = derive(old.schema, replace(new.schema, version=2))
    except InstarError:
        return None
    return Pair(old.types, Reading(old.types, graph, new.types))


def test_payloads_of_fastavros_tests() -> None:
    """Each recorded payload of fastavro's own tests, resolved where the test resolves it."""
    tally: Counter[str] = Counter()
    for case in cases(VECTORS, "decode-and-resolve.handout.jsonl"):
        pair = reading_of(case)
        if pair is None:
            tally["no reading"] += 1
        else:
            check(tally, pair, untag(case["data"]))
    print(f"fastavro-vectors, decode: {dict(tally)}")  # noqa: T201 - as above
    assert tally["same value"] > 400


def test_states_of_fastavros_tests() -> None:
    """Each recorded value of fastavro's own tests is written by the kernel alone, where the
    library engine writes it from the types that the schema names.
    """
    tally: Counter[str] = Counter()
    for case in cases(VECTORS, "encode.handout.jsonl"):
        try:
            one = Case(case["schema"])
            root: Any = one.types.root
            state = root(value=one.build(one.schema.record.fields[0].type, untag(case["record"])))
            pair = Pair(one.types)
            wanted = pair.write(state)
        except (InstarError, ValueMismatch, TypeError):
            tally["not writable"] += 1
            continue
        assert pair.payload(state) == wanted
        tally["same bytes"] += 1
    print(f"fastavro-vectors, encode: {dict(tally)}")  # noqa: T201 - as above
    assert tally["same bytes"] > 200
