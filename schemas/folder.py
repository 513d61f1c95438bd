"""Finds the subjects of a folder: ``<subject>/v1.avsc``, ``<subject>/v2.proto`` and so on.

A version may also be a folder, ``<subject>/v3/``, of ``.avsc`` or ``.proto`` files that use
each other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from keyword import iskeyword
from pathlib import Path

from ..errors import ConfigError, InstarError, MigrationGap, SchemaError
from .avro.reader import read_avro
from .lock import Lock, check_released, read_lock
from .model import Schema
from .numbering import number_fields
from .protobuf.reader import read_proto
from .reading import ReadSettings

_VERSION_FILE = re.compile(r"v([0-9]+)\.(avsc|proto)")
_VERSION_FOLDER = re.compile(r"v([0-9]+)")
_SUBJECT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMPILERS = 4
"""How many protoc processes run side by side; each costs a process start."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a folder holds: the subjects that are in order, and all that is wrong.

    ``broken`` has every other subject with those of its versions, from 1 up to the first
    that is wrong, that can be looked at all the same. All schemas are numbered.
    """

    subjects: Mapping[str, tuple[Schema, ...]]
    broken: Mapping[str, tuple[Schema, ...]]
    findings: Sequence[InstarError]


def load_subjects(
    folder: Path,
    subjects: Collection[str] | None = None,
    errors: list[InstarError] | None = None,
    settings: ReadSettings | None = None,
) -> dict[str, tuple[Schema, ...]]:
    """Read every version of ``subjects`` (all that ``folder`` has, where None is given).

    The versions of each subject are in order, begin at 1 and are numbered; the numbers that
    ``instar.lock`` of the folder has win.
    Raises ConfigError where there is no such folder or subject, MigrationGap where a version
    is missing, SchemaError where a subject's name cannot be used, two files claim one version
    or one of them does not load, LockError, and EditedRelease or MissingRelease where a
    version is not what was released; where ``errors`` is given they are added to it and the
    other subjects still load.
    """
    reading = read_folder(folder, subjects, settings)
    if errors is None and reading.findings:
        raise reading.findings[0]
    if errors is not None:
        errors += reading.findings
    return dict(reading.subjects)


def read_folder(
    folder: Path,
    subjects: Collection[str] | None = None,
    settings: ReadSettings | None = None,
) -> Reading:
    """The same, with all that is wrong in every file.

    Raises ConfigError where there is no such folder or subject.
    """
    with ThreadPoolExecutor(_COMPILERS) as pool:
        found = [
            _start(pool, folder / subject, settings or ReadSettings())
            for subject in _subjects(folder, subjects)
        ]
        for versions in found:
            _finish(versions)
    findings: list[InstarError] = [error for versions in found for error in versions.findings]
    lock = read_lock(folder, findings)
    read: dict[bool, dict[str, tuple[Schema, ...]]] = {True: {}, False: {}}
    for versions in found:
        schemas = _numbered(lock, versions)
        read[not versions.findings][versions.subject] = schemas
        if schemas:
            findings += check_released(lock, schemas, {version for version, _ in versions.reads})
    return Reading(read[True], read[False], findings)


@dataclass(slots=True)
class _Versions:
    """The versions of one subject while they are read; a version may have several files."""

    subject: str
    findings: list[InstarError]
    reads: list[tuple[int, Future[Schema]]] = field(
        default_factory=list[tuple[int, Future[Schema]]]
    )
    schemas: dict[int, Schema] = field(default_factory=dict[int, Schema])


def _start(pool: ThreadPoolExecutor, folder: Path, settings: ReadSettings) -> _Versions:
    """Begin to read the versions of one subject."""
    files = _version_files(folder)
    versions = _Versions(folder.name, [*_check_name(folder), *_check_versions(folder, files)])
    for version, path in files:
        read = pool.submit(_read, path, folder.name, version, settings)
        versions.reads.append((version, read))
    return versions


def _finish(versions: _Versions) -> None:
    """Wait for the schemas of one subject."""
    for version, read in versions.reads:
        try:
            versions.schemas[version] = read.result()
        except InstarError as error:
            versions.findings.append(error)


def _numbered(lock: Lock, versions: _Versions) -> tuple[Schema, ...]:
    """The versions from 1 up to the first that is missing, doubled or does not load.

    A version's numbers depend on those before it only.
    """
    files = [version for version, _ in versions.reads]
    schemas: list[Schema] = []
    for version in range(1, len(files) + 1):
        if files.count(version) != 1 or version not in versions.schemas:
            break
        schemas.append(versions.schemas[version])
    return tuple(number_fields(schemas, partial(lock.number, versions.subject)))


def subject_names(folder: Path) -> list[str]:
    """The names of the folders in ``folder`` that have a version, sorted.

    Raises ConfigError where there is no such folder.
    """
    if not folder.is_dir():
        raise ConfigError("there is no such folder of schemas", where=str(folder))
    return sorted(
        {path.parent.name for path in folder.glob("*/v*") if _version_of(path) is not None}
    )


def _subjects(folder: Path, wanted: Collection[str] | None) -> list[str]:
    known = subject_names(folder)
    missing = sorted(set(wanted or ()).difference(known))
    if missing:
        raise ConfigError(
            f"there is no subject {missing[0]!r}",
            where=str(folder),
            mend=f"write its first schema as {folder / missing[0] / 'v1.avsc'}",
        )
    return known if wanted is None else [subject for subject in known if subject in wanted]


def _version_of(path: Path) -> int | None:
    match = _VERSION_FILE.fullmatch(path.name)
    if match is None and path.is_dir() and _language(path) is not None:
        match = _VERSION_FOLDER.fullmatch(path.name)
    return int(match[1]) if match else None


def _version_files(folder: Path) -> list[tuple[int, Path]]:
    """The schema files of each version, in order."""
    found = [(_version_of(path), path) for path in folder.iterdir()]
    return sorted((version, path) for version, path in found if version is not None)


def _check_name(folder: Path) -> Iterator[SchemaError]:
    # Tags, generated packages and the lock have to hold the name.
    if not _SUBJECT.fullmatch(folder.name) or iskeyword(folder.name):
        yield SchemaError(
            f"{folder.name!r} cannot name a subject",
            where=str(folder),
            mend="use ASCII letters, digits and _, no digit first, and avoid the keywords"
            " of Python",
        )


def _check_versions(folder: Path, files: Sequence[tuple[int, Path]]) -> Iterator[InstarError]:
    """Doubles, version 0 and holes."""
    found: dict[int, Path] = {}
    for version, path in files:
        if version in found:
            yield SchemaError(
                f"{found[version].name} and {path.name} both claim version {version}",
                where=str(folder),
                mend="keep one of them",
            )
        elif version == 0:
            yield SchemaError("versions count from 1", where=str(path))
        found.setdefault(version, path)
    yield from _check_contiguous(folder, found)


def _check_contiguous(folder: Path, found: Mapping[int, Path]) -> Iterator[MigrationGap]:
    """One finding for each hole, however many versions it lacks."""
    before = 0
    for version, path in found.items():
        first, last = before + 1, version - 1
        if first <= last:
            lacks = f"version {first} is" if first == last else f"versions {first} to {last} are"
            suffix = path.suffix or "/"
            yield MigrationGap(
                f"{lacks} missing, and version {version} is there",
                where=str(folder),
                mend=f"put its schema at {folder / f'v{first}{suffix}'}",
            )
        before = version


def _read(path: Path, subject: str, version: int, settings: ReadSettings) -> Schema:
    root = settings.roots.get(subject)
    _check_language(path)
    if path.suffix == ".proto" or _language(path) == ".proto":
        times = settings.time_unit(subject, version)
        return read_proto(path, subject, version, root=root, times=times)
    return read_avro(path, subject, version, root=root, lenient=settings.lenient)


def _language(folder: Path) -> str | None:
    """The suffix of the schema files in a version's folder; none where it has no such files."""
    return next((file.suffix for file in _first_files(folder)), None)


def _first_files(folder: Path) -> list[Path]:
    """The first schema file of each language in a version's folder."""
    found = (min(folder.rglob(f"*{suffix}"), default=None) for suffix in (".avsc", ".proto"))
    return [file for file in found if file is not None]


def _check_language(path: Path) -> None:
    """Raise SchemaError for a folder of files of both languages: one would go unread."""
    files = _first_files(path) if path.is_dir() else []
    if len(files) > 1:
        names = " and ".join(file.relative_to(path).as_posix() for file in files)
        raise SchemaError(
            f"{names} are in two languages, and a version is in one",
            where=str(path),
            mend="keep the files of one of them there",
        )
