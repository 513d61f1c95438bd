"""The measures that set instar beside other ways to store the very same states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ..errors import ConfigError
from .deep_copy import check_copy, deep_copier
from .measures import Entries, Entry, Ground, Skipped, Targets, contest
from .states import Make, States, avro_peer

_Row = Callable[[States, float | None], Entry]


def loads(ours: Make, peer: Make) -> Entries:
    """Hydrating by ``ours`` beside hydrating by ``peer``, on the sample and on real data."""
    row = _loads(ours, peer)
    return lambda ground, targets: _rows(ground.plain, ground.real, targets, row)


def repeating_loads(ours: Make, peer: Make) -> Entries:
    """As :func:`loads`, on the sample whose ids repeat; real data has repeats of its own."""
    row = _loads(ours, peer)
    return lambda ground, targets: _rows(ground.repeating, ground.real, targets, row)


def sample_loads(ours: Make, peer: Make) -> Entries:
    """As :func:`loads`, on the sample alone."""
    row = _loads(ours, peer)
    return lambda ground, targets: _sample_rows(ground.plain, targets, row)


def dumps(ours: Make, peer: Make) -> Entries:
    """Dehydrating by ``ours`` beside dehydrating by ``peer``, on the sample and on real data."""

    def row(states: States, target: float | None) -> Entry:
        return contest(states.label, target, states.dump(ours), states.dump(peer))

    return lambda ground, targets: _rows(ground.plain, ground.real, targets, row)


def beside_deep_copy(ground: Ground, targets: Targets) -> Iterator[Entry]:
    """Hydrating from Avro beside copying the objects in C, on the sample and on real data."""
    return _rows(ground.plain, ground.real, targets, _deep_copy_row)


def _loads(ours: Make, peer: Make) -> _Row:
    return lambda states, target: contest(
        states.label, target, states.load(ours), states.load(peer)
    )


def _deep_copy_row(states: States, target: float | None) -> Entry:
    versions = states.versions
    types = versions.registry.subject(versions.subject).types(versions.version)
    try:
        copy = deep_copier(types)
    except ConfigError as error:
        return Skipped(states.label, target, error.what)
    check_copy(copy, states.state)
    return contest(states.label, target, states.load(avro_peer), partial(copy, states.state))


def _rows(
    samples: Sequence[States], real: States | str, targets: Targets, row: _Row
) -> Iterator[Entry]:
    yield from _sample_rows(samples, targets, row)
    if isinstance(real, States):
        yield row(real, target_at(real.place, targets))
    else:
        yield Skipped("real", target_at(1, targets), real)


def _sample_rows(samples: Sequence[States], targets: Targets, row: _Row) -> Iterator[Entry]:
    for states in samples:
        yield row(states, target_at(states.place, targets))


def target_at(place: int, targets: Targets) -> float | None:
    """The target that holds for the size at this place, of the three, if there is one."""
    return targets[min(place, len(targets) - 1)] if targets else None
