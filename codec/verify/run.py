"""Runs the laws, one case after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from ...errors import ConfigError
from ..compatibility.search import simplest
from ..extras import import_hypothesis
from ..subject import Subject
from .edits import EDIT
from .fused import FUSED
from .goldens import GOLDENS
from .lab import Lab
from .law import DEFAULT_SETTINGS, Broken, Case, Law, Outcome, Settings, Trial
from .pairs import PAIRS
from .returns import ROUND_TRIP
from .stable import DETERMINISTIC
from .totals import DOWNGRADE_TOTAL, UPGRADE_TOTAL

LAWS: Final = (
    UPGRADE_TOTAL,
    DOWNGRADE_TOTAL,
    ROUND_TRIP,
    EDIT,
    FUSED,
    PAIRS,
    DETERMINISTIC,
    GOLDENS,
)
"""Every law, in the order in which they run."""

_EDGES: Final = 3
"""Choices of the schema that are tried for each generated state, at most."""


@dataclass(frozen=True, slots=True)
class Run:
    """The cases of one subject that are to be run, with the law of each."""

    subject: str
    cases: tuple[tuple[Law, Case], ...]
    settings: Settings

    def outcomes(self) -> Iterator[Outcome]:
        """Run them: an outcome for each case, or several where recorded blobs are read.

        Where a law is broken by one hop, longer routes over it are passed over: they would say
        the same again. Raises MissingExtra without hypothesis.
        """
        import_hypothesis()
        broken: list[tuple[str, frozenset[frozenset[int]]]] = []
        for law, case in self.cases:
            blank = _blank(self.subject, law, case)
            if any(law.id == known and hops < _hops(case) for known, hops in broken):
                yield replace(blank, passed_over="a hop of it breaks the law")
                continue
            for outcome in _outcomes(case, blank, self.settings):
                if outcome.broken is not None:
                    broken.append((law.id, _hops(case)))
                yield outcome


def prepare(
    subject: Subject, settings: Settings = DEFAULT_SETTINGS, laws: Collection[str] = ()
) -> Run:
    """The cases of ``subject``, of the laws with these ids or of all of them.

    Raises ConfigError for an id that no law has.
    """
    lab = Lab(subject)
    cases = [(law, case) for law in _chosen(laws) for case in law.cases(lab, settings)]
    return Run(subject.name, tuple(cases), settings)


def verify(
    subject: Subject, settings: Settings = DEFAULT_SETTINGS, laws: Collection[str] = ()
) -> list[Outcome]:
    """Run the laws for ``subject``. Raises ConfigError and MissingExtra as ``prepare``
    and ``Run.outcomes`` do.
    """
    return list(prepare(subject, settings, laws).outcomes())


def _blank(subject: str, law: Law, case: Case) -> Outcome:
    out = case.left_out
    return Outcome(law.id, law.purpose, subject, case.route, case.format, left_out=out)


def _chosen(ids: Collection[str]) -> Sequence[Law]:
    known = {law.id: law for law in LAWS}
    for name in ids:
        if name not in known:
            raise ConfigError(f"there is no law {name!r}", mend=f"laws are {', '.join(known)}")
    return [law for law in LAWS if not ids or law.id in ids]


def _hops(case: Case) -> frozenset[frozenset[int]]:
    """The adjacent versions that a route joins, whichever way."""
    return frozenset(
        frozenset((version, version + 1))
        for ends in pairwise(case.route)
        for version in range(min(ends), max(ends))
    )


def _outcomes(case: Case, blank: Outcome, settings: Settings) -> Iterator[Outcome]:
    if case.findings is not None:
        found = case.findings()
        yield from (replace(blank, broken=broken) for broken in found)
        if not found:
            yield blank
        return
    counted = _Counted(case.trial)
    broken = _search(case, counted, settings)
    route = (broken and broken.route) or case.route
    yield replace(blank, route=route, examples=counted.count, broken=broken)


@dataclass(slots=True)
class _Counted:
    """A trial that counts how often it is called."""

    trial: Trial
    count: int = 0

    def __call__(self, value: Any) -> Broken | None:
        self.count += 1
        return self.trial(value)


def _search(case: Case, trial: Trial, settings: Settings) -> Broken | None:
    found = simplest(case.values(), trial, settings.examples, seed=settings.seed)
    if found is not None:
        return found[1]
    edges = list(case.edges())
    # A large schema has more than anybody waits for: then some of them, from all over it.
    some = edges[:: 1 + len(edges) // (_EDGES * settings.examples)]
    return next((broken for broken in map(trial, some) if broken is not None), None)
