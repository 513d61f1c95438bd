"""Reads JSON documents from files, strictly: nothing is dropped, nothing is guessed.

A file holds one object, an array of objects (each a document), or, where its name ends
in ``.jsonl`` or ``.ndjson``, one document on each line. Blank lines are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ...errors import DocumentError
from ..model import JsonValue
from .strict_json import parse

_LINE_SUFFIXES = frozenset({".jsonl", ".ndjson"})


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON value and where it came from.

    ``source`` is a path or any other name; ``number`` is the line, or the place in an
    array counted from 1, where the source holds several documents.
    """

    source: str
    value: JsonValue
    number: int | None = None

    @property
    def place(self) -> str:
        """The source, and the number after ``#`` where there is one."""
        return self.source if self.number is None else f"{self.source}#{self.number}"

    @property
    def key(self) -> str:
        """The file's name without its last suffix, and the number as in ``place``."""
        stem = Path(self.source).stem
        return stem if self.number is None else f"{stem}#{self.number}"

    def members(self) -> dict[str, JsonValue]:
        """Return the value. Raises DocumentError unless it is an object: a state has fields."""
        if isinstance(self.value, dict):
            return self.value
        raise DocumentError(
            f"a document must be an object, this is {kind_of(self.value)}",
            where=self.place,
            mend="wrap it in an object",
        )


def read_documents(
    paths: Iterable[str | Path], *, on_error: Callable[[DocumentError], None] | None = None
) -> Iterator[Document]:
    """Read the documents of all files, in order. Files of lines are read line by line.

    Raises DocumentError, with file and line, for a file that cannot be read and for what
    is not strict JSON: see :func:`.strict_json.parse`. With ``on_error``, errors go there
    and reading continues with the next document.
    """
    report = on_error or _raise
    for path in map(Path, paths):
        try:
            read = _read_lines if path.suffix.lower() in _LINE_SUFFIXES else _read_whole
            yield from read(path, report)
        except OSError as error:
            report(DocumentError(f"cannot be read: {error.strerror or error}", where=str(path)))


def _raise(error: DocumentError) -> NoReturn:
    raise error


def _read_whole(path: Path, report: Callable[[DocumentError], None]) -> Iterator[Document]:
    try:
        value = parse(path.read_bytes(), str(path))
    except DocumentError as error:
        if "Extra data" in error.what:
            error.mend = "name the file .jsonl if each line of it is a document"
        report(error)
        return
    if isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield Document(str(path), item, number)
    else:
        yield Document(str(path), value)


def _read_lines(path: Path, report: Callable[[DocumentError], None]) -> Iterator[Document]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                value = parse(line.rstrip(), str(path), number)
            except DocumentError as error:
                report(error)
            else:
                yield Document(str(path), value, number)


def kind_of(value: object) -> str:
    """Name the JSON kind of ``value`` with its article, for messages."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a float"
        case str():
            return "a string"
        case list():
            return "an array"
        case dict():
            return "an object"
        case _:
            return f"a {type(value).__name__}"
