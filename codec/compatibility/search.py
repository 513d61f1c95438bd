"""Looks for a value that a trial fails on, and shrinks it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..extras import import_hypothesis
from .readers import Problem, Trial

T = TypeVar("T")

_KINDS = (True, False)
"""Whether bytes do not parse, or parse to another value."""


class _FoundError(Exception):
    """Stops a run: a value failed."""


def search_both(
    choices: Iterable[Any], values: Any, trial: Trial, examples: int
) -> list[tuple[Any, Problem]]:
    """The simplest value whose bytes do not parse, and the simplest that is read as another.

    ``values`` is a strategy, whose failing values are shrunk; all of ``choices`` are tried for
    what it did not find, since it meets them only by chance. Raises MissingExtra.
    """
    first = search(values, trial, examples)
    found = {} if first is None else {first[1].layout: first}
    if first is not None:
        second = search(values, trial, examples, layout=not first[1].layout)
        if second is not None:
            found[second[1].layout] = second
    for value in () if len(found) == len(_KINDS) else choices:
        problem = trial(value)
        if problem is not None:
            found.setdefault(problem.layout, (value, problem))
    return list(found.values())


def search(
    values: Any, trial: Trial, examples: int, *, layout: bool | None = None
) -> tuple[Any, Problem] | None:
    """The simplest value found that ``trial`` fails on, with what went wrong.

    ``layout`` looks for one kind of problem alone. Raises MissingExtra.
    """

    def attempt(value: Any) -> Problem | None:
        problem = trial(value)
        return problem if problem is not None and layout in {None, problem.layout} else None

    return simplest(values, attempt, examples)


def simplest(
    values: Any, attempt: Callable[[Any], T | None], examples: int, *, seed: int | None = None
) -> tuple[Any, T] | None:
    """The simplest value of the strategy ``values`` for which ``attempt`` gives something, and
    what it gives.

    ``seed`` chooses the values; without it they are the same for the same function. Raises
    MissingExtra.
    """
    hypothesis: Any = import_hypothesis()
    found: list[tuple[Any, T]] = []

    def run(value: Any) -> None:
        outcome = attempt(value)
        if outcome is not None:
            found.append((value, outcome))
            raise _FoundError

    test = hypothesis.settings(
        max_examples=examples,
        derandomize=seed is None,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )(hypothesis.given(values)(run))
    try:
        (test if seed is None else hypothesis.seed(seed)(test))()
    except (_FoundError, hypothesis.errors.Flaky):
        # The last one that hypothesis tries is the simplest. What fails only now and then
        # has failed all the same.
        return found[-1] if found else None
    except hypothesis.errors.Unsatisfiable:
        return None
    return None
