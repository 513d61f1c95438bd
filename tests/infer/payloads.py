"""Which files of the real payloads are documents of one program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from material import material

FOLDERS: Mapping[str, str] = {
    "openai-agents-run-state": "**/*.json",
    "langgraph-checkpoints": "*.json",
    "swe-agent-traj": "**/*.traj",
    "cline": "[ms]*.json",
    "openhands-events": "*.json*",
    "autogen": "*.json",
}
"""The files of each folder. Of ``cline`` only sessions and messages are agent state."""

_NO_PAYLOAD = frozenset({"sources.json", "schema_version_summaries.json"})


def payload_files(folder: str) -> list[Path]:
    """The documents of a folder, without notes about it and what is malformed on purpose."""
    root = material("payloads", folder)
    return [
        path
        for path in sorted(root.glob(FOLDERS[folder]))
        if path.name not in _NO_PAYLOAD and "negative" not in path.parts
    ]
