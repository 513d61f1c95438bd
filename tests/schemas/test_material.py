"""Reads the schemas of other projects, where they lie beside the checkout."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from material import material

from instar.errors import SchemaError, SchemaSyntaxError, UnsupportedSchema
from instar.schemas.avro import avsc_text, parse_avro, read_avro
from instar.schemas.fingerprint import fingerprint, wire_fingerprint
from instar.schemas.model import Schema
from instar.schemas.portable import schema_from_text, schema_to_text
from instar.schemas.protobuf import compile_proto, read_proto

# The message that each family is about; most files hold several that no other one uses.
ROOTS = {
    "a2a-early": "task",
    "cadence-history": "history_event",
    "cline-models": "models_api_configuration",
    "cline-task": "new_task_request",
    "cline-ui-message": "cline_message",
    "durabletask-orchestrator": "history_event",
    "flyte-event": "task_execution_event",
    "ga4gh-reads-proto": "read_group",
    "otel-logs": "resource_logs",
    "otel-metrics": "resource_metrics",
    "temporal-workflow": "workflow_execution_info",
}


def version_of(path: Path) -> int:
    found = re.search(r"\d+", path.name)
    assert found
    return int(found[0])


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


@pytest.fixture
def families(tmp_path: Path) -> list[tuple[Path, str]]:
    """The first and last version of each family beside its imports, with the subject."""
    found: list[tuple[Path, str]] = []
    for family in sorted(path for path in material("histories").iterdir() if path.is_dir()):
        versions = sorted(family.glob("v*.proto"), key=version_of)
        for path in dict.fromkeys([*versions[:1], *versions[-1:]]):
            folder = tmp_path / family.name / path.stem
            for imports in (family / "common.deps", family / f"{path.stem}.deps"):
                if imports.is_dir():
                    shutil.copytree(imports, folder, dirs_exist_ok=True)
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder)
            found.append((folder / path.name, ROOTS.get(family.name, "nothing")))
    return found


def test_protobuf_histories_are_read_or_refused(families: list[tuple[Path, str]]) -> None:
    """The first and last .proto of each history load, or have an error of their own."""
    outcomes: Counter[str] = Counter()
    for path, subject in families:
        try:
            check_written_forms(read_proto(path, subject, 1))
            outcomes["loaded"] += 1
        except SchemaError as error:
            outcomes[f"{type(error).__name__} ({error.what})"] += 1
    report("protobuf histories", outcomes)
    assert outcomes["loaded"] > outcomes.total() / 2


def test_faults_are_those_that_protoc_finds() -> None:
    """Broken files of other projects are refused with protoc's own place and reason."""
    outcomes: Counter[str] = Counter()
    for expected in sorted(material("suites", "proto-invalid", "handout").glob("*/expected.json")):
        case = json.loads(expected.read_text())
        if "/" in case["main"]:  # imports of these are looked for from another folder
            continue
        with pytest.raises(SchemaSyntaxError) as caught:
            compile_proto(expected.parent / case["main"])
        assert caught.value.what in case["protoc_error"]
        outcomes["refused"] += 1
    report("faulty .proto files", outcomes)
    assert outcomes["refused"]


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
