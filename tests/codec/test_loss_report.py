"""Whether anything is lost at all is told the same by the short look as by the lists of paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from evolutions import DOUBLE, FLOAT, INT, LONG, TEXT
from fleet.turn_subjects import OWN
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.loss_report import loses_nothing, path_losses, round_trip_losses
from instar.codec.subject import Subject
from instar.errors import MigrationMismatch
from instar.schemas.model import (
    Array,
    Default,
    Field,
    JsonValue,
    Map,
    Optional,
    Record,
    Reference,
    Schema,
    Type,
)
from instar.schemas.numbering import number_fields

SCALARS: list[tuple[Type, Type, JsonValue]] = [
    (Optional(INT), Optional(INT), None),
    (INT, LONG, 0),
    (Array(FLOAT), Array(FLOAT, vector=True), []),
    (Array(FLOAT), Array(DOUBLE), []),
    (TEXT, Optional(TEXT), ""),
]
"""What a field may be in the older version and in the newer one, with its default."""
LINKS = [Optional, Array, Map]


def told(subject: Subject, source: int, target: int) -> bool:
    """By the lists, which :func:`loses_nothing` says that it agrees with."""
    refused = any(loss.kind == "refused" for loss in path_losses(subject, source, target))
    return not refused and not round_trip_losses(subject, source, target).paths


def pairs(subject: Subject) -> Iterator[tuple[int, int]]:
    """The pairs of versions that lead to each other."""
    for source, target in permutations(subject.chain.versions, 2):
        try:
            subject.plan(source, target)
            subject.plan(target, source)
        except MigrationMismatch:
            continue
        yield source, target


@st.composite
def rings(draw: st.DrawFn) -> Subject:
    """Two versions of up to four records that hold each other and themselves, of which few
    fields come, go or change.
    """
    names = [f"R{at}" for at in range(draw(st.integers(1, 4)))]
    rare = st.sampled_from([(True, True)] * 6 + [(True, False), (False, True)])
    both: tuple[dict[str, Any], dict[str, Any]] = {}, {}
    for name in names:
        fields: tuple[list[Field], list[Field]] = [], []
        for at, kinds in enumerate(draw(st.lists(st.sampled_from(SCALARS), max_size=2))):
            is_changed = draw(st.integers(0, 5)) == 0
            kind, default = (kinds[0], kinds[1] if is_changed else kinds[0]), Default(kinds[2])
            for version, is_there in enumerate(draw(rare)):
                if is_there:
                    fields[version].append(Field(f"a{at}", kind[version], default=default))
        links = st.tuples(st.sampled_from(LINKS), st.sampled_from(names))
        for at, (link, target) in enumerate(draw(st.lists(links, max_size=3))):
            empty: JsonValue = None if link is Optional else [] if link is Array else {}
            linked = Field(f"l{at}", link(Reference(target)), default=Default(empty))
            for version, is_there in enumerate(draw(rare)):
                if is_there:
                    fields[version].append(linked)
        for version in (0, 1):
            both[version][name] = Record(name, (Field("x", INT), *fields[version]))
    found = [Schema("s", at, "avro", "R0", types) for at, types in enumerate(both, 1)]
    return Subject(list(number_fields(found)))


@given(rings())
def test_records_that_hold_each_other(subject: Subject) -> None:
    """In both directions, however often a record is met."""
    for source, target in ((1, 2), (2, 1)):
        assert loses_nothing(subject, source, target) is told(subject, source, target)


@pytest.mark.parametrize("name", OWN)
def test_subjects_with_ops(name: str) -> None:
    """Between all pairs of versions, with ops, rules and functions between them."""

    @given(OWN[name]())
    def tell(turns: Any) -> None:
        subject: Subject = turns.subject
        for source, target in pairs(subject):
            assert loses_nothing(subject, source, target) is told(subject, source, target)

    tell()


def test_both_answers_come_up() -> None:
    """Among the random records there are many that lose something, and many that lose nothing."""
    found: Counter[bool] = Counter()

    @given(rings())
    def look(subject: Subject) -> None:
        found.update([told(subject, 2, 1)])

    look()
    assert min(found[True], found[False]) > 5
