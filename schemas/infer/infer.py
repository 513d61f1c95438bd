"""The two passes of inference: gather shapes, then decide on types."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import DocumentError
from ..model import Schema
from .decide import Decider, Place
from .documents import Document
from .draft import Drafts
from .shape import Shape
from .words import can_be_key


def infer_schema(
    documents: Iterable[Document],
    *,
    subject: str,
    enums: bool = False,
    namespace: str | None = None,
    narrow: bool = False,
) -> Schema:
    """Propose version 1 of ``subject`` as an Avro schema that holds every document.

    ``enums`` makes an enum of a text with few, repeated values; otherwise it stays a
    string, because samples seldom show all values. ``namespace`` goes before the names of
    the types. ``narrow`` gives whole numbers 32 bits where all that were seen fit; otherwise
    they have 64, because the next one may not. The result depends only on the documents and
    their order.
    Raises DocumentError where there is no document, or one is no JSON object.
    """
    shape = _observe(documents)
    drafts = Drafts()
    root = Decider(drafts, enums, narrow).record(shape, Place((), subject))
    name, types = drafts.named(root, namespace)
    return Schema(subject, 1, "avro", name, types)


def _observe(documents: Iterable[Document]) -> Shape:
    shape = Shape()
    for document in documents:
        try:
            shape.observe(document.members())
        except DocumentError as error:
            error.where = error.where or document.place
            raise
    if not shape.objects:
        raise DocumentError("there is no document to infer from", mend="name files that hold one")
    for key in shape.fields:
        if not can_be_key(key):
            raise DocumentError(f"no field can have the key {key!r}", mend="rename the key")
    return shape
