"""Workflow executions of Temporal: counted time that became times, fields that moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from families.oracle import Change, Hop, timestamp_of_nanos

from instar.migrations import Migration, convert, ticks, within

FAMILY = "temporal-workflow"
SUBJECT = "temporal_workflow"

_NANOS, _SECONDS = ticks("nanos"), ticks("seconds", rounding="floor")

MIGRATIONS = (
    Migration(
        SUBJECT, 1, 2,
        within(
            "workflow_execution_info",
            convert("start_time", _NANOS),
            convert("close_time", _NANOS),
            convert("execution_time", _NANOS),
        ),
        within(
            "workflow_execution_config",
            convert(
                "workflow_execution_timeout_seconds", _SECONDS, into="workflow_execution_timeout"
            ),
            convert("workflow_run_timeout_seconds", _SECONDS, into="workflow_run_timeout"),
            convert(
                "workflow_task_timeout_seconds", _SECONDS, into="default_workflow_task_timeout"
            ),
        ),
        within(
            "pending_activity_info",
            convert("last_heartbeat_timestamp", _NANOS, into="last_heartbeat_time"),
            convert("last_started_timestamp", _NANOS, into="last_started_time"),
            convert("scheduled_timestamp", _NANOS, into="scheduled_time"),
            convert("expiration_timestamp", _NANOS, into="expiration_time"),
        ),
        within(
            "reset_point_info",
            convert("create_time_nano", _NANOS, into="create_time"),
            convert("expire_time_nano", _NANOS, into="expire_time"),
        ),
    ),
)  # fmt: skip


# The same once more, for the JSON form of messages as protobuf's own code gives it.


def _times(optional: Mapping[str, str], required: Mapping[str, str]) -> Change:
    """Nanoseconds as timestamps; what has no presence of its own is 1970."""

    def change(plain: dict[str, Any]) -> None:
        for old, new in optional.items():
            if old in plain:
                plain[new] = timestamp_of_nanos(int(plain.pop(old)))
        for old, new in required.items():
            plain[new] = timestamp_of_nanos(int(plain.pop(old, 0)))

    return change


def _timeouts(plain: dict[str, Any]) -> None:
    for old, new in (
        ("workflow_execution_timeout_seconds", "workflow_execution_timeout"),
        ("workflow_run_timeout_seconds", "workflow_run_timeout"),
        ("workflow_task_timeout_seconds", "default_workflow_task_timeout"),
    ):
        plain[new] = f"{plain.pop(old, 0)}s"


_PACKAGE = "temporal.api.workflow.v1"

HOPS: Mapping[int, Hop] = {
    1: {
        f"{_PACKAGE}.WorkflowExecutionInfo": _times(
            {"start_time": "start_time", "close_time": "close_time"},
            {"execution_time": "execution_time"},
        ),
        f"{_PACKAGE}.WorkflowExecutionConfig": _timeouts,
        f"{_PACKAGE}.PendingActivityInfo": _times(
            {},
            {
                "last_heartbeat_timestamp": "last_heartbeat_time",
                "last_started_timestamp": "last_started_time",
                "scheduled_timestamp": "scheduled_time",
                "expiration_timestamp": "expiration_time",
            },
        ),
        f"{_PACKAGE}.ResetPointInfo": _times(
            {}, {"create_time_nano": "create_time", "expire_time_nano": "expire_time"}
        ),
    },
}

# Where a direct reading by the suite is another, and why.
DIFFERENT: Mapping[tuple[int, int], str] = {
    (1, 2): "numbers in the place of messages are unknown to protobuf",
    (1, 11): "numbers in the place of messages are unknown to protobuf",
    (5, 6): "names kept, numbers shifted",
}
# Hops whose older states do not come back, by their older version.
LOSSY = frozenset({4, 10})
