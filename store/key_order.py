"""Which of the keys of one group is the newest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, TypeVar

S = TypeVar("S")

# No others: int() takes those of every script, which code points do not order.
_DIGITS: Final = "0123456789"


def in_order(states: Sequence[S], tail: Callable[[S], str]) -> list[S] | None:
    """``states``, which come in the code points of their tails, the oldest first.

    Tails of one text and a number behind it, such as ``9`` and ``10`` or ``step-9`` and
    ``step-10``, are ordered by the number. All others are ordered by code points, as times and
    padded numbers are made for. Where that contradicts numbers, as in ``10``, ``9``, ``last``,
    nobody can tell: None.
    """
    numbers: dict[str, list[tuple[int, S]]] = {}
    for state in states:
        text, number = _split(tail(state))
        numbers.setdefault(text, []).append((number, state))
    if len(numbers) == 1:
        (only,) = numbers.values()
        return [state for _, state in sorted(only, key=lambda each: each[0])]
    if all(_ascend(number for number, _ in same) for same in numbers.values()):
        return list(states)
    return None


def _split(tail: str) -> tuple[str, int]:
    """The text, and the number behind it, which is -1 where there is none."""
    text = tail.rstrip(_DIGITS)
    return text, int(tail[len(text) :] or -1)


def _ascend(numbers: Iterable[int]) -> bool:
    return all(low <= high for low, high in pairwise(numbers))
