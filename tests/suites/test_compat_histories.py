"""The verdicts of other tools on real histories, against the ones that instar runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from material import material
from suites.buf_reasons import why_buf_refuses, why_instar_refuses
from suites.whole_files import laid_out, shared, whole

from instar.codec.compatibility import RawFormat, Settings, diff, run
from instar.errors import SchemaError
from instar.schemas.avro import read_avro
from instar.schemas.model import Schema

FEW = Settings(examples=examples(8))
AVRO = (
    *("datahub-mce", "ga4gh-variants-avro", "gobblin-gaas-observability"),
    *("gobblin-metadata-change-event", "hudi-archived-meta-entry", "hudi-commit-metadata"),
    *("nutch-webpage", "radar-altoida-summary", "radar-phone-usage-event"),
    *("venice-kafka-message-envelope", "venice-partition-state", "venice-push-job-details"),
    "wherehows-inventory-event",
)
PROTOBUF = (
    *("a2a-early", "akka-persistence", "cadence-history", "cline-models", "cline-task"),
    *("cline-ui-message", "durabletask-orchestrator", "flyte-event", "ga4gh-reads-proto"),
    *("onnx-model", "otel-logs", "otel-metrics", "temporal-workflow"),
)
ORACLES: tuple[tuple[RawFormat, str, str], ...] = (
    ("protobuf", "wire_compatible", "WIRE"),
    ("json", "wire_json_compatible", "WIRE_JSON"),
)
# The steps of which the verdict is run: breaks of each kind, and what only looks like one.
RUN = {
    "otel-logs": (1, 2, 7, 8),
    "ga4gh-reads-proto": (1, 2, 3),
    "durabletask-orchestrator": (3,),
    "cline-ui-message": (2, 8),
}


def steps(family: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((family / "verdicts.json").read_text())["steps"]
    return found


def report(family: str, outcomes: Counter[str]) -> None:
    # The counts are what these tests show; pytest -s lets them through.
    told = ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))
    print(f"{family}: {told}")  # noqa: T201  # as above


@pytest.mark.parametrize("name", AVRO)
def test_avro_history(name: str) -> None:
    """Each step of an Avro history is read, both ways, exactly where Avro's rules say so."""
    family = material("histories", name)
    outcomes: Counter[str] = Counter()
    disagree: list[tuple[int, str]] = []
    for step in steps(family):
        try:
            older, newer = (_avro(family, step[end]) for end in ("from", "to"))
        except SchemaError as error:
            outcomes[f"not applicable ({type(error).__name__})"] += 2
            continue
        for direction in ("backward", "forward"):
            found = run(older, newer, direction, "avro", FEW)
            assert found.disagreement == ""
            if found.layout is step[direction]:
                outcomes["agree"] += 1
            else:
                disagree.append((step["from"], direction))
    report(name, outcomes)
    assert disagree == []


def _avro(family: Path, version: int) -> Schema:
    inlined = family / f"v{version}.inlined.avsc"
    path = inlined if inlined.exists() else family / f"v{version}.avsc"
    return read_avro(path, "history", version, lenient=True)


def _pairs(family: Path, folder: Path) -> Iterator[tuple[dict[str, Any], Schema, Schema]]:
    """Each step whose two versions are read, with the messages that both have."""
    numbers: dict[str, int] = {}
    schemas: dict[int, Schema | SchemaError] = {}
    for version in range(1, len(list(family.glob("v*.proto"))) + 1):
        main = laid_out(family, version, folder / str(version))
        try:
            schemas[version] = whole(main, numbers, version)
        except SchemaError as error:
            schemas[version] = error
    for step in steps(family):
        older, newer = schemas[step["from"]], schemas[step["to"]]
        if isinstance(older, Schema) and isinstance(newer, Schema):
            first, second = shared((older, newer))
            yield step, first, second


@pytest.mark.parametrize("name", PROTOBUF)
def test_protobuf_history(name: str, tmp_path: Path) -> None:
    """Each step of a Protobuf history agrees with buf, or differs for a reason that is known."""
    family = material("histories", name)
    outcomes: Counter[str] = Counter()
    unexplained: list[tuple[int, str]] = []
    for step, older, newer in _pairs(family, tmp_path):
        changes = diff(older, newer)
        outcomes["steps"] += 1
        for format_, key, category in ORACLES:
            ours = not any(b.format == format_ for c in changes for b in c.breaks)
            if ours is step[key]:
                outcomes[f"{format_} agree"] += 1
                continue
            reasons = (
                why_buf_refuses(step[category], newer)
                if ours
                else why_instar_refuses(changes, format_)
            )
            if not reasons or "" in reasons:
                unexplained.append((step["from"], format_))
            outcomes.update(f"{format_} differ: {reason}" for reason in reasons)
    outcomes["steps not read yet"] = len(steps(family)) - outcomes["steps"]
    report(name, outcomes)
    assert unexplained == []


@pytest.mark.parametrize("name", RUN)
def test_protobuf_history_is_run(name: str, tmp_path: Path) -> None:
    """What the rules say of the wire is what writing and reading real messages shows."""
    family = material("histories", name)
    outcomes: Counter[str] = Counter()
    disagree: list[tuple[int, str, str]] = []
    for step, older, newer in _pairs(family, tmp_path):
        if step["from"] not in RUN[name]:
            continue
        for direction in ("backward", "forward"):
            found = run(older, newer, direction, "protobuf", FEW)
            outcomes["compatible" if found.compatible else "broken"] += 1
            if found.disagreement:
                disagree.append((step["from"], direction, found.disagreement))
    report(name, outcomes)
    assert disagree == []
