"""How fields make one text: ``{0}/{1}``, with parts in brackets that may be left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ...errors import MigrationError

_MOST = 500
_PIECE = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{([0-9]{1,2})\}|([\[\]])|([^{}\[\]]+)")
_ESCAPED = {"{{": "{", "}}": "}", "[[": "[", "]]": "]"}


class Part(msgspec.Struct, frozen=True):
    """Texts and numbers of fields; left out where ``optional`` and all of its fields are empty."""

    pieces: tuple[str | int, ...]
    optional: bool = False

    def text(self, values: Sequence[str]) -> str:
        """The part with the texts of the fields in it."""
        used = [values[piece] for piece in self.pieces if isinstance(piece, int)]
        if self.optional and not any(used):
            return ""
        return "".join(values[p] if isinstance(p, int) else p for p in self.pieces)


def parsed(template: str) -> tuple[Part, ...]:
    """The parts of a template.

    ``{{``, ``}}``, ``[[`` and ``]]`` stand for one of them. Raises MigrationError where it
    does not read.
    """
    if len(template) > _MOST:
        raise MigrationError(f"the template has more than {_MOST} characters", mend="shorten it")
    parts: list[Part] = []
    pieces: list[str | int] = []
    inside, at = False, 0
    while at < len(template):
        found = _PIECE.match(template, at)
        if found is None or (found[2] and (found[2] == "[") == inside):
            raise _error(template, at)
        at = found.end()
        if found[2]:
            parts.append(_part(template, pieces, inside))
            pieces, inside = [], not inside
        else:
            pieces.append(int(found[1]) if found[1] else _ESCAPED.get(found[0], found[0]))
    if inside:
        raise _error(template, at)
    return (*parts, Part(tuple(pieces)))


def _part(template: str, pieces: list[str | int], optional: bool) -> Part:
    if optional and not any(isinstance(piece, int) for piece in pieces):
        raise MigrationError(
            f"the template {template!r} has brackets without a field in them",
            mend="write [[ and ]] for brackets that are always there",
        )
    return Part(tuple(pieces), optional)


def fields(parts: Sequence[Part]) -> list[int]:
    """The numbers of the fields, as they come."""
    return [piece for part in parts for piece in part.pieces if isinstance(piece, int)]


def _error(template: str, at: int) -> MigrationError:
    return MigrationError(
        f"the template {template!r} does not read at character {at + 1}",
        mend="write fields as {0}, parts that may be left out as [{0}/], and braces and"
        " brackets themselves twice",
    )
