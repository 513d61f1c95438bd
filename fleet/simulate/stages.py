"""A rollout and its rollback as stages: the versions of the processes, and what they write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """Some time in a rollout; ``versions`` has one for each process.

    ``written`` is the version that processes of the newer code write; ``rewrites`` says that one
    of them first writes the whole store at that version.
    """

    name: str
    versions: tuple[int, ...]
    written: int
    rewrites: bool = False


def stages(old: int, new: int, processes: int) -> Iterator[Stage]:
    """All of a rollout from ``old`` to ``new`` and back, in order.

    ``processes`` is 2 or more.
    """

    def fleet(newer: int) -> tuple[int, ...]:
        return (new,) * newer + (old,) * (processes - newer)

    mixed = range(1, processes)
    yield Stage("all old", fleet(0), old)
    for newer in mixed:
        yield Stage("mixed, pinned", fleet(newer), old)
    yield Stage("mixed, switched", fleet(processes - 1), new)
    yield Stage("all new", fleet(processes), new)
    yield Stage("pinned again", fleet(processes), old, rewrites=True)
    for newer in reversed(mixed):
        yield Stage("rollback, mixed", fleet(newer), old)
    yield Stage("all old again", fleet(0), old)
