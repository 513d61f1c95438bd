"""Histories of either language, opened with their migrations."""

from __future__ import annotations

from typing import Any, TypeAlias

from families.avro import AvroHistory
from families.histories import History

Line: TypeAlias = History | AvroHistory
"""Both have blobs, and forms of states: plain values that no code of ours made."""


def at(line: Line, form: Any, source: int, target: int) -> Any:
    """What a form of ``source`` is at a later version, by the steps written once more."""
    for version in range(source + 1, target + 1):
        form = None if form is None else line.raised(form, version)
    return form
