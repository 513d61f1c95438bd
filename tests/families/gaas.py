"""Events of Gobblin's GaaS: a misspelt symbol, and one redesign with new names for most fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from instar.migrations import Migration, add, convert, rename, split

FAMILY = "gobblin-gaas-observability"
SUBJECT = "gobblin_gaas_observability"

_RENAMED: Mapping[str, str] = {
    "timestamp": "eventTimestamp",
    "lastFlowModificationTime": "lastFlowModificationTimestamp",
    "jobOrchestratedTime": "jobOrchestratedTimestamp",
    "jobStartTime": "jobStartTimestamp",
    "jobEndTime": "jobEndTimestamp",
    "jobPlanningPhaseStartTime": "jobPlanningStartTimestamp",
    "jobPlanningPhaseEndTime": "jobPlanningEndTimestamp",
    "executionUserUrn": "effectiveUserUrn",
    "datasetsWritten": "datasetsMetrics",
}

# An edge is called by its two nodes and its own name; any other text is a name alone.
_EDGE = split(r"(?:([^_]+)_([^_]+)_)?([\s\S]*)", "[{0}_{1}_]{2}")

MIGRATIONS = (
    Migration(SUBJECT, 1, 2, convert("jobStatus", {"EXEUCTION_FAILURE": "EXECUTION_FAILURE"})),
    Migration(
        SUBJECT, 3, 4,
        add("jobPlanningPhaseStartTime", default=None),
        add("jobPlanningPhaseEndTime", default=None),
    ),
    Migration(SUBJECT, 5, 6, add("datasetsWritten", default=None)),
    Migration(SUBJECT, 6, 7, add("gaasId", default=None), add("jobProperties", default=None)),
    Migration(
        SUBJECT, 8, 9,
        *(rename(old, new) for old, new in _RENAMED.items()),
        convert("flowGraphEdgeId", _EDGE, into=("sourceNode", "destinationNode", "flowEdgeId")),
        add("executorUrn", default=None),
    ),
)  # fmt: skip


# The same once more, for records as plain dicts.

Step: TypeAlias = Callable[[dict[str, Any]], None]


def _spelling(event: dict[str, Any]) -> None:
    if event["jobStatus"] == "EXEUCTION_FAILURE":
        event["jobStatus"] = "EXECUTION_FAILURE"


def _redesign(event: dict[str, Any]) -> None:
    for old, new in _RENAMED.items():
        event[new] = event.pop(old)
    edge: str = event.pop("flowGraphEdgeId")
    first, _, rest = edge.partition("_")
    second, more, last = rest.partition("_")
    found = (first, second, last) if first and second and more else ("", "", edge)
    event["sourceNode"], event["destinationNode"], event["flowEdgeId"] = found
    event["executorUrn"] = None


def _quality(event: dict[str, Any]) -> None:
    for metric in event["datasetsMetrics"] or ():
        metric["dataQualityStatus"] = None


HOPS: Mapping[int, Step] = {
    1: _spelling,
    3: lambda event: event.update(jobPlanningPhaseStartTime=None, jobPlanningPhaseEndTime=None),
    5: lambda event: event.update(datasetsWritten=None),
    6: lambda event: event.update(gaasId=None, jobProperties=None),
    8: _redesign,
    9: _quality,
}

# Where a direct reading by the suite is another: none; what is renamed, Avro cannot read at all.
DIFFERENT: Mapping[tuple[int, int], str] = {}
LOSSY: frozenset[int] = frozenset()
