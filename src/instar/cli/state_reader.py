"""Reads states of any subject in one store, by the project, if there is one, and the store."""

from __future__ import annotations

from typing import Any, Final

from ..codec.codec import Codec
from ..codec.registry import Registry
from ..codec.tag import Tag, read_tag
from ..errors import UnknownFingerprint
from ..store.fetching import FetchingCodec
from ..store.store import Entry, Store
from .from_store import registry_from
from .known import subject_of

# Whoever makes up tags shall not fill the memory.
_MOST_CODECS: Final = 100


class StateReader:
    """Decodes entries of ``store`` as its newest code at hand would."""

    def __init__(self, store: Store, registry: Registry | None) -> None:
        self._store = store
        self._registry = registry
        self._codecs: dict[tuple[object, ...], FetchingCodec[Any]] = {}

    def read(self, entry: Entry) -> object:
        """The state in an entry. Raises InstarError where it cannot be read here."""
        tag = read_tag(entry.blob)
        writer = (tag.framing, tag.subject, tag.version, tag.fingerprint)
        codec = self._codecs.get(writer)
        if codec is None:
            codec = self._codec(tag)
            if len(self._codecs) >= _MOST_CODECS:
                self._codecs.clear()
            self._codecs[writer] = codec
        return codec.decode(entry.blob)

    def _codec(self, tag: Tag) -> FetchingCodec[Any]:
        registry = registry_from(self._store, tag, self._registry)
        if registry is None:
            raise UnknownFingerprint(tag.subject or "", tag.version, tag.fingerprint)
        codec: Codec[Any] = registry.codec(subject_of(tag, registry))
        return FetchingCodec(codec, self._store)
