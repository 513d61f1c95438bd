"""The text of an ``.avsc`` file: its JSON, and lines for errors to point at."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from ...errors import SchemaSyntaxError, UnsupportedSchema
from ..expect import nests_deeper
from ..model import JsonValue

MAX_DEPTH = 150
"""How deep the JSON of a schema may nest; a deeper one would exhaust the stack of its readers."""


@dataclass(frozen=True, slots=True)
class AvroText:
    """The text of one ``.avsc`` file, and ``where`` it comes from."""

    text: str
    where: str

    def document(self) -> JsonValue:
        """The JSON document.

        Raises SchemaSyntaxError where it is not JSON, repeats a key or nests too deep.
        """
        try:
            document: JsonValue = json.loads(self.text, object_pairs_hook=self._object)
        except json.JSONDecodeError as error:
            raise self._not_json(error) from None
        except RecursionError:
            raise self._too_deep() from None
        except ValueError as error:  # a number with more digits than Python converts
            raise SchemaSyntaxError(f"not JSON: {error}", where=self.where) from None
        if nests_deeper(document, MAX_DEPTH):
            raise self._too_deep()
        return document

    def error(self, reason: str, *tokens: str) -> SchemaSyntaxError:
        """An error at the place that ``tokens`` (quoted names, outermost first) lead to."""
        return SchemaSyntaxError(reason, where=self.place(*tokens))

    def unsupported(self, what: str, *tokens: str) -> UnsupportedSchema:
        """Like :meth:`error`, for what is valid and not read by this release."""
        return UnsupportedSchema(what, where=self.place(*tokens))

    def place(self, *tokens: str) -> str:
        """``file:line`` of the last of ``tokens``, each looked for after the one before."""
        found: re.Match[str] | None = None
        for token in tokens:
            found = self._find(token, found.end() if found else 0) or found
        if found is None:
            return self.where
        return f"{self.where}:{self.text.count(chr(10), 0, found.start()) + 1}"

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
            if key in found:
                raise self.error(f"the key {key!r} stands twice in one object", key, key)
            found[key] = value
        return found

    def _not_json(self, error: json.JSONDecodeError) -> SchemaSyntaxError:
        # Some Avro tools let comments pass, so real files have them.
        is_comment = self.text[error.pos : error.pos + 2] in ("//", "/*")
        reason = "a comment is no JSON" if is_comment else f"not JSON: {error.msg}"
        return SchemaSyntaxError(
            reason,
            where=f"{self.where}:{error.lineno}",
            mend='write it as a "doc" attribute' if is_comment else "",
        )

    def _too_deep(self) -> SchemaSyntaxError:
        return SchemaSyntaxError(f"nested deeper than {MAX_DEPTH} levels", where=self.where)
