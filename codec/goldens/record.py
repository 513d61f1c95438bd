"""Makes the goldens of a version, with its real writers, and writes those that are not there."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import InstarError
from ...schemas.lock import read_lock
from ..codec import Codec
from ..engines import engine
from ..settings import Settings
from ..subject import Subject
from ..tag import Format
from .layout import (
    EXPECTED,
    FORMATS,
    Folder,
    Line,
    Maker,
    digest,
    lines_of,
    provenance_text,
    read_folder,
)
from .states import named_states


@dataclass(slots=True)
class Draft:
    """What recording one version adds: new ``files`` by name, and a line for each.

    ``left_out`` says, by file, why a blob could not be made: a format that is not installed,
    or one that cannot hold the state.
    """

    folder: Folder
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    lines: list[Line] = field(default_factory=list[Line])
    left_out: dict[str, InstarError] = field(default_factory=dict[str, InstarError])

    @property
    def paths(self) -> list[Path]:
        """The new files, sorted."""
        return [self.folder.path / name for name in sorted(self.files)]

    def write(self) -> None:
        """Write what is new. Nothing that is there is written over. Raises OSError."""
        self.folder.path.mkdir(parents=True, exist_ok=True)
        for name, data in sorted(self.files.items()):
            with (self.folder.path / name).open("xb") as file:
                file.write(data)
        if self.lines or not self.folder.is_recorded:
            self._write_lines()

    def _write_lines(self) -> None:
        known = {**self.folder.lines, **{line.file: line for line in self.lines}}
        # Beside it first: a crash must not cost the lines that are there.
        beside = self.folder.provenance.with_suffix(".temp")
        beside.write_text(provenance_text(known.values()), encoding="utf-8", newline="\n")
        beside.replace(self.folder.provenance)


def released_versions(subject: Subject, schemas: Path) -> list[int]:
    """The versions that are what ``instar.lock`` of the folder of schemas has frozen, sorted.

    Of one that was edited since nothing can be read, which the lock's own check tells.
    """
    frozen = read_lock(schemas, []).releases.get(subject.name, {})
    return [
        version
        for version in subject.schemas
        if version in frozen and frozen[version].fingerprint == subject.fingerprint(version)
    ]


def draft_goldens(
    subject: Subject, schemas: Path, versions: Sequence[int] | None = None
) -> list[Draft]:
    """What recording adds for ``versions``, or for each released one; nothing is written yet.

    A state that was recorded keeps its value, in a format that is new too. ``schemas`` is the
    folder of schemas. Raises OSError.
    """
    from importlib.metadata import version  # noqa: PLC0415 - slow, and seldom needed

    wanted = released_versions(subject, schemas) if versions is None else versions
    maker = Maker(version("instar"), platform.python_version(), engine().name)
    return [_draft(subject, read_folder(schemas, subject.name, v), maker) for v in wanted]


def _draft(subject: Subject, folder: Folder, maker: Maker) -> Draft:
    draft = Draft(folder)
    if folder.bad:
        return draft  # Whatever is written over lines that do not read is lost.
    codecs = _codecs(subject, folder.version)
    made: dict[str, bytes] = {}
    for name, state in _states(subject, folder, codecs["avro"]):
        if f"{name}{EXPECTED}" not in folder.lines:
            made[f"{name}{EXPECTED}"] = json_text(codecs["avro"].to_builtins(state)).encode()
        for format_ in FORMATS:
            file = f"{name}.{format_}"
            if file in folder.lines:
                continue
            try:
                made[file] = codecs[format_].encode(state)
            except InstarError as error:
                draft.left_out[file] = error
    for line in lines_of(made, maker):
        path = folder.path / line.file
        if not path.exists():
            draft.files[line.file] = made[line.file]
        elif digest(line.file, path.read_bytes()) != line.digest:
            continue  # not ours, and nothing is written over: the check tells
        draft.lines.append(line)
    return draft


def _codecs(subject: Subject, version: int) -> Mapping[Format, Codec[Any]]:
    return {format_: Codec(subject, Settings(version, format_)) for format_ in FORMATS}


def _states(subject: Subject, folder: Folder, codec: Codec[Any]) -> Iterator[tuple[str, Any]]:
    """The states that were recorded, as they were, then those that are new."""
    recorded = [name for name in folder.lines if name.endswith(EXPECTED)]
    for name in recorded:
        path = folder.path / name
        if path.is_file():
            try:
                state = codec.from_builtins(json.loads(path.read_bytes()))
            except (InstarError, ValueError):
                continue  # it was edited: the check tells
            yield name.removesuffix(EXPECTED), state
    for name, state in named_states(subject.types(folder.version)):
        if f"{name}{EXPECTED}" not in recorded:
            yield name, _settled(codec, state)


def _settled(codec: Codec[Any], state: Any) -> Any:
    """The state as Avro gives it back: a decimal 0 has all its digits, whoever reads it."""
    try:
        return codec.decode(codec.encode(state))
    except InstarError:
        return state


def json_text(value: Any) -> str:
    """A value in JSON form as text that is equal for equal values, with a line for each part."""
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
