"""The text of ``.avsc`` files: their JSON, and lines for errors to point at."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import SchemaError, SchemaSyntaxError, UnsupportedSchema
from ..expect import nests_deeper
from ..model import JsonValue

MAX_DEPTH = 150
"""How deep the JSON of a schema may nest; a deeper one would exhaust the stack of its readers."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING_OR_COMMA = re.compile(rf"{_STRING}|,(?=\s*[\]}}])", re.DOTALL)
_LENIENT = "or let it pass: lenient = true in [tool.instar]"


def read_text(path: Path) -> str:
    """The text of the file at ``path``.

    Raises SchemaSyntaxError where it is not UTF-8, SchemaError where there is no such file.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SchemaSyntaxError("not UTF-8 text", where=str(path)) from None
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
        text = _strict(self.text) if self.lenient else self.text
        try:
            document: JsonValue = json.loads(text, object_pairs_hook=self._object)
        except json.JSONDecodeError as error:
            raise self._not_json(error) from None
        except RecursionError:
            raise self._too_deep() from None
        except ValueError as error:  # a number with more digits than Python converts
            raise SchemaSyntaxError(f"not JSON: {error}", where=self.where) from None
        if nests_deeper(document, MAX_DEPTH):
            raise self._too_deep()
        return document

    def place(self, *tokens: str) -> str:
        """``file:line`` of the last of ``tokens``, each looked for after the one before."""
        found: re.Match[str] | None = None
        for token in tokens:
            found = self._find(token, found.end() if found else 0) or found
        return self.where if found is None else self._line(found.start())

    def _line(self, position: int) -> str:
        return f"{self.where}:{self.text.count(chr(10), 0, position) + 1}"

    def _find(self, token: str, start: int) -> re.Match[str] | None:
        quoted = re.escape(json.dumps(token, ensure_ascii=False))
        short = re.escape(json.dumps(token.rpartition(".")[2], ensure_ascii=False))
        for pattern in (rf'"name"\s*:\s*(?:{quoted}|{short})', quoted, short):
            match = re.compile(pattern).search(self.text, start)
            if match is not None:
                return match
        return None

    def _object(self, pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        for key, value in pairs:
            # Real files repeat a key, which is harmless where it says the same.
            if key in found and found[key] != value:
                raise SchemaSyntaxError(
                    f"the key {key!r} stands twice in one object", where=self.place(key, key)
                )
            found[key] = value
        return found

    def _not_json(self, error: json.JSONDecodeError) -> SchemaSyntaxError:
        # Some Avro tools let both pass, so real files have them.
        if not self.lenient:
            if self.text[error.pos : error.pos + 2] in ("//", "/*"):
                return SchemaSyntaxError(
                    "a comment is no JSON",
                    where=self._line(error.pos),
                    mend=f'write it as a "doc" attribute, {_LENIENT}',
                )
            comma = _trailing_comma(self.text, error.pos)
            if comma is not None:
                return SchemaSyntaxError(
                    "a trailing comma is no JSON",
                    where=self._line(comma),
                    mend=f"remove it, {_LENIENT}",
                )
        return SchemaSyntaxError(f"not JSON: {error.msg}", where=self._line(error.pos))

    def _too_deep(self) -> SchemaSyntaxError:
        return SchemaSyntaxError(f"nested deeper than {MAX_DEPTH} levels", where=self.where)


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


@dataclass(frozen=True, slots=True)
class AvroSource:
    """The texts that make up one schema, and ``where`` they come from together.

    ``owners`` has the text that defines each named type, by full name, where there are several.
    """

    texts: tuple[AvroText, ...]
    where: str
    owners: dict[str, AvroText] = field(default_factory=dict[str, AvroText])

    def error(self, reason: str, *tokens: str) -> SchemaSyntaxError:
        """An error at the place that ``tokens`` (quoted names, outermost first) lead to."""
        return SchemaSyntaxError(reason, where=self.place(*tokens))

    def unsupported(self, what: str, *tokens: str) -> UnsupportedSchema:
        """Like :meth:`error`, for what is valid and not read by this release."""
        return UnsupportedSchema(what, where=self.place(*tokens))

    def place(self, *tokens: str) -> str:
        """``file:line`` of the last of ``tokens``, in the file that defines the type it is in."""
        if len(self.texts) == 1:
            return self.texts[0].place(*tokens)
        for start in reversed(range(len(tokens))):
            if tokens[start] in self.owners:
                return self.owners[tokens[start]].place(*tokens[start:])
        return self.where
