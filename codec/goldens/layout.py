"""Where goldens lie, and ``provenance.txt``, which says how each of them was made.

``schemas/<subject>/golden/v2/`` holds the goldens of version 2: the blobs of one state are
``<state>.avro``, ``<state>.protobuf`` and so on, and ``<state>.expected.json`` is its value in
JSON form. Each file has one line in ``provenance.txt``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, get_args

from ..engines import EngineName
from ..tag import Format

FOLDER: Final = "golden"
"""The folder of goldens, in that of the subject."""
PROVENANCE: Final = "provenance.txt"
EXPECTED: Final = ".expected.json"
"""The ending of a recorded value."""
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

_HEAD: Final = (
    "# How each golden was made: file, its SHA-256, instar, Python, engine.\n"
    "# Written by `instar record`, which adds lines: commit it, and change no line of it.\n"
)
_LINE: Final = re.compile(r"(\S+) ([0-9a-f]{64}) (\S+) (\S+) (kernel|library)")
_VERSION: Final = re.compile(r"v([1-9][0-9]*)")
_TEXTS: Final = (".json", ".yaml")


@dataclass(frozen=True, slots=True)
class Maker:
    """Who made a golden: the releases of instar and of Python, and the engine."""

    instar: str
    python: str
    engine: EngineName


@dataclass(frozen=True, slots=True)
class Line:
    """One line of provenance: a file, the SHA-256 of its bytes, and who made it."""

    file: str
    digest: str
    maker: Maker


@dataclass(frozen=True, slots=True)
class Golden:
    """One golden blob of one state, written at ``version``."""

    version: int
    state: str
    format: Format
    path: Path
    """The file of the blob."""

    @property
    def name(self) -> str:
        """``v2/defaults.avro``: its place in the folder of goldens."""
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def expected(self) -> Path:
        """The file of the recorded value."""
        return self.path.with_name(f"{self.state}{EXPECTED}")


@dataclass(slots=True)
class Folder:
    """The goldens of one version as they are on disk.

    ``bad`` has the places, as ``file:line``, of lines of provenance that say nothing.
    """

    path: Path
    version: int
    lines: dict[str, Line] = field(default_factory=dict[str, Line])
    bad: list[str] = field(default_factory=list[str])

    @property
    def provenance(self) -> Path:
        """The file that says how each was made."""
        return self.path / PROVENANCE

    @property
    def is_recorded(self) -> bool:
        """Whether goldens of the version were ever recorded."""
        return self.provenance.is_file()

    def goldens(self) -> Iterator[Golden]:
        """The blobs that have a line, sorted by name."""
        for name in sorted(self.lines):
            state, _, ending = name.rpartition(".")
            for known in FORMATS:
                if known == ending and not name.endswith(EXPECTED):
                    yield Golden(self.version, state, known, self.path / name)

    def strangers(self) -> list[Path]:
        """Files without a line, sorted."""
        found = self.path.iterdir() if self.path.is_dir() else ()
        known = {PROVENANCE, *self.lines}
        return sorted(path for path in found if path.name not in known)


def golden_folder(schemas: Path, subject: str) -> Path:
    """The folder of a subject's goldens."""
    return schemas / subject / FOLDER


def recorded_versions(schemas: Path, subject: str) -> list[int]:
    """The versions that have a folder of goldens, sorted."""
    folder = golden_folder(schemas, subject)
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return sorted(int(found[1]) for name in names if (found := _VERSION.fullmatch(name)))


def read_folder(schemas: Path, subject: str, version: int) -> Folder:
    """The goldens of one version; an empty folder where there are none. Raises OSError."""
    folder = Folder(golden_folder(schemas, subject) / f"v{version}", version)
    if folder.is_recorded:
        text = folder.provenance.read_text(encoding="utf-8", errors="backslashreplace")
        for number, content in enumerate(text.splitlines(), start=1):
            line = _read_line(content)
            if line is not None and folder.lines.setdefault(line.file, line) == line:
                continue
            if content and not content.startswith("#"):
                folder.bad.append(f"{folder.provenance}:{number}")
    return folder


def _read_line(content: str) -> Line | None:
    found = _LINE.fullmatch(content)
    # A name that leads elsewhere is no name of a golden.
    if found is None or "/" in found[1] or "\\" in found[1]:
        return None
    engine: EngineName = "kernel" if found[5] == "kernel" else "library"
    return Line(found[1], found[2], Maker(found[3], found[4], engine))


def provenance_text(lines: Iterable[Line]) -> str:
    """The text of ``provenance.txt``: sorted, so that both sides of a merge can be taken."""
    texts = (
        f"{line.file} {line.digest} {line.maker.instar} {line.maker.python} {line.maker.engine}\n"
        for line in lines
    )
    return _HEAD + "".join(sorted(texts))


def digest(name: str, data: bytes) -> str:
    """The SHA-256 of a file, in hex. Git may give a text the line ends of the system."""
    plain = data.replace(b"\r\n", b"\n") if name.endswith(_TEXTS) else data
    return hashlib.sha256(plain).hexdigest()


def lines_of(files: Mapping[str, bytes], maker: Maker) -> Iterator[Line]:
    """The lines of files by name, all made by ``maker``."""
    return (Line(name, digest(name, data), maker) for name, data in files.items())
