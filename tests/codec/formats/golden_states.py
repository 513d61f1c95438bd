"""One state for each version of the reference subjects, in JSON form, for golden blobs."""

from __future__ import annotations

from typing import Any

BUDGET = {"limit": "25.0000", "spent": "3.1416", "currency": "EUR"}
AGENT: dict[str, Any] = {
    "id": "00000000-0000-4000-8000-000000000007",
    "name": "scout",
    "status": "RUNNING",
    "created": "2026-01-02T03:04:05.000006Z",
    "last_heartbeat": "1969-12-31T23:59:59.999999Z",
    "output_location": "out/7",
    "pid": 4242,
    "plan": [{"id": "t1", "title": "Look around", "done": True}],
    "memory": {"home": "Zürich", "": "empty key"},
    "counters": {"tool_calls": 3},
    "tokens_used": 1234,
    "budget": BUDGET,
    "embedding": [0.5, -1.25, 0.0],
    "metadata": {"$schema": "not a tag", "list": [1, 2.5, None, True]},
}
CREATED = {"created": "2026-01-02T03:04:06Z"}
VERSION_1 = AGENT | {
    "model": "openai/gpt-4o",
    "scratchpad": "think",
    "msgs": [{"id": "m1", "role": "USER", "content": {"text": "hello"}, **CREATED}],
}
CONTENTS: list[dict[str, Any]] = [
    {"$type": "TextPart", "text": "hello"},
    {"$type": "ImagePart", "url": "file:a.png"},
]
VERSION_2 = AGENT | {
    "status": "WAITING_APPROVAL",
    "model": "openai/gpt-4o",
    "tags": ["blue"],
    "messages": [
        {"id": f"m{index}", "role": "ASSISTANT", "content": content, **CREATED}
        for index, content in enumerate(CONTENTS)
    ],
}
VERSION_3 = {key: value for key, value in VERSION_2.items() if key != "model"} | {
    "provider": "openai",
    "model_name": "gpt-4o",
    "retries": 1,
    "parent_id": "00000000-0000-4000-8000-000000000001",
}
COMMAND: dict[str, Any] = {
    "command_id": "c-1",
    "idempotency_key": "k-1",
    "created": "2026-01-02T03:04:05.000006Z",
    "labels": {"team": "blue"},
    "priority": -3,
    "attempts": 4_000_000_000,
}
STATES: dict[tuple[str, int], dict[str, Any]] = {
    ("agent_state", 1): VERSION_1,
    ("agent_state", 2): VERSION_2,
    ("agent_state", 3): VERSION_3,
    ("agent_command", 1): COMMAND | {"payload": "note"},
    ("agent_command", 2): COMMAND
    | {"payload": "note", "timeout": "PT1.5S", "metadata": {"a": [1, None, "x"]}},
}
