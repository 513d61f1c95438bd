from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

import pytest
from infer.payloads import FOLDERS, payload_files

from instar.codec.documents import DocumentCodec, differences
from instar.codec.types import build_types
from instar.schemas.infer import infer_schema, read_documents
from instar.schemas.model import Json, Optional, Record

# Places where releases of the program differ in whether they leave a key out or write null.
MERGED: Mapping[str, frozenset[str]] = {
    "openai-agents-run-state": frozenset(
        {"generated_prompt_cache_key", "reasoning_item_id_policy"}
    ),
    "langgraph-checkpoints": frozenset({"checkpoint.updated_channels"}),
    "swe-agent-traj": frozenset(),
    "cline": frozenset(),
    "openhands-events": frozenset(
        {
            "args.image_urls",
            "comment_success",
            "error",
            "extras.old_content",
            "history[].images_urls",
            "history[].security_risk",
        }
    ),
    "autogen": frozenset({"messages[].thought"}),
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_real_documents_share_one_schema(folder: str) -> None:
    """All documents of a program, of all its releases, load and come back but for merged nulls."""
    documents = list(read_documents(payload_files(folder)))
    schema = infer_schema(documents, subject=folder.replace("-", "_"))
    codec = DocumentCodec(build_types(schema))
    merged: Counter[str] = Counter()
    for document in documents:
        state, changes = codec.load(document.value)
        assert tuple(differences(document.value, codec.dump(state))) == changes
        assert {change.kind for change in changes} <= {"absent-null-merged"}
        merged.update(change.place for change in changes)
    records = [named for named in schema.types.values() if isinstance(named, Record)]
    types = [
        field.type.item if isinstance(field.type, Optional) else field.type
        for record in records
        for field in record.fields
    ]
    size = sum(len(json.dumps(document.value)) for document in documents)
    print(  # noqa: T201  # the table is part of what this test is for
        f"{folder}: {len(documents)} documents, {size} bytes as JSON, {len(records)} records, "
        f"{len(types)} fields, {sum(isinstance(type_, Json) for type_ in types)} of them json, "
        f"merged {dict(merged)}"
    )
    assert merged.keys() == MERGED[folder]
