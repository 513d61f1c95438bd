"""Rules that are one amount from another, and so have all else in common."""

from __future__ import annotations

from abc import abstractmethod

from .linear import Linear
from .rule import BaseRule, Change, Scalar


class LinearRule(BaseRule, frozen=True):
    """A rule that says what factor and offset lead from one type to another."""

    @abstractmethod
    def linear(self, source: Scalar, target: Scalar, forward: bool) -> Linear:
        """The way from ``source`` to ``target``.

        Raises MigrationError where the rule has nothing to do with these types.
        """

    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        """The function between two types; see :class:`BaseRule`."""
        return self.linear(source, target, forward).change()

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What rounding loses; see :class:`BaseRule`."""
        return self.linear(source, target, forward).losses()

    def refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What is not whole or out of range; see :class:`BaseRule`."""
        return self.linear(source, target, forward).refuses()
