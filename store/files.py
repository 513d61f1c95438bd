"""A store of one file for each key, for few states and for people who look inside."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, NamedTuple, Self
from zlib import crc32

import msgspec

from ..errors import StoreError, StoreLayoutError
from .documents import check_document
from .durable import TEMP_SUFFIX, naming, replace_file
from .file_documents import document_names, read_document, write_document
from .file_folder import check_folder, locked, open_folder
from .file_names import SUFFIX, in_key_order, names, stem_of
from .store import (
    BLOB_LIMIT,
    Entry,
    Held,
    absolute_path,
    check_key,
    check_scan,
    check_write,
    closed,
    next_revision,
)

_LAYOUT: Final = 1
# Writers of keys in different stripes do not wait for each other.
_STRIPES: Final = 64


class _Header(msgspec.Struct, frozen=True):
    """The first line of a file. ``layout`` changes when older releases could not read it."""

    layout: int
    key: str
    revision: Annotated[int, msgspec.Meta(ge=1)]
    write_id: str
    live: bool


class _File(NamedTuple):
    header: _Header
    blob: bytes


class FileStore:
    """Keeps each key in a file of its own below ``folder``, which is made where it is missing.

    A file is one line of JSON (layout, key, revision, write id, live) and then the blob as it is.
    A deleted key leaves its line behind, so that its revision is never given again. ``timeout``
    is how long to wait for another writer of the same key, in seconds; ``blob_limit`` the size of
    the largest blob, in bytes; without ``create`` a missing store is an error. Raises
    StoreLayoutError for a folder that holds anything else, ConfigError for what is no path, and
    StoreError; so do reads and writes once the folder is deleted.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        timeout: float = 10.0,
        blob_limit: int = BLOB_LIMIT,
        create: bool = True,
    ) -> None:
        self.folder: Final = absolute_path(folder)
        self._timeout = timeout
        self._blob_limit = blob_limit
        self._closed = False
        with self._guarded():
            open_folder(self.folder, create=create, timeout=timeout)
            self._clean()

    def __repr__(self) -> str:
        return f"FileStore({str(self.folder)!r})"

    def get(self, key: str) -> Entry | None:
        """As ``Store.get``. Raises StoreLayoutError for a file that no store wrote."""
        check_key(key)
        with self._naming(key):
            return self._entry(stem_of(key), key)

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        """As ``Store.put``."""
        check_write(key, expected, write_id, blob, self._blob_limit)
        return self._write(key, blob, expected, write_id, live=True)

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        """As ``Store.delete``."""
        check_write(key, expected, write_id)
        self._write(key, b"", expected, write_id, live=False)

    def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
        """As ``Store.scan``; reads the names in the folder once, then file by file.

        A file that cannot be read, or has the name of no key, is a StoreError with what its name
        spells as ``key``: a scan after it goes on behind it.
        """
        check_scan(prefix, after)
        for key, stem in self._listed(prefix):
            if key > after and key.startswith(prefix):
                with self._naming(key):
                    entry = self._entry(stem, key)
                if entry is not None:
                    yield entry

    def get_document(self, name: str) -> bytes | None:
        """As ``Store.get_document``."""
        check_document(name)
        with self._guarded():
            check_folder(self.folder)
            return read_document(self.folder, name)

    def put_document(self, name: str, content: bytes) -> bytes:
        """As ``Store.put_document``."""
        check_document(name, content)
        with self._guarded():
            check_folder(self.folder)
        with self._guarded(), locked(self.folder, "documents", self._timeout):
            return write_document(self.folder, name, content)

    def documents(self) -> Iterator[str]:
        """As ``Store.documents``. Raises StoreLayoutError for a file that is no document."""
        with self._guarded():
            check_folder(self.folder)
            return iter(document_names(self.folder))

    def close(self) -> None:
        """Refuse later calls. Nothing is held open between calls."""
        self._closed = True

    @contextmanager
    def _naming(self, key: str) -> Generator[None]:
        """Name the key at fault, unless all are: one bad file keeps no other from being read."""
        try:
            yield
        except StoreError as error:
            with self._guarded():
                check_folder(self.folder)
            error.key = key
            raise

    def _entry(self, stem: str, key: str) -> Entry | None:
        with self._guarded():
            file = self._read(stem)
        if file is None:
            return None
        self._check_name(stem, file.header, key)
        if not file.header.live:
            return None
        return Entry(key, file.blob, file.header.revision, file.header.write_id)

    def _write(self, key: str, blob: bytes, expected: int, write_id: str, *, live: bool) -> int:
        stem = stem_of(key)
        with self._guarded():
            # Before the lock, whose folder would be made anew.
            check_folder(self.folder)
        with self._guarded(), self._lock(stem, self._timeout):
            held = self._held(stem, key)
            revision = next_revision(key, held, expected, write_id, live=live)
            if held is None or revision != held.revision:
                header = _Header(_LAYOUT, key, revision, write_id, live)
                parts = (msgspec.json.encode(header), b"\n", blob)
                replace_file(self._path(stem), parts)
        return revision

    def _held(self, stem: str, key: str) -> Held | None:
        with self._naming(key), self._guarded():
            file = self._read(stem)
            if file is None:
                return None
            self._check_name(stem, file.header, key)
        return Held(file.header.revision, file.header.write_id, file.header.live)

    def _read(self, stem: str) -> _File | None:
        path = self._path(stem)
        try:
            with naming(path):
                content = path.read_bytes()
        except FileNotFoundError:
            check_folder(self.folder)
            return None
        line, _, blob = content.partition(b"\n")
        try:
            header = msgspec.json.decode(line, type=_Header)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise self._foreign(stem, "the first line is not one that a store writes") from None
        if header.layout != _LAYOUT:
            raise self._foreign(stem, f"it has layout {header.layout}, and this is {_LAYOUT}")
        return _File(header, blob)

    def _check_name(self, stem: str, header: _Header, key: str) -> None:
        if not names(stem, key):
            raise self._foreign(stem, "no key has this file name")
        if header.key != key:
            raise self._foreign(stem, f"it holds the key {header.key!r}, so it was renamed")

    def _foreign(self, stem: str, what: str) -> StoreLayoutError:
        return StoreLayoutError(
            what,
            where=str(self._path(stem)),
            mend="upgrade instar if a newer release wrote it; else move the file away",
        )

    def _listed(self, prefix: str) -> list[tuple[str, str]]:
        with self._guarded():
            check_folder(self.folder)
            files = self.folder.glob(f"*{SUFFIX}")
            # Not the stem that Path gives, which keeps a suffix that nothing stands before.
            stems = [path.name.removesuffix(SUFFIX) for path in files]
        return in_key_order(stems, self._written_key, prefix)

    def _written_key(self, stem: str) -> str | None:
        # Whatever is wrong with the file is told when a scan comes to it.
        with suppress(StoreError), self._guarded():
            file = self._read(stem)
            return file.header.key if file else None
        return None

    def _path(self, stem: str) -> Path:
        return self.folder / f"{stem}{SUFFIX}"

    def _clean(self) -> None:
        """Remove what killed writers left; a temp whose writer lives is locked, so it stays."""
        suffix = SUFFIX + TEMP_SUFFIX
        for temp in self.folder.glob(f"*{suffix}"):
            with suppress(StoreError, OSError), self._lock(temp.name.removesuffix(suffix), 0):
                temp.unlink(missing_ok=True)

    def _lock(self, stem: str, timeout: float) -> AbstractContextManager[None]:
        return locked(
            self.folder, f"{crc32(stem.encode(errors='surrogatepass')) % _STRIPES:02d}", timeout
        )

    @contextmanager
    def _guarded(self) -> Generator[None]:
        if self._closed:
            raise closed(str(self.folder))
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"the system refused: {error.strerror or error}",
                where=str(error.filename or self.folder),
                mend="check space, rights and path; what was stored is as it was",
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        self.close()
