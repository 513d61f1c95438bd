"""Foreign JSON documents against typed states of one schema version."""

from __future__ import annotations

from typing import Any

from ...errors import LimitExceeded, ValueMismatch
from ...schemas.model import JsonValue, Reference
from ..record import Record
from ..types import SchemaTypes
from .changes import Change, differences
from .dump import Dumper
from .load import Loader


class DocumentCodec:
    """Loads the JSON documents that a schema was inferred from, and dumps them again.

    Such a document has no tag and none of our keys. A branch of a union is told by its JSON
    kind, which inference sees to; where two branches take a value, it is refused.
    """

    def __init__(self, types: SchemaTypes) -> None:
        self.types = types
        root = Reference(types.schema.root)
        self._load = Loader(types).of(root)
        self._dump = Dumper(types).of(root)

    def load(self, document: JsonValue) -> tuple[Record, tuple[Change, ...]]:
        """Return the state of ``document``, and where dumping it will differ from it.

        All or nothing: raises ValueMismatch, with the path, for an unknown or missing key,
        a value of another type, a number out of range, and whatever would be lost. The
        state shares nothing with the document.
        """
        subject = self.types.schema.subject
        try:
            state: Record = self._load(document)
            changes = tuple(differences(document, self._dump(state)))
            _refuse_loss(changes)
        except ValueMismatch as error:
            raise error.under(subject) from None
        except RecursionError:
            raise _too_deep(subject) from None
        return state, changes

    def dump(self, state: Record) -> dict[str, JsonValue]:
        """Return ``state`` as a document of the kind it was loaded from.

        Raises ValueMismatch, with the path, for a value that its type cannot hold.
        """
        try:
            document: dict[str, Any] = self._dump(state)
        except ValueMismatch as error:
            raise error.under(self.types.schema.subject) from None
        except RecursionError:
            raise _too_deep(self.types.schema.subject) from None
        return document


def _too_deep(subject: str) -> LimitExceeded:
    return LimitExceeded("nested too deep", where=subject, mend="flatten the state")


def _refuse_loss(changes: tuple[Change, ...]) -> None:
    for change in changes:
        if change.kind == "loss":
            raise ValueMismatch(
                f"{change.before!r} cannot be kept: it would become {change.after!r}",
                path=change.path,
            )
