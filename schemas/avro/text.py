"""The text of ``.avsc`` files: their JSON, and the places in it that errors point at."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ...errors import SchemaError, SchemaSyntaxError
from ..expect import nests_deeper
from ..model import JsonValue
from . import spots

MAX_DEPTH = 150
"""How deep the JSON of a schema may nest; a deeper one would exhaust the stack of its readers."""

_STRING_OR_COMMENT = re.compile(rf"{spots.STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING_OR_COMMA = re.compile(rf"{spots.STRING}|,(?=\s*[\]}}])", re.DOTALL)
_LENIENT = "or let it pass: lenient = true in [tool.instar]"


def read_text(path: Path) -> str:
    """The text of the file at ``path``.

    Raises SchemaSyntaxError where it is not UTF-8, SchemaError where there is no such file.
    """
    try:
        data = path.read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SchemaSyntaxError("not UTF-8 text", where=f"{path}:{line}") from None
    except OSError as error:
        raise SchemaError(f"cannot be read: {error.strerror}", where=str(path)) from None


@dataclass(frozen=True, slots=True)
class AvroText:
    """The text of one ``.avsc`` file, and ``where`` it comes from.

    ``lenient`` lets comments in the style of C and trailing commas pass, as Avro for Java does.
    """

    text: str
    where: str
    lenient: bool = False

    def document(self) -> JsonValue:
        """The JSON document.

        Raises SchemaSyntaxError where it is not JSON, gives a key two values or nests too deep.
        """
        text = self._json()
        try:
            document: JsonValue = json.loads(
                text,
                object_pairs_hook=partial(self._object, text),
                parse_int=partial(self._integer, text),
            )
        except json.JSONDecodeError as error:
            raise self._not_json(error) from None
        except RecursionError:
            raise self._too_deep(text) from None
        if nests_deeper(document, MAX_DEPTH):
            raise self._too_deep(text)
        return document

    def place(self, path: spots.JsonPath) -> str:
        """``file:line:column`` of the value at ``path``, or of the innermost around it."""
        return self._at(spots.spot(self._json(), path))

    def _json(self) -> str:
        return _strict(self.text) if self.lenient else self.text

    def _at(self, position: int) -> str:
        line = self.text.count("\n", 0, position) + 1
        column = position - self.text.rfind("\n", 0, position)
        return f"{self.where}:{line}:{column}"

    def _object(self, text: str, pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        for key, value in pairs:
            # Real files repeat a key, which is harmless where it says the same.
            if key in found and found[key] != value:
                raise SchemaSyntaxError(
                    f"the key {key!r} stands twice in one object",
                    where=self._at(spots.repeated(text)),
                )
            found[key] = value
        return found

    def _integer(self, text: str, digits: str) -> int:
        try:
            return int(digits)
        except ValueError as error:  # more digits than Python converts
            where = self._at(spots.token(text, digits))
            raise SchemaSyntaxError(f"not JSON: {error}", where=where) from None

    def _not_json(self, error: json.JSONDecodeError) -> SchemaSyntaxError:
        # Some Avro tools let both pass, so real files have them.
        if not self.lenient:
            if self.text[error.pos : error.pos + 2] in ("//", "/*"):
                return SchemaSyntaxError(
                    "a comment is no JSON",
                    where=self._at(error.pos),
                    mend=f'write it as a "doc" attribute, {_LENIENT}',
                )
            comma = _trailing_comma(self.text, error.pos)
            if comma is not None:
                return SchemaSyntaxError(
                    "a trailing comma is no JSON",
                    where=self._at(comma),
                    mend=f"remove it, {_LENIENT}",
                )
        return SchemaSyntaxError(f"not JSON: {error.msg}", where=self._at(error.pos))

    def _too_deep(self, text: str) -> SchemaSyntaxError:
        where = self._at(spots.deeper(text, MAX_DEPTH))
        return SchemaSyntaxError(f"nested deeper than {MAX_DEPTH} levels", where=where)


def _strict(text: str) -> str:
    """``text`` with blanks for comments and trailing commas; every line stays where it is."""
    text = _STRING_OR_COMMENT.sub(_blank, text)
    return _STRING_OR_COMMA.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    text = found[0]
    return text if text.startswith('"') else re.sub(r"[^\n]", " ", text)


def _trailing_comma(text: str, position: int) -> int | None:
    """Where the comma is that makes the parser stop at ``position``, if one does."""
    # Python 3.13 stops at the comma itself, the others after it.
    comma = len(text[:position].rstrip()) - 1
    for start in (position, comma):
        if text[start : start + 1] == "," and text[start + 1 :].lstrip()[:1] in {"]", "}"}:
            return start
    return None
