"""Looks for a value that a trial fails on, and shrinks it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..extras import import_hypothesis
from .readers import Problem, Trial

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
    hypothesis: Any = import_hypothesis()
    found: list[tuple[Any, Problem]] = []

    def attempt(value: Any) -> None:
        problem = trial(value)
        if problem is not None and layout in {None, problem.layout}:
            found.append((value, problem))
            raise _FoundError

    run = hypothesis.settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )(hypothesis.given(values)(attempt))
    try:
        run()
    except _FoundError:
        # The last one that hypothesis tries is the simplest.
        return found[-1]
    except hypothesis.errors.Unsatisfiable:
        return None
    return None
