"""What a view stands on: a part of a payload in the kernel, or of an object that is built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["record", "list", "map"]


class Part(Protocol):
    """A record, list or map. What it gives is a value, or a part again.

    ``NotImplemented`` in place of one says that the whole has to be decoded to say what is
    wrong with it.
    """

    @property
    def kind(self) -> Kind:
        """Which of the three it is."""
        ...

    @property
    def cls(self) -> type:
        """Of a record: the class that it is hydrated to."""
        ...

    @property
    def names(self) -> Mapping[str, int]:
        """Of a record: the index of each attribute."""
        ...

    def field(self, index: int) -> Any:
        """Of a record: what the field with this index holds."""
        ...

    def values(self, names: tuple[str, ...]) -> Any:
        """Of a record: the objects of these attributes, which nobody else has;
        ``NotImplemented`` too where there is no such attribute.
        """
        ...

    def count(self) -> Any:
        """Of a list or a map: how many items or entries there are."""
        ...

    def item(self, index: int) -> Any:
        """Of a list: an item, at an index below ``count``."""
        ...

    def keys(self) -> Any:
        """Of a map: the index of the entry of each key."""
        ...

    def value(self, index: int) -> Any:
        """Of a map: the value of an entry."""
        ...

    def hydrate(self) -> Any:
        """The object of the whole part, which nobody else has."""
        ...
