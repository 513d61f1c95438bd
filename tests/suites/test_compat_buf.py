"""buf's own tests of its breaking rules, against what instar's rules say of the same files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from material import material
from suites.buf_reasons import ENUM_TYPE, RULES_ALONE, why_instar_refuses
from suites.whole_files import shared, whole

from instar.codec.compatibility import RawFormat, diff
from instar.errors import InstarError
from instar.schemas.model import Schema

SIDES = ("previous", "current")
ORACLES: tuple[tuple[RawFormat, str], ...] = (
    ("protobuf", "wire_rules"),
    ("json", "wire_json_rules"),
)
# A case of which the names of buf's rules do not tell the reason.
KNOWN = {"breaking_int_enum": ENUM_TYPE}


def written(files: Mapping[str, str], folder: Path) -> Path:
    """A file that imports all of ``files``, which it lies beside."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    main = folder / "main_of_case.proto"
    head = ['syntax = "proto3";', "option optimize_for = LITE_RUNTIME;"]
    lines = [*head, *(f'import "{name}";' for name in files)]
    main.write_text("\n".join(lines))
    return main


def read(case: Mapping[str, Any], folder: Path) -> tuple[Schema, Schema]:
    """Both sides of a case, with the messages that both have."""
    numbers: dict[str, int] = {}
    found = [
        whole(written(case[side], folder / side), numbers, version)
        for version, side in enumerate(SIDES, start=1)
    ]
    first, second = shared(found)
    return first, second


def test_cases_of_buf(tmp_path: Path) -> None:
    """Each case agrees with buf's WIRE and WIRE_JSON rules, or differs for a known reason."""
    outcomes: Counter[str] = Counter()
    unexplained: list[tuple[str, str, set[str]]] = []
    for path in sorted(material("suites", "buf-breaking", "handout").glob("*.json")):
        case = json.loads(path.read_text())
        try:
            older, newer = read(case, tmp_path / path.stem)
        except InstarError as error:
            outcomes[f"not applicable: {error.what.splitlines()[0][:60]}"] += 1
            continue
        outcomes["cases"] += 1
        changes = diff(older, newer)
        for format_, key in ORACLES:
            ours = not any(b.format == format_ for c in changes for b in c.breaks)
            if ours is not bool(case[key]):
                outcomes[f"{format_} agree"] += 1
                continue
            known = KNOWN.get(path.stem)
            reasons = (
                {known or RULES_ALONE.get(rule, "") for rule in case[key]}
                if ours
                else why_instar_refuses(changes, format_)
            )
            if not reasons or "" in reasons:
                unexplained.append((path.stem, format_, {str(r) for r in case[key]}))
            outcomes.update(f"{format_} differ: {reason}" for reason in reasons)
    told = ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))
    print(f"buf-breaking: {told}")  # noqa: T201  # the counts are what this test shows
    assert unexplained == []
