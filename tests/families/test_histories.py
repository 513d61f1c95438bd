"""Real families with real migrations: every old blob reads to the right value at every version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import pytest
from families.family import Blob
from families.lines import Line, at
from suites.avro_cases import alike

from instar.codec.tag import unpack
from instar.errors import InstarError

FAMILIES = (
    *("a2a-early", "durabletask-orchestrator", "temporal-workflow"),
    *("radar-altoida-summary", "gobblin-gaas-observability"),
)


def read(line: Line, blob: Blob, version: int) -> Any:
    """What our codec reads of a blob at a version, or why it does not."""
    try:
        state = line.codec(version).decode(blob.payload, legacy=blob.source)
        return line.form(state, version)
    except InstarError as error:
        return error


@pytest.mark.parametrize("family", FAMILIES)
def test_blobs_at_every_later_version(family: str, line: Callable[[str], Line]) -> None:
    """The value is what the same steps give that were written once more, in plain Python."""
    history = line(family)
    wrong: dict[str, str] = {}
    blobs = values = 0
    for blob in history.blobs():
        blobs += 1
        form = blob.form
        for version in range(blob.source, history.last + 1):
            form = form if version == blob.source else at(history, form, version - 1, version)
            values += 1
            found = read(history, blob, version)
            if not alike(found, form):
                wrong[f"{blob.name} at {version}"] = f"{found!r} is not {form!r}"[:300]
    print(f"{family}: {blobs} blobs, {values} values")  # noqa: T201 - what this test shows
    assert blobs
    assert wrong == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_steps_are_what_the_suite_says(family: str, line: Callable[[str], Line]) -> None:
    """Other readers of the newer schema see the same, but for what they cannot know."""
    history = line(family)
    equal, different = Counter[str](), set[tuple[int, int]]()
    for blob in history.blobs():
        if blob.suite is None or blob.target < blob.source:
            continue
        same = alike(at(history, blob.form, blob.source, blob.target), blob.suite)
        equal["as the suite" if same else "different"] += 1
        if not same:
            different.add((blob.source, blob.target))
    print(f"{family}: {dict(equal)}")  # noqa: T201 - what this test shows
    assert equal["as the suite"]
    assert different == set(history.family.DIFFERENT)


# What no blob of the suite has, though a step is about it: a state, and the same one later.
NAMED: dict[str, tuple[int, dict[str, Any], dict[str, Any]]] = {
    "durabletask-orchestrator: a flag that got a better name": (
        8,
        {"entity_query": {"includeStateless": True}},
        {"entity_query": {"includeTransient": True}},
    ),
    "durabletask-orchestrator: a list that got a better name": (
        15,
        {"orchestration_id_reuse_policy": {"operationStatus": ["ORCHESTRATION_STATUS_FAILED"]}},
        {"orchestration_id_reuse_policy": {"replaceableStatus": ["ORCHESTRATION_STATUS_FAILED"]}},
    ),
}


@pytest.mark.parametrize(("name", "version"), [(n, v) for n, (v, _, _) in NAMED.items()])
def test_what_no_blob_has(name: str, version: int, line: Callable[[str], Line]) -> None:
    """Number alone carries these fields to their new names."""
    history = line(name.partition(":")[0])
    _, old, new = NAMED[name]
    state = history.codec(version).from_builtins(old)
    payload = cast("bytes", unpack(history.codec(version).encode(state))[1])
    raised = history.codec(version + 1).decode(payload, legacy=version)
    assert history.form(raised, version + 1) == new


def test_a_misspelt_symbol(line: Callable[[str], Line]) -> None:
    """The second version of the event spells it right, and the way down wrong again."""
    history = line("gobblin-gaas-observability")
    blob = next(blob for blob in history.blobs() if blob.source == 1)
    state = history.codec(1).decode(blob.payload, legacy=1)
    plain = history.codec(1).to_builtins(state)
    wrong = history.codec(1).from_builtins({**plain, "jobStatus": "EXEUCTION_FAILURE"})
    right = history.codec(2).decode(history.codec(1).encode(wrong))
    assert right.jobStatus.value == "EXECUTION_FAILURE"
    assert history.codec(1).decode(history.codec(2).encode(right)).jobStatus == wrong.jobStatus
