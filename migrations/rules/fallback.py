"""Rules that may name one value for all those that they cannot change."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ...errors import NotExpressible
from .rule import BaseRule, Change, Scalar
from .values import Constant, from_json


class Fallback(BaseRule, frozen=True, kw_only=True):
    """``otherwise`` is a value of the newer version, for what cannot be changed on the way up;
    ``otherwise_down`` is one of the older, for the way down. Both are in JSON form. Where they
    are not given, such a value is refused.
    """

    otherwise: Constant | None = None
    otherwise_down: Constant | None = None

    def spare(self, forward: bool) -> Constant | None:
        """The value for all others in one direction."""
        return self.otherwise if forward else self.otherwise_down

    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        """The function between two types; see :class:`BaseRule`."""
        change = self._strict(source, target, forward)
        given = self.spare(forward)
        return change if given is None else _or(change, from_json(target, given))

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What is lost; see :class:`BaseRule`."""
        lost = self._strict_losses(source, target, forward)
        given = self.spare(forward)
        refused = self._strict_refuses(source, target, forward) if given is not None else ""
        replaced = f"{given!r} stands for {refused}" if refused else ""
        return "; ".join(part for part in (lost, replaced) if part)

    def refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What is refused; see :class:`BaseRule`."""
        if self.spare(forward) is not None:
            return ""
        return self._strict_refuses(source, target, forward)

    @abstractmethod
    def _strict(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        """The function that refuses what it cannot change."""

    @abstractmethod
    def _strict_losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What is lost of the values that can be changed."""

    @abstractmethod
    def _strict_refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """Which values cannot be changed."""


def _or(change: Change, given: Any) -> Change:
    def changed(value: Any) -> Any:
        try:
            return change(value)
        except NotExpressible:
            return given

    return changed
