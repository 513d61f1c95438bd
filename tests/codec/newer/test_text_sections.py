"""The residue in a text document is read as the same by both engines, or refused as the same."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest
from codec.newer.test_beside import on_both, shown
from fuzz.residue_targets import NEWER, grown

from instar.codec.engines import forced_engine, missing_kernel

pytestmark = pytest.mark.skipif(bool(missing_kernel()), reason=missing_kernel() or "")


def document() -> dict[str, Any]:
    """What old code saved of a newer state, without the sum, as it is to be changed."""
    with forced_engine("library"):
        new = grown().codec("state", format="json")
        old = grown().codec("state", format="json", version=1)
        found: dict[str, Any] = json.loads(
            old.encode(old.decode(new.encode(new.from_builtins(NEWER))))
        )
    del found["$sum"]
    return found


def changed() -> Iterator[dict[str, Any]]:
    """Documents of which one entry of the residue leads elsewhere, or has something else."""
    whole = document()
    entries: list[Any] = whole["$residue"]
    ways = [*(way for way, _ in entries), [2**70], [[2**70]], [["k"]], [[True]], [-1], ["steps", 9]]
    for way in [*ways, [*entries[-1][0], 0], ["steps"], [1.5], []]:
        for _, data in entries:
            yield whole | {"$residue": [*entries, [way, data]]}
            yield whole | {"$residue": [[way, data]]}
    cut = base64.b64encode(base64.b64decode(entries[0][1])[:-1]).decode()
    for data in (cut, "", "AA==", "no base64", "\ud800"):
        yield whole | {"$residue": [[entries[0][0], data], *entries[1:]]}
        yield whole | {"$residue": [*entries, [["\ud800"], data]]}


def test_what_is_changed_is_read_as_the_same_or_refused_as_the_same() -> None:
    """By old code, which keeps it, and by new code, which restores it; also in what is saved."""
    outcomes: set[str] = set()
    for each in changed():
        blob = json.dumps(each, separators=(",", ":")).encode()
        for version in (1, 2):
            ours, theirs = on_both(
                lambda b=blob, v=version: shown(grown().codec("state", version=v).decode(b))
            )
            assert ours == theirs
            outcomes.add(type(ours).__name__)
        ours, theirs = on_both(lambda b=blob: _saved(b))
        assert ours == theirs
    assert outcomes == {"str", "tuple"}


def _saved(blob: bytes) -> bytes:
    old = grown().codec("state", format="json", version=1)
    return old.encode(old.decode(blob))
