"""Verdicts that are run: the real writer of one version, the reader of another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from msgspec.structs import replace as changed

from ...errors import MigrationError, SchemaError
from ...migrations.matching import Versions, match_fields
from ...schemas.model import Field, Record, Schema
from ..subject import Subject
from ..types import SchemaTypes, build_types
from .change import Change, Direction, RawFormat, Reading
from .choices import choices
from .diff import diff
from .heights import heights
from .numbered import numbered
from .readers import Trial, make_planned_trial, make_trial
from .search import search_both
from .values import states

T = TypeVar("T")

EXAMPLES = 60
"""Values that are tried on each record, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A value that the reader does not get: written at version ``writer``, read at ``reader``.

    ``place`` is the record that was written; ``value`` is the object, as simple as could be
    found, or None where no value was tried; ``layout`` says that the bytes do not parse, and
    otherwise they give another value.
    """

    writer: int
    reader: int
    place: str
    value: Any
    layout: bool
    what: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What running one reading in one direction showed, for one pair of versions.

    ``changes`` are those that the rules hold to be breaks here. ``disagreement`` says where
    rules and execution differ; the execution decides.
    """

    older: int
    newer: int
    direction: Direction
    reading: Reading
    failures: tuple[Failure, ...]
    changes: tuple[Change, ...]
    disagreement: str = ""
    refused: str = ""

    @property
    def layout(self) -> bool:
        """Whether all bytes parsed."""
        return not self.refused and not any(failure.layout for failure in self.failures)

    @property
    def compatible(self) -> bool:
        """Whether all bytes parsed and gave the values that were written."""
        return not self.refused and not self.failures


@dataclass(frozen=True, slots=True)
class Settings:
    """How verdicts are run.

    ``subject`` is what instar reads with, its migrations included; by default two versions
    alone, without any. ``examples`` values are tried on each record.
    """

    subject: Subject | None = None
    examples: int = EXAMPLES


DEFAULT_SETTINGS: Final = Settings()


def run(
    older: Schema,
    newer: Schema,
    direction: Direction,
    reading: Reading,
    settings: Settings = DEFAULT_SETTINGS,
) -> Verdict:
    """Write values of one version and read them at the other.

    Backward writes the older, forward the newer. A schema that has no form in the format is
    ``refused``. Raises MissingExtra without hypothesis.
    """
    if reading == "instar":
        return _run_planned(older, newer, direction, settings)
    older, newer = numbered(older, newer)
    changes = diff(older, newer)
    sides = (older, newer) if direction == "backward" else (newer, older)
    failures: tuple[Failure, ...] = ()
    refused = ""
    try:
        failures = tuple(_Raw(*sides, direction, reading, settings.examples).failures(changes))
    except SchemaError as error:
        refused = str(error)
    broken = tuple(change for change in changes if change.broken(reading, direction))
    told = "" if refused else _disagreement(failures, broken)
    ends = older.version, newer.version
    return Verdict(*ends, direction, reading, failures, broken, told, refused)


def _run_planned(older: Schema, newer: Schema, direction: Direction, settings: Settings) -> Verdict:
    ends = older.version, newer.version
    sides = ends if direction == "backward" else (ends[1], ends[0])
    failures: list[Failure] = []
    try:
        subject, hop = settings.subject, sides
        if subject is None:
            subject = Subject([changed(older, version=1), changed(newer, version=2)])
            hop = (1, 2) if direction == "backward" else (2, 1)
        trial = make_planned_trial(subject, *hop)
        failures += _trials(trial, subject.types(hop[0]), sides, settings.examples)
    except MigrationError as error:
        failures.append(Failure(*sides, older.subject, None, layout=True, what=str(error)))
    return Verdict(*ends, direction, "instar", tuple(failures), ())


@dataclass(frozen=True, slots=True)
class _Raw:
    """Trials of a plain reader of one format."""

    writer: Schema
    reader: Schema
    direction: Direction
    reading: RawFormat
    examples: int

    def failures(self, changes: Sequence[Change]) -> Iterator[Failure]:
        """Failures of each record that changed, and of the root where none of them failed.

        What a large state hides from random values, a small record shows.
        """
        types = build_types(self.writer), build_types(self.reader)
        tall = heights(self.writer)
        found = False
        for pair in dict.fromkeys(change.records for change in changes):
            source, target = self._in_order(pair)
            if tall[source] != math.inf:
                for failure in self._of(types, source, target):
                    found = True
                    yield failure
        if not found:
            yield from self._of(types, self.writer.root, self.reader.root)

    def _of(
        self, types: tuple[SchemaTypes, SchemaTypes], source: str, target: str
    ) -> Iterator[Failure]:
        """Failures of one record, taken for a root."""
        old, new = _rooted(types[0], source), _rooted(types[1], target)
        trial = make_trial(self.reading, old, new, self._kept(source, target))
        sides = self.writer.version, self.reader.version
        yield from _trials(trial, old, sides, self.examples)

    def _kept(self, source: str, target: str) -> list[tuple[Field, Field]]:
        """The fields that two records share, as the writer's and the reader's."""
        older, newer = self._in_order((self.writer, self.reader))
        first, second = self._in_order((source, target))
        old, new = older.types[first], newer.types[second]
        if not isinstance(old, Record) or not isinstance(new, Record):
            return []
        matches = match_fields(Versions(older, newer), old, new)
        before, after = ({f.name: f for f in record.fields} for record in (old, new))
        return [self._in_order((before[o], after[n])) for n, o in matches.items()]

    def _in_order(self, pair: tuple[T, T]) -> tuple[T, T]:
        """Older and newer as writer and reader, or the reverse."""
        return pair if self.direction == "backward" else (pair[1], pair[0])


def _rooted(types: SchemaTypes, root: str) -> SchemaTypes:
    return replace(types, schema=changed(types.schema, root=root))


def _trials(
    trial: Trial, types: SchemaTypes, sides: tuple[int, int], examples: int
) -> Iterator[Failure]:
    for value, problem in search_both(choices(types), states(types), trial, examples):
        yield Failure(*sides, types.schema.root, value, layout=problem.layout, what=problem.what)


def _disagreement(failures: Sequence[Failure], broken: Sequence[Change]) -> str:
    if failures and not broken:
        return f"no rule says so, and it fails: {failures[0].what}"
    if broken and not failures:
        paths = ", ".join(change.path for change in broken[:3])
        return f"the rules name {paths}, and no value that was tried fails"
    return ""
