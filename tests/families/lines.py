"""Histories of either language, opened with their migrations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from families import a2a_early, altoida, durabletask, gaas, temporal
from families.avro import AvroHistory
from families.family import Family
from families.histories import History
from suites.protobuf_cases import Families

Line: TypeAlias = History | AvroHistory
"""Both have blobs, and forms of states: plain values that no code of ours made."""

PROTOBUF: Mapping[str, Any] = {each.FAMILY: each for each in (a2a_early, durabletask, temporal)}
AVRO: Mapping[str, Any] = {each.FAMILY: each for each in (altoida, gaas)}


def opened(family: str, files: Families) -> Line:
    """The history of a family; skips, with a reason, where there is no material."""
    if family in AVRO:
        return AvroHistory(cast("Family", AVRO[family]))
    return History(cast("Family", PROTOBUF[family]), files)


def at(line: Line, form: Any, source: int, target: int) -> Any:
    """What a form of ``source`` is at a later version, by the steps written once more."""
    for version in range(source + 1, target + 1):
        form = None if form is None else line.raised(form, version)
    return form
