"""The loss report is held to what the codec does, for random lines of versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec
from evolutions import lines
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from migrations.changes import op_lines
from same import same

from instar.codec.compatibility.values import states
from instar.codec.formats import make_step
from instar.codec.loss_report import path_losses, refusals, round_trip_losses
from instar.codec.record import Record
from instar.codec.subject import Subject
from instar.codec.types import SchemaTypes
from instar.errors import MigrationMismatch, NotExpressible
from instar.migrations.losses import Loss

SUBJECTS = st.one_of(op_lines(), lines(3).map(Subject))
Way: TypeAlias = tuple[int, int]


def moved(subject: Subject, state: Any, way: Way) -> Any:
    """The state at the other version, as codecs make it."""
    return make_step(subject, subject.plan(*way))(state)


def differences(types: SchemaTypes, left: Any, right: Any, path: str = "") -> Iterator[str]:
    """The paths at which two states differ, none inside another."""
    names = {types.record(n): a for n, a in types.names.attributes.items()}
    if type(left) is not type(right):
        yield path
    elif isinstance(left, Record):
        known = {attribute: name for name, attribute in names.get(type(left), {}).items()}
        for attribute in left.__struct_fields__:
            here = f"{path}.{known[attribute]}".lstrip(".") if known else path
            yield from differences(types, getattr(left, attribute), getattr(right, attribute), here)
    elif isinstance(left, list) and len(left) == len(right):
        for index, pair in enumerate(zip(left, right, strict=True)):
            yield from differences(types, *pair, f"{path}[{index}]")
    elif isinstance(left, dict) and left.keys() == right.keys():
        for key in left:
            yield from differences(types, left[key], right[key], f"{path}[{key!r}]")
    elif not same(left, right):
        yield path


@settings(max_examples=examples(40), deadline=None)
@given(subject=SUBJECTS, data=st.data())
def test_a_round_trip_differs_only_where_the_report_says(
    subject: Subject, data: st.DataObject
) -> None:
    """There and back, up and down, over any hops: whatever differs is at a lost path."""
    versions = st.integers(1, subject.latest)
    source, target = data.draw(versions), data.draw(versions)
    try:
        lost = round_trip_losses(subject, source, target)
    except MigrationMismatch:
        return
    state = data.draw(states(subject.types(source)))
    try:
        back = moved(subject, moved(subject, state, (source, target)), (target, source))
    except NotExpressible:
        return
    found = [p for p in differences(subject.types(source), state, back) if not lost.covers(p)]
    assert found == [], (found, lost)


def refusal(subject: Subject, state: Any, way: Way) -> NotExpressible | None:
    """That the state cannot be expressed at the other version, if it cannot."""
    try:
        moved(subject, state, way)
    except NotExpressible as error:
        return error
    return None


@settings(max_examples=examples(25), deadline=None)
@given(subject=SUBJECTS, data=st.data())
def test_a_refusal_is_announced(subject: Subject, data: st.DataObject) -> None:
    """A state is refused on its way up or down only where the report says so, path by path."""
    way = data.draw(st.permutations(range(1, subject.latest + 1)))[:2]
    try:
        found = path_losses(subject, *way)
    except MigrationMismatch:
        return
    error = refusal(subject, data.draw(states(subject.types(way[0]))), (way[0], way[1]))
    if error is not None:
        assert any(loss.kind == "refused" for loss in found)
        assert refusals(subject, *way).covers(error.path), (error.path, found)


@settings(max_examples=examples(25), deadline=None)
@given(subject=SUBJECTS, data=st.data())
def test_what_is_dropped_never_arrives(subject: Subject, data: st.DataObject) -> None:
    """Two states that differ in nothing but a dropped field of the root are one in the target."""
    way = data.draw(st.permutations(range(1, subject.latest + 1)))[:2]
    try:
        found = path_losses(subject, *way)
    except MigrationMismatch:
        return
    types = subject.types(way[0])
    attributes = types.names.attributes[types.schema.root]
    dropped = [attributes[loss.path] for loss in found if is_dropped_at_the_root(loss)]
    state, other = data.draw(states(types)), data.draw(states(types))
    changed = msgspec.structs.replace(state, **{name: getattr(other, name) for name in dropped})
    pair = (way[0], way[1])
    if refusal(subject, state, pair) is None:
        assert same(moved(subject, state, pair), moved(subject, changed, pair))


def is_dropped_at_the_root(loss: Loss) -> bool:
    return loss.kind == "dropped" and loss.path.isidentifier()
