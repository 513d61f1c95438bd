"""Rules about null: a value in its place, and null in the place of a value."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

from ...errors import MigrationError
from ...schemas.model import JsonValue
from ..arguments import check_flags, check_json
from .rule import BaseRule, Change, Scalar
from .values import Constant, covers, fit, form, from_json, unrelated, words


class OrElse(BaseRule, frozen=True, tag="or_else"):
    """Null becomes ``value``, which is in JSON form; all else stays as it is.

    On the way down every value stays as it is, or ``value`` becomes null where
    ``null_again`` is set.
    """

    value: Any
    null_again: bool = False

    def __post_init__(self) -> None:
        """Raise MigrationError for null."""
        _check(self.value, "or_else")

    def takes_null(self, forward: bool) -> bool:
        """Whether this direction is the one in which null becomes the value."""
        return forward

    def gives_null(self, forward: bool) -> bool:
        """Whether the value becomes null in this direction."""
        return not forward and self.null_again

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
        return from_json(target if forward else source, cast("Constant", self.value))

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """That null is a value afterwards; see :class:`BaseRule`."""
        self._given(source, target, forward)
        return f"null becomes {self.value!r}" if forward else ""

    def refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What the other type cannot hold; see :class:`BaseRule`."""
        del forward
        return "" if covers(source, target) else f"what is beyond {words(target)}"


class NullIf(BaseRule, frozen=True, tag="null_if"):
    """``value``, which is in JSON form, becomes null; all else stays as it is.

    On the way down null becomes ``value``: it is ``OrElse`` the other way.
    """

    value: Any

    def __post_init__(self) -> None:
        """Raise MigrationError for null."""
        _check(self.value, "null_if")

    @property
    def _turned(self) -> OrElse:
        return OrElse(self.value, null_again=True)

    def takes_null(self, forward: bool) -> bool:
        """Whether this direction is the one in which null becomes the value."""
        return not forward

    def gives_null(self, forward: bool) -> bool:
        """Whether the value becomes null in this direction."""
        return forward

    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        """The function between two types, null left aside; see :class:`BaseRule`."""
        return self._turned.bind(source, target, not forward)

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """That null is a value afterwards; see :class:`BaseRule`."""
        return self._turned.losses(source, target, not forward)

    def refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What the other type cannot hold; see :class:`BaseRule`."""
        return self._turned.refuses(source, target, not forward)


NullRule: TypeAlias = OrElse | NullIf
"""Rules between an optional and what is none, of any type and not of scalars alone."""


def or_else(value: JsonValue, *, null_again: bool = False) -> OrElse:
    """A rule for an optional that becomes required: ``or_else(0)``, ``or_else([])``.

    ``value`` (JSON form, as a default) stands for null. With ``null_again`` it becomes null on
    the way down; without, every value stays, and states of the newer version come back as they
    were. Raises MigrationError for null.
    """
    check_json("value of or_else(...)", value)
    check_flags("or_else", null_again=null_again)
    return OrElse(value, null_again)


def null_if(value: JsonValue) -> NullIf:
    """A rule for a field that becomes optional, where ``value`` stood for there being nothing:
    ``null_if("")``, ``null_if([])``.

    ``value`` (JSON form, as a default) becomes null, and null becomes ``value`` on the way
    down. Raises MigrationError for null.
    """
    check_json("value of null_if(...)", value)
    return NullIf(value)


def _check(value: JsonValue, rule: str) -> None:
    if value is None:
        raise MigrationError(
            f"{rule}(None) changes nothing", mend="name the value that stands for null"
        )
