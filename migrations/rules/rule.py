"""What a rule is: a change of values that is data, and so can travel with a store."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import msgspec

from ...errors import MigrationError
from ...schemas.model import Enum, Fixed, Logical, Primitive

Scalar: TypeAlias = Primitive | Logical | Enum | Fixed
"""What a rule changes: named types are resolved, and what is optional is unwrapped."""

Change: TypeAlias = Callable[[Any], Any]
"""A rule between two types. Raises ``NotExpressible`` for a value that it cannot change."""


class BaseRule(msgspec.Struct, frozen=True, tag_field="rule"):
    """A change of one value, in both directions.

    Values are Python's own for their types; an enum is the text of its symbol. ``source`` and
    ``target`` are the types in the direction that is asked for; ``forward`` is the direction
    from the older version to the newer, in which the rule is written.
    """

    @abstractmethod
    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        """The function from values of ``source`` to values of ``target``.

        What it returns is a value that ``target`` holds. Raises MigrationError where the rule
        has nothing to do with these types; the function raises ``NotExpressible`` for a value
        that it cannot change.
        """

    @abstractmethod
    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What a value loses on the way, in words; empty where nothing is lost.

        Where it is empty in both directions, a value that went there comes back equal.
        """

    @abstractmethod
    def refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """Which values the function refuses, in words; empty where it takes all of them."""

    def check_fields(self, reads: int, writes: int) -> None:
        """Raise MigrationError where the rule cannot make so many fields from so many."""
        if (reads, writes) != (1, 1):
            raise MigrationError(
                f"this rule cannot make {writes} fields from {reads}",
                mend="only split(...) makes several fields from one, and join(...) one of several",
            )


def check_choice(what: str, given: object, choices: Iterable[str]) -> None:
    """Raise MigrationError where a rule was given a word that is none of its choices."""
    known = list(choices)
    if given not in known:
        raise MigrationError(f"{given!r} is no {what}", mend=f"there are {', '.join(known)}")
