"""Looks for a value that a trial fails on, and shrinks it."""

from __future__ import annotations

from typing import Any

from ..extras import import_hypothesis
from .readers import Problem, Trial


class _FoundError(Exception):
    """Stops a run: a value failed."""


def search_both(values: Any, trial: Trial, examples: int) -> list[tuple[Any, Problem]]:
    """The simplest value whose bytes do not parse, and the simplest that is read as another.

    The same values are tried on every run. Raises MissingExtra.
    """
    first = search(values, trial, examples)
    if first is None:
        return []
    second = search(values, trial, examples, layout=not first[1].layout)
    return [found for found in (first, second) if found is not None]


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
