from __future__ import annotations

import math
from array import array
from typing import Any

from instar.codec.subject import Subject
from instar.codec.verify.edits import edit
from instar.codec.verify.losses import Announced
from instar.codec.verify.walk import Walk, bare
from instar.migrations.lost_paths import LostPaths
from instar.schemas.model import (
    Array,
    Branch,
    Field,
    Json,
    Map,
    Primitive,
    Record,
    Reference,
    Schema,
    Union,
)

DOUBLE, WHOLE = Primitive("double"), Primitive("long")
PART = Record("Part", (Field("from", WHOLE), Field("x", Json())))
ROOT = Record(
    "Root",
    (
        Field("d", DOUBLE),
        Field("v", Array(DOUBLE, vector=True)),
        Field("u", Union((Branch("long", WHOLE), Branch("list", Array(Reference("Part")))))),
        Field("m", Map(Reference("Part"))),
    ),
)
TYPES = Subject([Schema("s", 1, "avro", "Root", {"Root": ROOT, "Part": PART})]).types(1)
WALK = Walk(TYPES)
Root: Any = TYPES.root
Part: Any = TYPES.record("Part")


def state(d: float = 0.0, vector: float = 0.0, branch: Any = 0, **parts: Any) -> Any:
    box: Any = (
        next(iter(TYPES.boxes.values())) if isinstance(branch, list) and TYPES.boxes else None
    )
    return Root(d=d, v=array("d", [vector]), u=box(value=branch) if box else branch, m=parts)


def found(left: Any, right: Any) -> list[str]:
    return [str(difference) for difference in WALK.differences(left, right)]


def part(number: int = 0, extra: Any = None) -> Any:
    return Part(from_=number, x=extra)


def test_equal_states() -> None:
    """A state does not differ from itself, whatever is in it."""
    left, right = (state(math.nan, math.nan, 3, a=part(1, {"k": [1]})) for _ in range(2))
    assert found(left, right) == []


def test_details() -> None:
    """Zero with a sign is another number, and a whole number is no floating point one."""
    assert found(state(0.0), state(-0.0)) == ["d: expected 0.0, found -0.0"]
    assert found(state(a=part(0, 1)), state(a=part(0, 1.0))) == ["m['a'].x: expected 1, found 1.0"]
    assert found(state(vector=1.0), state(vector=2.0)) == ["v[0]: expected 1.0, found 2.0"]


def test_names_of_the_schema() -> None:
    """A path has the name that the schema gives, not that of the attribute."""
    assert found(state(a=part(1)), state(a=part(2))) == ["m['a'].from: expected 1, found 2"]


def test_other_keys() -> None:
    """Maps of other keys differ as a whole."""
    (difference,) = WALK.differences(state(a=part()), state(b=part()))
    assert difference.path == ("m",)


def announced(*paths: str) -> Announced:
    return Announced(LostPaths(frozenset(paths)), LostPaths(frozenset()))


def test_losses_are_passed_over() -> None:
    """The first difference is one that is no loss."""
    left, right = state(1.0, a=part(1)), state(2.0, a=part(2))
    first = WALK.first_difference(left, right, announced("d"))
    assert first is not None
    assert first.path == ("m", "['a']", "from")
    assert WALK.first_difference(left, right, announced("d", "m[*].from")) is None


def test_edit_reaches_inside() -> None:
    """An edit changes one field of some record to the value of a like record elsewhere."""
    donor = state(5.0, 0.0, 0, z=part(7))
    paths = set()
    for pick in range(4):
        edited = state(1.0, 0.0, 0, a=part(1), b=part(7))
        path = edit(WALK, edited, donor, pick)
        paths.add(path)
        (difference,) = WALK.differences(state(1.0, 0.0, 0, a=part(1), b=part(7)), edited)
        assert difference.path == path
    assert paths == {("d",), ("m", "['a']", "from")}


def test_nothing_to_edit() -> None:
    """Where the donor has nothing else, nothing is edited."""
    edited = state(a=part(1))
    assert edit(WALK, edited, state(), 3) is None
    assert found(edited, state(a=part(1))) == []


def test_bare() -> None:
    """A state made anew is equal, and shares no record with what it was made of."""
    old = state(1.0, 2.0, 0, a=part(1, {"k": [1]}))
    new = bare(old)
    assert found(old, new) == []
    assert new.m["a"] is not old.m["a"]
