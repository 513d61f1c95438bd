"""The documents of a file store: one file each, in a folder that older releases pass over."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..errors import InvalidKey, StoreLayoutError
from .documents import check_document
from .durable import TEMP_SUFFIX, naming, replace_file, sync_folder
from .file_names import spelled_key, stem_of

_FOLDER: Final = "documents"
_SUFFIX: Final = ".document"


def read_document(folder: Path, name: str) -> bytes | None:
    """The document ``name`` of the store in ``folder``, or None. Raises OSError."""
    path = _path(folder, name)
    try:
        with naming(path):
            return path.read_bytes()
    except FileNotFoundError:
        return None


def write_document(folder: Path, name: str, content: bytes) -> bytes:
    """Write a document where there is none; the one that is there now. Raises OSError.

    The caller keeps other writers of documents away.
    """
    kept = read_document(folder, name)
    if kept is not None:
        return kept
    path = _path(folder, name)
    if not path.parent.exists():
        path.parent.mkdir()
        sync_folder(folder)
    # What a killed writer left has no other name than this.
    path.with_name(path.name + TEMP_SUFFIX).unlink(missing_ok=True)
    replace_file(path, (content,))
    return content


def document_names(folder: Path) -> list[str]:
    """The names of the documents of the store in ``folder``, sorted.

    Raises OSError, and StoreLayoutError for a file that is none of them.
    """
    return sorted(_name(path) for path in (folder / _FOLDER).glob(f"*{_SUFFIX}"))


def _name(path: Path) -> str:
    name = spelled_key(path.stem) or ""
    try:
        check_document(name)
    except InvalidKey:
        name = ""
    if stem_of(name) != path.stem:
        raise StoreLayoutError(
            "no document has this file name",
            where=str(path),
            mend="upgrade instar if a newer release wrote it; else move the file away",
        )
    return name


def _path(folder: Path, name: str) -> Path:
    return folder / _FOLDER / f"{stem_of(name)}{_SUFFIX}"
