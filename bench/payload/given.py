"""States that a user has: JSON documents in files, or blobs in a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ...codec.documents import DocumentCodec
from ...errors import ConfigError, ValueMismatch
from ...schemas.infer import Document, read_documents
from ...store.store import Store
from ..peers import Versions
from .chosen import Chosen, main_list, short, size_text, three_of, unique
from .made import MadeUp

MOST_BLOBS: Final = 1000
"""A store is read no further than this many blobs."""


def from_files(versions: Versions, files: Sequence[Path]) -> list[Chosen]:
    """The documents in ``files``, as ``instar adopt`` reads them, or in instar's JSON form.

    Of many, the smallest, the middle one and the largest. Raises ``DocumentError`` and
    ``ValueMismatch`` for what is no document or no state.
    """
    found = [(document.place, _state(versions, document)) for document in read_documents(files)]
    if not found:
        raise ConfigError("there is no document in it", where=", ".join(map(str, files)))
    origin = f"{len(found)} documents of {len(files)} files"
    return _chosen(versions, [(Path(place).name, state) for place, state in found], origin)


def from_store(versions: Versions, store: Store, url: str) -> list[Chosen]:
    """The states in a store, at the version that is measured.

    Of many, the smallest, the middle one and the largest. Blobs of other subjects are passed
    over. Raises ``BlobError`` for one that cannot be read, ``ConfigError`` where there is none.
    """
    codec = versions.codec("json")
    entries = list(islice(store.scan(), MOST_BLOBS))
    found = [(entry.key, codec.decode(entry.blob)) for entry in entries]
    if not found:
        raise ConfigError("the store holds nothing", where=url)
    return _chosen(versions, found, f"{len(found)} blobs of {url}")


def _state(versions: Versions, document: Document) -> Any:
    types = versions.registry.subject(versions.subject).types(versions.version)
    value = document.members()
    try:
        return DocumentCodec(types).load(value)[0]
    except ValueMismatch as error:
        try:
            return versions.codec("json").from_builtins(value)
        except ValueMismatch:
            raise error.under(document.place) from None


def _chosen(versions: Versions, states: Iterable[tuple[str, Any]], origin: str) -> list[Chosen]:
    codec = versions.codec("json")
    sized = sorted(
        ((len(codec.encode(state)), name, state) for name, state in states),
        key=lambda found: found[:2],
    )
    picked = three_of(sized)
    labels = unique([f"{short(name)}, {size_text(size)}" for size, name, _ in picked])
    documents = [dict(codec.to_builtins(state)) for _, _, state in picked]
    spare = MadeUp.of(versions).other()
    return [
        Chosen(
            label, origin, len(main_list(document) or ()), document, _other(documents, place, spare)
        )
        for place, (label, document) in enumerate(zip(labels, documents, strict=True))
    ]


def _other(documents: list[dict[str, Any]], place: int, spare: dict[str, Any]) -> dict[str, Any]:
    """Another state of the user's own where there is one."""
    return next((found for found in documents if found != documents[place]), spare)
