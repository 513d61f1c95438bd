"""A subject of ten versions whose steps are all of structure, none of them Python.

Fields are added with defaults, renamed by aliases, widened and removed, at the root and in
the records of the long list, so that a blob nine versions old uses every kind of step.
"""

from __future__ import annotations

import json
import random
from typing import Any, Final

from ..codec.registry import Registry
from ..schemas.avro.reader import parse_avro
from ..schemas.numbering import number_fields
from .words import WORDS

SUBJECT: Final = "conversation"
LATEST: Final = 10
MESSAGES: Final = (4, 100, 2000)
"""Messages in a state of about 1.5, 30 and 600 KB as JSON."""

_ROLES: Final = ("SYSTEM", "USER", "ASSISTANT", "TOOL")


def ten_versions() -> Registry:
    """The subject, opened."""
    schemas = [
        parse_avro(json.dumps(_schema(n)), subject=SUBJECT, version=n, where=f"version {n}")
        for n in range(1, LATEST + 1)
    ]
    return Registry.of(number_fields(schemas))


def first_document(messages: int, *, seed: int = 7) -> dict[str, Any]:
    """The JSON form of a state as version 1 has it."""
    source = random.Random(seed)  # noqa: S311 - no secret
    return {
        "id": f"conversation-{seed:04d}",
        "agent": "agent-007",
        "tokens": source.randrange(10**6),
        "scratch": "nothing",
        # Whole 1024ths are exact in 32 bits, so that widening gives the same number.
        "score": source.randrange(1024) / 1024,
        "messages": [_message(source, number) for number in range(messages)],
    }


def _message(source: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number:06d}",
        "role": _ROLES[number % len(_ROLES)],
        "body": " ".join(source.choices(WORDS, k=36)),
        "seconds": source.randrange(10**6),
        "trace": "4bf92f35",
    }


def _schema(version: int) -> dict[str, Any]:
    role = {"type": "enum", "name": "Role", "symbols": list(_ROLES)}
    message = _record(
        "Message",
        version,
        _field("id", "string"),
        _field("role", role),
        _field("body", "string", until=2),
        _field("text", "string", since=3, aliases=["body"]),
        _field("seconds", "int", until=7),
        _field("seconds", "long", since=8),
        _field("trace", "string", until=9),
        _field("pinned", "boolean", since=7, default=False),
    )
    return _record(
        "Conversation",
        version,
        _field("id", "string"),
        _field("agent", "string", until=3),
        _field("agent_name", "string", since=4, aliases=["agent"]),
        _field("tokens", "int", until=4),
        _field("tokens", "long", since=5),
        _field("scratch", "string", until=5),
        _field("score", "float", until=8),
        _field("score", "double", since=9),
        _field("tags", {"type": "array", "items": "string"}, since=2, default=[]),
        _field("messages", {"type": "array", "items": message}),
    )


def _field(
    name: str, type_: Any, *, since: int = 1, until: int = LATEST, **attributes: Any
) -> tuple[range, dict[str, Any]]:
    """A field, with the versions that have it so."""
    return range(since, until + 1), {"name": name, "type": type_, **attributes}


def _record(name: str, version: int, *fields: tuple[range, dict[str, Any]]) -> dict[str, Any]:
    present = [field for versions, field in fields if version in versions]
    return {"type": "record", "name": name, "fields": present}
