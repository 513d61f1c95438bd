"""What versions lose to each other, in words for the docstrings of generated modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...errors import MigrationError
from ...migrations.losses import Loss
from ..loss_report import path_losses
from ..subject import Subject
from ..types.quoting import Section

_KINDS = ("dropped", "changed", "refused")


def losses_to_neighbours(subject: Subject, version: int) -> list[Section]:
    """What a state of ``version`` loses one version up, and one version down."""
    targets = [near for near in (version + 1, version - 1) if near in subject.schemas]
    return [
        Section(f"Read as version {target}, a state of this version may lose:", items)
        for target in targets
        if (items := _items(subject, version, target))
    ]


def losses_to_latest(subject: Subject) -> list[Section]:
    """What states of every older version lose where they are read at the latest.

    Neighbours that lose the same are told together, and those that lose nothing not at all.
    """
    latest = subject.latest
    ways = [(version, _items(subject, version, latest)) for version in range(1, latest)]
    groups = ((items, [way[0] for way in same]) for items, same in groupby(ways, lambda w: w[1]))
    return [
        Section(f"Read as version {latest}, {_states(versions)} may lose:", items)
        for items, versions in groups
        if items
    ]


def _states(versions: Sequence[int]) -> str:
    match versions:
        case [only]:
            return f"a state of version {only}"
        case [first, second]:
            return f"states of versions {first} and {second}"
        case _:
            return f"states of versions {versions[0]} to {versions[-1]}"


def _items(subject: Subject, source: int, target: int) -> tuple[str, ...]:
    try:
        return tuple(_told(path_losses(subject, source, target)))
    except MigrationError as error:
        return (f"refused: every state ({error})",)


def _told(losses: Sequence[Loss]) -> Iterator[str]:
    """One sentence for all fields of one fate: those of many versions can be many."""
    fates: dict[tuple[str, str], list[str]] = {}
    for loss in losses:
        fates.setdefault((loss.kind, loss.what), []).append(loss.path)
    for (kind, what), paths in sorted(fates.items(), key=lambda fate: _KINDS.index(fate[0][0])):
        yield f"{kind}: {', '.join(paths)} ({what})"
