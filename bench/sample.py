"""Realistic states to measure with: an agent's record in three sizes, and a command to one.

The same seed gives the same state on every machine. Roles, tool names and the shape of ids
repeat, and texts do not, as in the records of real agents.
"""

from __future__ import annotations

import datetime as dt
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, TypeVar

from ..codec.codec import Codec
from .words import COUNTERS, FACTS, MODELS, TASKS, TOOLS, WORDS

T = TypeVar("T")

Size: TypeAlias = Literal["small", "medium", "large"]
"""About 1.5 KB, 30 KB and 600 KB as JSON."""

SIZES: Final[Mapping[Size, int]] = MappingProxyType({"small": 2, "medium": 100, "large": 2000})
"""Messages in a state of each size."""

_START: Final = dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)
_CALL, _RESULT, _CYCLE = 1, 2, 4


def agent_state(
    codec: Codec[T], size: Size = "medium", *, seed: int = 7, ids: int | None = None
) -> T:
    """A state of ``codec``'s version of agent_state; raises ``ValueMismatch`` for another.

    ``ids`` is that of :func:`state_document`.
    """
    return codec.from_builtins(state_document(codec.version, size, seed=seed, ids=ids))


def agent_command(codec: Codec[T], *, seed: int = 7) -> T:
    """A command of ``codec``'s version of agent_command, which asks for a task to be run."""
    return codec.from_builtins(command_document(seed=seed))


def state_document(
    version: int, size: Size = "medium", *, seed: int = 7, ids: int | None = None
) -> dict[str, Any]:
    """The JSON form of a state as code of ``version``, 1 to 3, has it.

    Every message has an id of its own, unless ``ids`` says how many different ones there
    are: they then come again and again, and nothing else changes, not even a length.
    """
    return document_of(version, SIZES[size], seed=seed, ids=ids)


def document_of(
    version: int, messages: int, *, seed: int = 7, ids: int | None = None
) -> dict[str, Any]:
    """As :func:`state_document`, with any number of messages."""
    author = _Author(random.Random(seed), version, ids)  # noqa: S311 - no secret
    return author.state(seed, messages)


def command_document(*, seed: int = 7) -> dict[str, Any]:
    """The JSON form of a command, in what both versions of agent_command have."""
    author = _Author(random.Random(seed), 2)  # noqa: S311 - no secret
    task = {"task_id": "task-1", "instructions": author.text(20), "tools": list(TOOLS[:3])}
    return {
        "command_id": author.uuid(),
        "idempotency_key": f"run-{seed:03d}",
        "kind": "KIND_RUN_TASK",
        "payload": {"$type": "RunTask", **task, "max_steps": 40},
        "status": "STATUS_QUEUED",
        "created": author.time(0),
    }


@dataclass(slots=True)
class _Author:
    """Makes up one state, field by field, always in the same order."""

    random: random.Random
    version: int
    ids: int | None = None

    def state(self, seed: int, messages: int) -> dict[str, Any]:
        document: dict[str, Any] = {
            "id": self.uuid(),
            "name": f"agent-{seed:03d}",
            "status": "RUNNING",
            "created": self.time(0),
            "last_heartbeat": self.time(messages * 7),
            "output_location": f"s3://results/agent-{seed:03d}",
            "pid": self.random.randrange(300, 32_000),
            **self.model(),
            "messages" if self.has(2) else "msgs": [self.message(n) for n in range(messages)],
            "plan": [self.task(n) for n in range(len(TASKS))],
            "memory": {fact: self.text(4) for fact in FACTS},
            "counters": {name: self.random.randrange(40) for name in COUNTERS},
            "tokens_used": messages * self.random.randrange(150, 450),
            "budget": {"limit": "25.0000", "spent": f"{self.random.random() * 9:.4f}"},
            "pending_approvals": [self.approval()],
            # Whole 1024ths are exact in 32 bits, so that every format gives them back.
            "embedding": [self.random.randrange(-1024, 1024) / 1024 for _ in range(8)],
            "metadata": {"team": "finance", "region": "eu-west-1", "attempt": 1},
        }
        return document | self.rest()

    def rest(self) -> dict[str, Any]:
        if not self.has(2):
            return {"scratchpad": self.text(8)}
        later = {"retries": 1, "parent_id": self.uuid()} if self.has(3) else {}
        return {"tags": ["finance", "monthly"], **later}

    def model(self) -> dict[str, Any]:
        provider, name = self.random.choice(MODELS)
        if self.has(3):
            return {"provider": provider, "model_name": name}
        return {"model": f"{provider}/{name}"}

    def message(self, number: int) -> dict[str, Any]:
        role = ("USER", "ASSISTANT", "TOOL", "ASSISTANT")[number % _CYCLE]
        return {
            "id": f"msg_{self.id(number):06d}",
            "role": role,
            "content": self.content(number),
            "created": self.time(number * 7),
        }

    def content(self, number: int) -> dict[str, Any]:
        if not self.has(2):
            return {"text": self.text(33)}
        call_id, turn = f"call_{self.id(number // _CYCLE):05d}", number % _CYCLE
        if turn == _CALL:
            arguments = {"query": self.text(18), "limit": 20, "exact": False}
            tool = self.random.choice(TOOLS)
            return {"$type": "ToolCall", "call_id": call_id, "tool": tool, "arguments": arguments}
        if turn == _RESULT:
            output = {"rows": self.random.randrange(90), "summary": self.text(24), "next": None}
            return {"$type": "ToolResult", "call_id": call_id, "output": output}
        return {"$type": "TextPart", "text": self.text(32)}

    def task(self, number: int) -> dict[str, Any]:
        done = number == 0
        task = {"id": f"task-{number + 1}", "title": TASKS[number], "done": done}
        if done:
            return task | {"notes": self.text(5)}
        return task | ({"depends_on": [f"task-{number}"]} if self.has(3) else {})

    def approval(self) -> dict[str, Any]:
        return {
            "id": "approval-1",
            "tool": "send_mail",
            "arguments": {"to": "finance@example.com", "subject": self.text(4)},
            "reason": self.text(5),
            "requested": self.time(11),
        }

    def id(self, number: int) -> int:
        return number if self.ids is None else number % self.ids

    def has(self, version: int) -> bool:
        """Whether the state has what ``version`` brought."""
        return self.version >= version

    def text(self, words: int) -> str:
        return " ".join(self.random.choices(WORDS, k=words))

    def time(self, seconds: int) -> str:
        moment = _START + dt.timedelta(seconds=seconds, microseconds=self.random.randrange(10**6))
        return moment.isoformat().replace("+00:00", "Z")

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))
