"""What the states of a subject lose between any two of its versions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ..migrations.losses import Loss, losses, refuses
from ..migrations.lost_paths import LostPaths, loses, lost_paths, refused_paths
from .subject import Subject


def path_losses(subject: Subject, source: int, target: int) -> list[Loss]:
    """What a state of version ``source`` loses when it is read as ``target``, up or down.

    All hops count as one: what the versions between them would lose of a field that comes
    and goes is not told. Raises MigrationMismatch where a downgrade cannot be derived.
    """
    return list(dict.fromkeys(_losses(subject, source, target)))


def _losses(subject: Subject, source: int, target: int) -> Iterator[Loss]:
    for segment in subject.plan(source, target).segments:
        ends = subject.schema(segment.source), subject.schema(segment.target)
        for loss in losses(segment.graph, *ends):
            if segment.source == source:
                yield loss
            else:
                # Passes that cannot be fused have names of their own.
                yield replace(loss, what=f"{loss.what} (as version {segment.source} calls it)")


def refusals(subject: Subject, source: int, target: int) -> LostPaths:
    """Where a state of ``source`` may have values that ``target`` cannot hold.

    They are those of :func:`path_losses`, in records that hold themselves at any depth.
    """
    every = [
        refused_paths(each.graph, subject.schema(each.source), subject.schema(each.target))
        for each in subject.plan(source, target).segments
    ]
    return LostPaths(
        frozenset(path for each in every for path in each.paths),
        frozenset(loop for each in every for loop in each.loops),
    )


def loses_nothing(subject: Subject, source: int, target: int) -> bool:
    """Whether ``target`` can hold every state of ``source``, and all comes back as it was.

    The same as whether :func:`path_losses` has none that is refused and
    :func:`round_trip_losses` no path, without a look at each path.
    """
    there, back = subject.plan(source, target).segments, subject.plan(target, source).segments
    for each in there:
        if refuses(each.graph, subject.schema(each.source), subject.schema(each.target)):
            return False
    if len(there) != 1 or len(back) != 1:
        return source == target
    return not loses(there[0].graph, back[0].graph, subject.schema(source))


def round_trip_losses(subject: Subject, source: int, target: int) -> LostPaths:
    """Where a state of ``source`` may differ after it went to ``target`` and came back.

    What is refused on the way comes back in no form: :func:`refusals` has it. Raises
    MigrationMismatch where a downgrade cannot be derived.
    """
    there, back = subject.plan(source, target).segments, subject.plan(target, source).segments
    if source == target:
        return LostPaths(frozenset())
    if len(there) != 1 or len(back) != 1:
        return LostPaths(frozenset({""}))  # Nobody follows several passes there and back.
    return lost_paths(there[0].graph, back[0].graph, subject.schema(source))
