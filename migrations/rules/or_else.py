"""A rule that puts a value in the place of null."""

from __future__ import annotations

from typing import Any

from .rule import BaseRule, Change, Scalar
from .values import Constant, covers, fit, form, from_json, unrelated, words


class OrElse(BaseRule, frozen=True, tag="or_else"):
    """Null becomes ``value``, which is in JSON form; all else stays as it is.

    On the way down every value stays as it is, or ``value`` becomes null where
    ``null_again`` is set.
    """

    value: Constant
    null_again: bool = False

    @property
    def handles_null(self) -> bool:
        """Null is what it is about; see :class:`BaseRule`."""
        return True

    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        """The function between two types, null left aside; see :class:`BaseRule`."""
        given, held = self._given(source, target, forward), fit(target)
        if forward:
            return lambda value: given if value is None else held(value)
        if self.null_again:
            return lambda value: None if value is None or value == given else held(value)
        return lambda value: None if value is None else held(value)

    def _given(self, source: Scalar, target: Scalar, forward: bool) -> Any:
        if form(source) != form(target):
            mend = "it changes nothing but null: convert the type in a step of its own"
            raise unrelated("or_else(...)", source, target, mend)
        return from_json(target if forward else source, self.value)

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """That null is a value afterwards; see :class:`BaseRule`."""
        self._given(source, target, forward)
        return f"null becomes {self.value!r}" if forward else ""

    def refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What the other type cannot hold; see :class:`BaseRule`."""
        del forward
        return "" if covers(source, target) else f"what is beyond {words(target)}"


def or_else(value: Constant, *, null_again: bool = False) -> OrElse:
    """A rule for an optional that becomes required: ``or_else(0)``.

    ``value`` (JSON form) stands for null. With ``null_again`` it becomes null on the way
    down; without, every value stays, and states of the newer version come back as they were.
    """
    return OrElse(value, null_again)
