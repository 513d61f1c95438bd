"""Older code that edits a newer state keeps its edit, and everything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any

from ..compatibility.choices import choices
from ..compatibility.values import states
from ..extras import import_hypothesis
from ..record import Record
from .computed import computed_fields
from .lab import Lab, Refused, attempt
from .law import Broken, Case, Law, Settings
from .losses import Announced
from .paths import Path, are_related, written
from .unseen import Unseen
from .walk import Difference, Walk, bare

_MOST_PLACES = 1 << 16


def _cases(lab: Lab, settings: Settings) -> Sequence[Case]:
    del settings
    return [_case(lab, low, high) for low, high in lab.pairs()]


def _case(lab: Lab, low: int, high: int) -> Case:
    return Case(
        (high, low, high),
        values=partial(_values, lab, low, high),
        edges=partial(_edges, lab, low, high),
        trial=partial(_trial, lab, low, high),
    )


def _values(lab: Lab, low: int, high: int) -> Any:
    """A newer state, an older one to take a value from, and which place is edited."""
    st: Any = import_hypothesis().strategies
    older, newer = (states(lab.subject.types(version)) for version in (low, high))
    return st.tuples(newer, older, st.integers(0, _MOST_PLACES))


def _edges(lab: Lab, low: int, high: int) -> Iterable[tuple[Any, Any, int]]:
    older, newer = (list(choices(lab.subject.types(version))) for version in (low, high))
    donors = cycle(older or [None])
    return [(state, next(donors), place) for place, state in enumerate(newer)]


@dataclass(frozen=True, slots=True)
class _Edit:
    """The path that was edited, and plain upgrades of the older state without and with it."""

    place: Path
    plain: Any
    changed: Any


def _trial(lab: Lab, low: int, high: int, value: tuple[Any, Any, int]) -> Broken | None:
    state, donor, pick = value
    saved = attempt(lab.codec(high).encode, state)
    read = attempt(lab.codec(low).decode, saved)
    if isinstance(saved, Refused) or isinstance(read, Refused):
        return None  # which other laws look for
    place = edit(lab.walk(low), read, donor, pick)
    if place is None:
        return None
    before = lab.codec(low).decode(saved)
    plain, changed = (lab.migrate(bare(old), low, high) for old in (before, read))
    found = attempt(lab.codec(high).decode, attempt(lab.codec(low).encode, read))
    if any(isinstance(state, Refused) for state in (plain, changed, found)):
        return None
    wrong = _judge(lab, (low, high), state, _Edit(place, plain, changed), found)
    if wrong is None:
        return None
    expected, what = wrong
    return Broken(
        f"after {written(place)} is edited at version {low}, {what}",
        *(lab.to_json(high, each) for each in (state, expected, found)),
    )


def _judge(
    lab: Lab, pair: tuple[int, int], state: Any, made: _Edit, found: Any
) -> tuple[Any, str] | None:
    """The edit is where two plain upgrades differ; the rest must be that of the newer state.

    What was expected instead, and what is wrong.
    """
    low, high = pair
    walk, lost = lab.walk(high), lab.lost(high, low)
    seen, computed = partial(_plain, lab, low, high), computed_fields(lab.subject, low, high)
    unseen = Unseen(walk, lost, seen, computed, bare(state), bare(found))
    missing = unseen.missing(made.plain, made.changed)
    if missing is not None:
        return state, f"what that version does not see is lost: {missing}"
    newer, found = unseen.newer, unseen.found
    reached = [d.path for d in walk.differences(made.plain, made.changed)] + unseen.beaten
    rest = (d for d in walk.differences(newer, found) if not are_related(d.path, reached))
    edited = (d for d in walk.differences(made.changed, found) if are_related(d.path, reached))
    for expected, differences, what in (
        (state, rest, "another part is lost"),
        (made.changed, edited, "the edit is lost"),
    ):
        first = _first(differences, lost)
        if first is not None:
            return expected, f"{what}: {first}"
    return None


def _plain(lab: Lab, low: int, high: int, state: Any) -> Any:
    """A newer state, led down as older code reads it, and up by itself."""
    read = attempt(lab.codec(low).decode, attempt(lab.codec(high).encode, state))
    return lab.migrate(bare(read), low, high)


def _first(differences: Iterator[Difference], lost: Announced) -> Difference | None:
    # What is refused anywhere else is kept where older code reads the state at all.
    return next((d for d in differences if not lost.trip.covers(written(d.path))), None)


def edit(walk: Walk, state: Any, donor: Any, pick: int) -> Path | None:
    """Give one field of ``state`` the value that it has in ``donor``; the path of the field.

    ``pick`` chooses among the fields that differ and hold no records; ``None`` where no field
    does.
    """
    donors: dict[type, Record] = {}
    for _, record in walk.records(donor):
        donors.setdefault(type(record), record)
    places = list(_places(walk, state, donors))
    if not places:
        return None
    path, record, attribute, value = places[pick % len(places)]
    setattr(record, attribute, value)
    return path


def _places(
    walk: Walk, state: Any, donors: dict[type, Record]
) -> Iterator[tuple[Path, Record, str, Any]]:
    for path, record in walk.records(state):
        donor = donors.get(type(record))
        if donor is None:
            continue
        for attribute, name in walk.fields(record).items():
            old, new = getattr(record, attribute), getattr(donor, attribute)
            is_flat = not any(True for value in (old, new) for _ in walk.records(value))
            if is_flat and next(walk.differences(old, new), None) is not None:
                yield (*path, name), record, attribute, new


EDIT = Law(
    "edit",
    "Older code that edits a newer state keeps its edit and the rest, but for announced losses.",
    _cases,
)
