"""A rule that takes one text apart into several fields, and puts them together again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import MigrationError
from .rule import BaseRule, Scalar


class Split(BaseRule, frozen=True, tag="split"):
    """``pattern`` is a regular expression with one group for each field, ``template`` the text
    that the fields make on the way back, with ``{0}``, ``{1}`` for them.
    """

    pattern: str
    template: str

    def check_fields(self, reads: int, writes: int) -> None:
        """Raise MigrationError unless one field becomes as many as there are groups."""
        raise NotImplementedError

    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Callable[[Any], Any]:
        """Splits have several fields: :meth:`bind_fields`."""
        raise MigrationError("a split has several fields")

    def bind_fields(
        self, sources: tuple[Scalar, ...], targets: tuple[Scalar, ...], forward: bool
    ) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
        """The function from the values of the fields read to those of the fields written."""
        raise NotImplementedError

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """Nothing; see :class:`BaseRule`."""
        return ""


def split(pattern: str, template: str) -> Split:
    """A rule for ``convert(one, ..., into=several)``, and for ``join``."""
    return Split(pattern, template)
