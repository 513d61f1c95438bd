"""The line of versions of one subject and the steps between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from ..errors import (
    DuplicateMigration,
    MigrationCycle,
    MigrationError,
    MigrationGap,
    MigrationMismatch,
    NoSuchSubject,
    SeveralHeads,
)
from .migration import Migration

Hop: TypeAlias = tuple[int, int]
_Check: TypeAlias = Callable[[str, Sequence[int], Sequence[Migration]], Iterator[MigrationError]]


class Chain:
    """Versions 1 to n of a subject, each joined to the next.

    Raises the first finding of :func:`check_chain`, with the others as notes.
    """

    __slots__ = ("_steps", "subject", "versions")

    def __init__(
        self, subject: str, versions: Sequence[int], migrations: Sequence[Migration] = ()
    ) -> None:
        _raise_first(check_chain(subject, versions, migrations))
        self.subject = subject
        self.versions = tuple(sorted(versions))
        self._steps = {(step.source, step.target): step for step in migrations}

    @property
    def head(self) -> int:
        """The newest version."""
        return self.versions[-1]

    @property
    def migrations(self) -> tuple[Migration, ...]:
        """The migrations of the steps that have one, lowest first."""
        return tuple(self._steps[hop] for hop in sorted(self._steps))

    def step(self, source: int, target: int) -> Migration | None:
        """The migration between two adjacent versions, whichever is the older.

        ``None`` says that the step is derived from the schemas alone. Raises NoSuchSubject
        for an unknown version, MigrationGap where the two are not adjacent.
        """
        self._check_known(source)
        self._check_known(target)
        if abs(source - target) != 1:
            raise MigrationGap(
                f"versions {source} and {target} are not adjacent",
                where=self.subject,
                mend="take the hops between them one by one",
            )
        return self._steps.get((min(source, target), max(source, target)))

    def hops(self, source: int, target: int) -> tuple[Hop, ...]:
        """The adjacent pairs that lead from ``source`` to ``target``, up or down.

        Raises NoSuchSubject for an unknown version.
        """
        self._check_known(source)
        self._check_known(target)
        way = 1 if target >= source else -1
        return tuple((version, version + way) for version in range(source, target, way))

    def _check_known(self, version: int) -> None:
        if version not in self.versions:
            raise NoSuchSubject(
                f"there is no version {version}",
                where=self.subject,
                mend=f"versions here are 1 to {self.head}",
            )


def check_chain(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> list[MigrationError]:
    """Everything that keeps these versions and migrations from being one line.

    Whether a step without a migration can be derived is not judged here.
    """
    return [error for check in _CHECKS for error in check(subject, versions, migrations)]


def _raise_first(findings: list[MigrationError]) -> None:
    if findings:
        first, *others = findings
        for other in others:
            first.add_note(f"also: {other}")
        raise first


def _check_holes(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> Iterator[MigrationError]:
    del migrations
    if not versions:
        yield MigrationGap(
            "there is no version at all", where=subject, mend=_add_schema(subject, 1)
        )
    for version in range(1, max(versions, default=0)):
        if version not in versions:
            yield MigrationGap(
                f"version {version} is missing", where=subject, mend=_add_schema(subject, version)
            )


def _check_subjects(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> Iterator[MigrationError]:
    del versions
    for step in migrations:
        if step.subject != subject:
            yield MigrationMismatch(
                f"the migration {step.name} is of another subject",
                where=subject,
                mend=f"move it to the migrations of {step.subject}, or correct its subject",
            )


def _check_schemas(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> Iterator[MigrationError]:
    for step in migrations:
        for version in sorted({step.source, step.target} - set(versions)):
            yield MigrationMismatch(
                f"the migration {step.source} -> {step.target} joins version {version},"
                " which has no schema",
                where=subject,
                mend=f"{_add_schema(subject, version)}, or delete the migration",
            )


def _check_duplicates(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> Iterator[MigrationError]:
    del versions
    counts = Counter((step.source, step.target) for step in migrations)
    for (source, target), count in counts.items():
        if count > 1:
            yield DuplicateMigration(
                f"{count} migrations join {source} -> {target}",
                where=subject,
                mend="keep one, and move the ops of the others into it",
            )


def _check_cycles(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> Iterator[MigrationError]:
    del versions
    for source, target in _edges(migrations):
        if target <= source:
            yield MigrationCycle(
                f"the migration {source} -> {target} leads back",
                where=subject,
                mend="a migration goes up and holds both directions;"
                f" give {target} -> {source} a down= instead"
                if target < source
                else "delete it, or correct its numbers",
            )


def _check_branches(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> Iterator[MigrationError]:
    del versions
    for source, targets in _forward(migrations).items():
        if len(targets) > 1:
            listed = " and ".join(map(str, targets))
            yield SeveralHeads(
                f"versions {listed} all follow version {source}",
                where=subject,
                mend=f"keep one line: only {source} -> {source + 1} may begin at {source}",
            )


def _check_adjacent(
    subject: str, versions: Sequence[int], migrations: Sequence[Migration]
) -> Iterator[MigrationError]:
    del versions
    for source, targets in _forward(migrations).items():
        if len(targets) == 1 and targets[0] != source + 1:
            hops = ", ".join(f"{at} -> {at + 1}" for at in range(source, targets[0]))
            yield MigrationGap(
                f"the migration {source} -> {targets[0]} passes over versions between them",
                where=subject,
                mend=f"replace it by a migration for each step: {hops}",
            )


_CHECKS: tuple[_Check, ...] = (
    _check_holes,
    _check_subjects,
    _check_schemas,
    _check_duplicates,
    _check_cycles,
    _check_branches,
    _check_adjacent,
)


def _edges(migrations: Sequence[Migration]) -> list[Hop]:
    return sorted({(step.source, step.target) for step in migrations})


def _forward(migrations: Sequence[Migration]) -> dict[int, list[int]]:
    forward: dict[int, list[int]] = {}
    for source, target in _edges(migrations):
        if target > source:
            forward.setdefault(source, []).append(target)
    return forward


def _add_schema(subject: str, version: int) -> str:
    return f"add the schema {subject}/v{version}.avsc or v{version}.proto"
