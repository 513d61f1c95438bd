"""A codec that looks in its store for the schemas that it lacks, and puts those that it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import Final, Generic, TypeVar

from ..codec.codec import Codec
from ..codec.tag.quick import quick_head
from ..errors import (
    ComputeError,
    InstarError,
    MigrationError,
    NewerVersion,
    SchemaError,
    WrongFingerprint,
    WrongSubject,
)
from .census import Census, take_census
from .every_entry import Unreadable
from .schema_documents import Version, schema_name
from .store import Entry, Store
from .stored_schemas import fetch_line, fetch_schema, register, version_of

T = TypeVar("T")
R = TypeVar("R")

_LOOK_AGAIN: Final = 1.0


class FetchingCodec(Generic[T]):
    """Reads and writes what ``codec`` does, and newer blobs whose schemas are in ``store``.

    They are read as the codec's own version, by downgrades that are data; nothing fetched is
    ever run. What was fetched is kept; what was not there is looked for again after a second.
    ``clock`` gives seconds. Safe to share between threads.
    """

    def __init__(
        self, codec: Codec[T], store: Store, *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._codec = codec
        self._store = store
        self._clock = clock
        self._wider: dict[Version, Codec[T]] = {}
        self._missing: dict[Version, float] = {}
        self._is_registered = False

    def encode(self, state: T, /) -> bytes:
        """As ``Codec.encode``; what a state keeps of a newer version may need its schema."""
        try:
            return self._codec.encode(state)
        except NewerVersion as error:
            return self._again(error, lambda codec: codec.encode(state))

    def decode(self, blob: bytes, /) -> T:
        """As ``Codec.decode``.

        Raises NewerVersion where the store lacks the schemas, or where what leads down is Python
        or cannot be derived; WrongFingerprint for what is not what it is kept as; StoreError.
        """
        try:
            return self._codec.decode(blob)
        except NewerVersion as error:
            return self._again(error, lambda codec: codec.decode(blob))

    def is_older(self, blob: bytes) -> bool:
        """Whether a version before the one that is written wrote ``blob``."""
        version = self._version(blob)
        return version is not None and version < self._codec.write_version

    def is_newer(self, blob: bytes) -> bool:
        """Whether a version after the one that is written wrote ``blob``."""
        version = self._version(blob)
        return version is not None and version > self._codec.write_version

    def is_current(self, blob: bytes) -> bool:
        """Whether the version that is written wrote ``blob``."""
        return self._version(blob) == self._codec.write_version

    def census(self, entries: Iterable[Entry | Unreadable], subjects: Mapping[int, str]) -> Census:
        """Count ``entries`` by what this codec, ``subjects`` and the store know."""
        line, name = self._codec.line, self._codec.subject
        versions = line.chain.versions
        known = {line.wire_fingerprint(version): name for version in versions}
        known |= {line.fingerprint(version): name for version in versions}
        return take_census(
            entries,
            {**known, **subjects},
            newest={name: line.latest},
            fetch=lambda mark: fetch_schema(self._store, mark),
        )

    def register(self) -> list[InstarError]:
        """Put the versions that this codec knows, up to its own, into the store, once.

        Returned is what is in the store and should not be. Raises StoreError.
        """
        if self._is_registered:
            return []
        problems = register(self._store, self._codec.line, self._codec.version)
        self._is_registered = True
        return problems

    def _version(self, blob: bytes) -> int | None:
        head = quick_head(blob)
        if head is not NotImplemented:
            return int(head[1])
        try:
            tag = self._codec.peek(blob)
            return self._codec.writer_version(tag) if tag.version is None else tag.version
        except InstarError:
            return None

    def _again(self, error: NewerVersion, call: Callable[[Codec[T]], R]) -> R:
        """``call`` with what is needed, which may show that more is."""
        seen: set[int] = set()
        while error.fingerprint is not None and error.fingerprint not in seen:
            seen.add(error.fingerprint)
            needed = Version(error.subject, error.have, error.fingerprint)
            codec = self._codec_for(needed, error)
            try:
                return _guarded(codec, call, error)
            except NewerVersion as another:
                error = another
        raise error

    def _codec_for(self, needed: Version, error: NewerVersion) -> Codec[T]:
        found = self._wider.get(needed)
        if found is None:
            if self._clock() < self._missing.get(needed, 0.0):
                raise error
            found = self._fetch(needed, error)
            self._wider[needed] = found
        return found

    def _fetch(self, needed: Version, error: NewerVersion) -> Codec[T]:
        line = fetch_line(self._store, needed, self._knows)
        if line is None:
            self._check_subject(needed)
            # Whoever makes up fingerprints shall not fill the memory.
            self._missing = {} if len(self._missing) > 1000 else self._missing  # noqa: PLR2004
            self._missing[needed] = self._clock() + _LOOK_AGAIN
            raise error
        if line.python is not None:
            low, high = line.python
            error.mend = (
                f"the migration {low} -> {high} is Python, which does not travel:"
                f" deploy code that knows version {needed.number}, or have it write version {low}"
            )
            raise error

        def extend(codec: Codec[T]) -> Codec[T]:
            return codec.extended(line.schemas, line.migrations)

        return _guarded(self._codec, extend, error)

    def _knows(self, version: Version) -> bool:
        line = self._codec.line
        return version.number in line.schemas and version == version_of(line, version.number)

    def _check_subject(self, needed: Version) -> None:
        schema = fetch_schema(self._store, needed.fingerprint)
        if schema is not None and schema.subject != needed.subject:
            raise WrongSubject(
                f"the blob holds a state of {schema.subject}",
                where=needed.subject,
                mend=f'read it with registry.codec("{schema.subject}")',
            )


def _guarded(codec: Codec[T], call: Callable[[Codec[T]], R], error: NewerVersion) -> R:
    """``call``, which runs on what was fetched: whatever is wrong with that is an InstarError."""
    try:
        return call(codec)
    except ComputeError:
        raise
    except (SchemaError, MigrationError) as cause:
        error.mend = f"its schema in the store does not lead to this version: {cause}"
        raise error from cause
    except InstarError:
        raise
    except Exception as cause:  # what a made-up schema may cause has no bounds
        mark = error.fingerprint or 0
        why = f"{type(cause).__name__}: {cause}"
        raise WrongFingerprint(schema_name(mark), mark, None, why) from cause
