"""The texts that make up one schema, and the places in them that errors name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...errors import SchemaSyntaxError, UnsupportedSchema
from .spots import JsonPath
from .text import AvroText


@dataclass(frozen=True, slots=True)
class Place:
    """A value in the text of a schema, and the ``path`` that leads to it there.

    As text it is ``file:line:column``.
    """

    text: AvroText
    path: JsonPath = ()

    def __str__(self) -> str:
        return self.text.place(self.path)

    def at(self, *steps: str | int) -> Place:
        """The place of a part: ``steps`` are keys and positions from here."""
        return replace(self, path=(*self.path, *steps))

    def error(self, reason: str) -> SchemaSyntaxError:
        """An error at this place."""
        return SchemaSyntaxError(reason, where=str(self))

    def unsupported(self, what: str) -> UnsupportedSchema:
        """Like :meth:`error`, for what is valid and not read by this release."""
        return UnsupportedSchema(what, where=str(self))


@dataclass(frozen=True, slots=True)
class AvroSource:
    """The texts that make up one schema, and ``where`` they come from together.

    ``places`` has the place of each named type by its full name, and of each field by that of
    its record and its own.
    """

    texts: tuple[AvroText, ...]
    where: str
    places: dict[tuple[str, ...], Place] = field(default_factory=dict[tuple[str, ...], Place])

    @property
    def top(self) -> str:
        """What errors name that are of the schema as a whole."""
        return str(Place(self.texts[0])) if len(self.texts) == 1 else self.where
