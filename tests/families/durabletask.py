"""The history of durable orchestrations: texts that became records, names that became sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from families.oracle import Hop, renamed
from families.presence import with_presence

from instar.migrations import Migration, compute, plunge, within

FAMILY = "durabletask-orchestrator"
SUBJECT = "durabletask_orchestrator"


def _failure(details: str | None, reason: str | None) -> dict[str, str] | None:
    """The two texts of a failure as one record, whose kind they never told."""
    if details is None and reason is None:
        return None
    return {"errorName": "", "errorMessage": reason or "", "errorDetails": details or ""}


def _texts(failure: Any) -> tuple[str | None, str | None]:
    if failure is None:
        return None, None
    return failure.errorDetails, failure.errorMessage


def _trace(correlation: str | None) -> dict[str, Any] | None:
    if correlation is None:
        return None
    return {"traceParent": correlation, "spanID": "", "traceState": None}


def _correlation(trace: Any) -> str | None:
    return None if trace is None else trace.traceParent


_FAILED = compute(reads=("details", "reason"), writes="failureDetails", up=_failure, down=_texts)

MIGRATIONS = (
    Migration(
        SUBJECT, 2, 3,
        within("task_failed_event", _FAILED),
        within("sub_orchestration_instance_failed_event", _FAILED),
    ),
    Migration(
        SUBJECT, 3, 4,
        within("task_failure_details", with_presence("errorDetails", "", "stackTrace")),
    ),
    Migration(
        SUBJECT, 6, 7,
        within("entity_metadata", with_presence("serializedState", "")),
    ),
    Migration(
        SUBJECT, 7, 8,
        within("clean_entity_storage_request", with_presence("continuationToken", "")),
        within("clean_entity_storage_response", with_presence("continuationToken", "")),
    ),
    Migration(
        SUBJECT, 9, 10,
        within(
            "execution_started_event",
            compute(
                reads="correlationData",
                writes="parentTraceContext",
                up=_trace,
                down=_correlation,
            ),
        ),
    ),
    Migration(
        SUBJECT, 10, 11,
        within("generic_event", with_presence("data", "")),
    ),
    Migration(
        SUBJECT, 19, 20,
        within(
            "skip_graceful_orchestration_terminations_request",
            plunge("instanceIds", "instanceBatch"),
        ),
    ),
)  # fmt: skip


# The same once more, for the JSON form of messages as protobuf's own code gives it.


def _failed(event: dict[str, Any]) -> None:
    details, reason = event.pop("details", None), event.pop("reason", None)
    if details is not None or reason is not None:
        found = {"errorMessage": reason, "errorDetails": details}
        event["failureDetails"] = {key: text for key, text in found.items() if text}


def _started(event: dict[str, Any]) -> None:
    if "correlationData" in event:
        event["parentTraceContext"] = {"traceParent": event.pop("correlationData")}


def _batch(request: dict[str, Any]) -> None:
    request["instanceBatch"] = {"instanceIds": request.pop("instanceIds", [])}


HOPS: Mapping[int, Hop] = {
    2: {"TaskFailedEvent": _failed, "SubOrchestrationInstanceFailedEvent": _failed},
    3: {"TaskFailureDetails": renamed(errorName="errorType", errorDetails="stackTrace")},
    8: {"EntityQuery": renamed(includeStateless="includeTransient")},
    9: {"ExecutionStartedEvent": _started},
    15: {"OrchestrationIdReusePolicy": renamed(operationStatus="replaceableStatus")},
    19: {"SkipGracefulOrchestrationTerminationsRequest": _batch},
}

# Where a direct reading by the suite is another, and why.
DIFFERENT: Mapping[tuple[int, int], str] = {
    (2, 3): "a text was read as a message",
    (3, 4): "a text was read as a message",
    (6, 7): "a text was read as a message",
    (7, 8): "names kept, numbers shifted; a text was read as a message",
    (10, 11): "a text was read as a message",
    (19, 20): "texts were read as a message",
}
# Hops whose older states do not come back, by their older version.
LOSSY = frozenset({2, 15})
