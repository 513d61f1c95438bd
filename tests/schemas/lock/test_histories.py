"""The ledger over histories of other projects, where they lie beside the checkout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from material import material

from instar.schemas.avro import read_avro
from instar.schemas.lock import Lock, check_released, find_breaches, released
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields
from instar.schemas.protobuf import read_proto

# What each project did to numbers and names that it had published: the part, and the kind.
FAMILIES: dict[str, list[tuple[str, str]]] = {
    "durabletask-orchestrator": [
        ("type-changed", "TaskFailedEvent.failureDetails"),
        ("type-changed", "SubOrchestrationInstanceFailedEvent.failureDetails"),
        ("type-changed", "TaskFailureDetails.stackTrace"),
        ("type-changed", "ExecutionStartedEvent.parentTraceContext"),
        ("type-changed", "GenericEvent.data"),
    ],
    "gobblin-gaas-observability": [],
    "nutch-webpage": [],
    "venice-kafka-message-envelope": [],
    "venice-partition-state": [],
    "venice-push-job-details": [],
}
# The message that a family of .proto is about, where no other name tells it.
ROOTS = {"durabletask-orchestrator": "history_event"}


def history(family: Path) -> list[Schema]:
    """Every version of a family."""

    def version_of(path: Path) -> int:
        return int(re.sub(r"\D", "", path.stem))

    files = sorted(
        (path for path in family.glob("v[0-9]*.*") if path.suffix in {".avsc", ".proto"}),
        key=version_of,
    )
    root = ROOTS.get(family.name, family.name)
    return [
        (read_avro if path.suffix == ".avsc" else read_proto)(path, root, version)
        for version, path in enumerate(files, start=1)
    ]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_history_is_released_step_by_step(name: str) -> None:
    """Each version after the other: numbers stay, nothing reads as edited, and the breaches
    are those that the project really made.
    """
    schemas = history(material("histories", name))
    subject = schemas[0].subject
    lock = Lock(Path("instar.lock"), {})
    found: list[tuple[str, str]] = []
    for latest in range(1, len(schemas) + 1):
        known = number_fields(
            schemas[:latest],
            lambda version, part, lock=lock: lock.number(subject, version, part),
        )
        assert known == number_fields(schemas[:latest])
        assert list(check_released(lock, known)) == []
        for breach in find_breaches(lock, known):
            part = re.search(r"of (\S+), has", breach.what)
            assert part, breach.what
            found.append((breach.kind, part[1]))
        lock = Lock(lock.path, dict(lock.facts) | dict.fromkeys(released(lock, known), 0))
    print(f"{name}: {len(schemas)} versions released, {len(found)} known breaches")  # noqa: T201 - the counts are what it shows
    assert found == FAMILIES[name]
