"""Data written at one version of a real schema and read at another, where it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from material import material
from suites.avro_cases import Tally, alike, cases, plain, untag

from instar.codec.library.avro import ENGINE
from instar.codec.library.avro_guard import read_varint
from instar.codec.library.format import Reading
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.types import SchemaTypes, build_types
from instar.errors import InstarError, MigrationMismatch, SchemaSyntaxError
from instar.migrations.derive import derive
from instar.schemas.avro import incompatibilities, parse_avro
from instar.schemas.avro.text import AvroText

SUITE = ("cross-version-avro", "handout")
MIGRATION = "need a migration for the step, though not for this value"
RENAMED = "rename a record in its place, which we read as the same one"
INVALID = "have a schema that Avro does not allow"
INAPPLICABLE: Mapping[str, Mapping[str, int]] = {
    "ga4gh-variants-avro": {INVALID: 6, RENAMED: 6},
    "gobblin-gaas-observability": {MIGRATION: 3},
    "hudi-archived-meta-entry": {INVALID: 30},
    "hudi-commit-metadata": {MIGRATION: 10},
    "radar-phone-usage-event": {INVALID: 12, MIGRATION: 1},
}
FAMILIES = (
    *("datahub-mce", "ga4gh-variants-avro", "gobblin-gaas-observability"),
    *("gobblin-metadata-change-event", "hudi-archived-meta-entry", "hudi-commit-metadata"),
    *("nutch-webpage", "radar-altoida-summary", "radar-phone-usage-event"),
    *("venice-kafka-message-envelope", "venice-partition-state", "venice-push-job-details"),
    "wherehows-inventory-event",
)


def _file(family: str, version: int) -> Path:
    """The one file that defines a version; it was made of several where it had to be."""
    folder = material("histories", family)
    inlined = folder / f"v{version}.inlined.avsc"
    return inlined if inlined.exists() else folder / f"v{version}.avsc"


def _bare(node: Any) -> Any:
    """A schema without its logical types: the views of the suite have none."""
    if isinstance(node, list):
        return [_bare(part) for part in node]
    if isinstance(node, dict):
        return {key: _bare(value) for key, value in node.items() if key != "logicalType"}
    return node


@cache
def document_of(family: str, version: int) -> Any:
    path = _file(family, version)
    return _bare(AvroText(path.read_text(), str(path), lenient=True).document())


@cache
def types_of(family: str, version: int) -> SchemaTypes:
    text, where = json.dumps(document_of(family, version)), f"{family} v{version}"
    return build_types(parse_avro(text, subject="s", version=version, where=where))


def payload_of(family: str, version: int, blob: bytes) -> bytes:
    """The root record; where the document is a union at the top, a branch stands before it."""
    document = document_of(family, version)
    if not isinstance(document, list):
        return blob
    index, start = read_varint(blob, 0)
    assert document[index]["name"] == types_of(family, version).schema.root.rpartition(".")[2]
    return blob[start:]


@cache
def decoder(family: str, writer: int, reader: int) -> Any:
    """A decoder of one version as another. Raises MigrationMismatch where there is no way."""
    old, new = types_of(family, writer), types_of(family, reader)
    graph = None if writer == reader else derive(old.schema, new.schema)
    return ENGINE.decoder(Reading(old, graph, new), DEFAULT_LIMITS)


def _read(family: str, writer: int, reader: int, payload: bytes) -> Any:
    try:
        state = decoder(family, writer, reader)(payload)
    except InstarError as error:
        return error
    return plain(state, types_of(family, reader))


def _wanted(case: dict[str, Any]) -> list[Any]:
    """What the two other readers give: their view, or None for an error."""
    if case["outcome"] == "disputed":
        return [untag(case.get("fastavro_view")), untag(case.get("avro_py_view"))]
    return [untag(case.get("reader_view"))]


def _why_not(family: str, writer: int, reader: int, found: Any) -> str | None:
    """Why a reading that differs from Avro's is none of ours to mend, if it is so."""
    if isinstance(found, MigrationMismatch):
        return MIGRATION
    kinds = incompatibilities(types_of(family, writer).schema, types_of(family, reader).schema)
    if kinds and all(one.kind == "name_mismatch" for one in kinds):
        return RENAMED
    return None


@pytest.mark.parametrize("family", FAMILIES)
def test_values_across_versions(family: str) -> None:
    """A real payload is read as the writer meant it, and as another version as Avro reads it."""
    tally = Tally(f"cross-version-avro, {family}")
    for index, case in enumerate(cases(*SUITE, f"{family}.jsonl")):
        writer, reader = case["from"], case["to"]
        try:
            for version in (writer, reader):
                types_of(family, version)
        except SchemaSyntaxError:
            tally.inapplicable[INVALID] += 1
            continue
        payload = payload_of(family, writer, bytes.fromhex(case["blob_hex"]))
        own = _read(family, writer, writer, payload)
        tally.check(f"line {index + 1} as written", own, untag(case["writer_view"]))
        found = _read(family, writer, reader, payload)
        view = None if isinstance(found, InstarError) else found
        wanted = _wanted(case)
        reason = _why_not(family, writer, reader, found)
        if reason is None or any(alike(view, one) for one in wanted):
            tally.check(
                f"line {index + 1}", view, next((w for w in wanted if alike(view, w)), wanted)
            )
        else:
            tally.inapplicable[reason] += 1
    tally.report(INAPPLICABLE.get(family))
