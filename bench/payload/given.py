"""States that a user has: JSON documents in files, or blobs in a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ...codec.codec import Codec
from ...codec.documents import DocumentCodec
from ...errors import (
    ConfigError,
    InstarError,
    NewerVersion,
    UnknownFingerprint,
    ValueMismatch,
    WrongSubject,
)
from ...schemas.infer import Document, read_documents
from ...store.store import Entry, Store
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

    Of many, the smallest, the middle one and the largest. Blobs of other subjects and of
    versions that are not known here are passed over, which the origin says. Raises ``BlobError``
    for a damaged one, ``ConfigError`` where none is left.
    """
    codec = versions.codec("json")
    entries = list(islice(store.scan(), MOST_BLOBS))
    found = [(e.key, state) for e in entries if (state := _decoded(codec, e)) is not None]
    if not entries:
        raise ConfigError("the store holds nothing", where=url)
    if not found:
        raise ConfigError(f"the store holds nothing of {versions.subject}", where=url)
    of_all = "" if len(found) == len(entries) else f" of the {len(entries)}"
    return _chosen(versions, found, f"{len(found)}{of_all} blobs of {url}")


def _decoded(codec: Codec[Any], entry: Entry) -> Any:
    """The state of a blob, None for one that no schema of the subject here has written."""
    try:
        return codec.decode(entry.blob)
    except (UnknownFingerprint, WrongSubject, NewerVersion):
        return None
    except InstarError as error:
        error.add_note(f"while reading the key {entry.key!r}")
        raise


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
    maker = MadeUp.of(versions)
    return [
        Chosen(
            label, origin, len(main_list(document) or ()), document, _other(documents, place, maker)
        )
        for place, (label, document) in enumerate(zip(labels, documents, strict=True))
    ]


def _other(documents: list[dict[str, Any]], place: int, maker: MadeUp) -> dict[str, Any]:
    """Another state of the user's own where there is one, else one that is made up."""
    document = documents[place]
    own = next((found for found in documents if found != document), None)
    return maker.other(document) if own is None else own
