"""Run states of the OpenAI Agents SDK: a schema for each of its versions, from its documents.

The schema of a version is what fits its documents and all older ones, which every release
promises to read. What was only ever null or empty is JSON until a version fills it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from material import material

from instar import Record, Registry
from instar.migrations import Migration, compute, convert, within
from instar.migrations.ops import Op
from instar.schemas.infer import infer_schema, read_documents
from instar.schemas.model import JsonValue, Schema
from instar.schemas.numbering import number_fields

SUBJECT = "run_state"
FOLDER = ("payloads", "openai-agents-run-state")


def documents() -> dict[str, dict[str, Any]]:
    """All documents by name, the oldest version first; what is malformed on purpose is not."""
    files = [*material(*FOLDER).glob("minimal/*.json"), *material(*FOLDER).glob("features/*.json")]
    found = {f"{file.parent.name}/{file.stem}": json.loads(file.read_text()) for file in files}
    return dict(sorted(found.items(), key=lambda item: (version_of(item[1]), item[0])))


def version_of(document: dict[str, Any]) -> int:
    """Version 1 of the subject is 1.0 of the documents."""
    return int(document["$schemaVersion"].removeprefix("1.")) + 1


def _files(version: int) -> list[Path]:
    folder = material(*FOLDER)
    minor = version - 1
    return [
        *folder.glob(f"minimal/v1_{minor}.json"),
        *sorted(folder.glob(f"features/v1_{minor}_*.json")),
    ]


@cache
def schemas() -> Sequence[Schema]:
    """The versions that there are documents of."""
    last = max(map(version_of, documents().values()))
    found = [
        msgspec.structs.replace(
            infer_schema(
                read_documents([file for v in range(1, version + 1) for file in _files(v)]),
                subject=SUBJECT,
            ),
            version=version,
        )
        for version in range(1, last + 1)
    ]
    return number_fields(found)


def _json(value: Any) -> JsonValue:
    """Typed values as they stood in the documents, where no key was renamed."""
    match value:
        case Record():
            names = value.__struct_fields__
            return {name: _json(getattr(value, name)) for name in names}
        case list():
            return [_json(item) for item in value]
        case dict():
            return {key: _json(item) for key, item in value.items()}
        case _:
            return value


def _same(value: JsonValue) -> JsonValue:
    """JSON fits where it has the shape that the newer version gives it."""
    return value


def _typed(name: str) -> Op:
    """A field that was JSON is typed from now on."""
    return compute(reads=name, writes=name, up=_same, down=_json)


_KEY, _NAME = "approval-1", "approval_1"


def _tools(approvals: Any) -> dict[str, Any]:
    found: Any = _json(approvals)
    if found["sensitive_tool"] is None:
        return {}
    messages = found["sensitive_tool"]["rejection_messages"]
    messages[_KEY] = messages.pop(_NAME)
    return found


# What each version typed, by the older one.
_TYPED: dict[int, tuple[str, ...]] = {
    2: ("generated_items",),
    3: ("trace",),
    4: ("last_model_response", "model_responses"),
    8: ("generated_prompt_cache_key",),
}


def migrations() -> list[Migration]:
    """Each step says its version; what stood as JSON and is typed now needs a function."""
    found: list[Migration] = []
    for source in range(1, len(schemas())):
        ops: list[Op] = [convert("schemaVersion", {f"1.{source - 1}": f"1.{source}"})]
        ops += [_typed(name) for name in _TYPED.get(source, ())]
        if source == 6:
            ops.append(
                within(
                    "context",
                    compute(reads="approvals", writes="approvals", up=_same, down=_tools),
                )
            )
        found.append(Migration(SUBJECT, source, source + 1, *ops))
    return found


@cache
def registry() -> Registry:
    return Registry.of(list(schemas()), migrations())
