"""Finds the subjects of a folder: ``<subject>/v1.avsc``, ``<subject>/v2.proto`` and so on.

A version may also be a folder, ``<subject>/v3/``, of ``.avsc`` or ``.proto`` files that use
each other.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
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
_COMPILERS = 4
"""How many protoc processes run side by side; each costs a process start."""


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
    is missing, SchemaError where two files claim one version or one of them does not load,
    LockError, and EditedRelease or MissingRelease where a version is not what was released;
    where ``errors`` is given they are added to it and the other subjects still load.
    """
    findings: list[InstarError] = []
    with ThreadPoolExecutor(_COMPILERS) as pool:
        reads = {
            subject: _start(pool, folder / subject, findings, settings or ReadSettings())
            for subject in _subjects(folder, subjects)
        }
        read = {subject: _finish(schemas, findings) for subject, schemas in reads.items()}
    numbered = _numbered(read_lock(folder, findings), read, findings)
    if errors is None and findings:
        raise findings[0]
    if errors is not None:
        errors += findings
    return numbered


def _numbered(
    lock: Lock, read: dict[str, list[Schema]], findings: list[InstarError]
) -> dict[str, tuple[Schema, ...]]:
    """The subjects that loaded, with the numbers of ``lock``; checks what it has released."""
    numbered = {
        subject: number_fields(schemas, partial(lock.number, subject))
        for subject, schemas in read.items()
        if schemas
    }
    for schemas in numbered.values():
        findings += check_released(lock, schemas)
    return numbered


def _start(
    pool: ThreadPoolExecutor, folder: Path, findings: list[InstarError], settings: ReadSettings
) -> list[Future[Schema]]:
    """Begin to read the versions of one subject."""
    try:
        files = _version_files(folder)
    except InstarError as error:
        findings.append(error)
        return []
    return [
        pool.submit(_read, path, folder.name, version, settings) for version, path in files.items()
    ]


def _finish(reads: list[Future[Schema]], findings: list[InstarError]) -> list[Schema]:
    """The schemas of one subject; none where one of them does not load."""
    schemas: list[Schema] = []
    for read in reads:
        try:
            schemas.append(read.result())
        except InstarError as error:
            findings.append(error)
    return schemas if len(schemas) == len(reads) else []


def _subjects(folder: Path, wanted: Collection[str] | None) -> list[str]:
    if not folder.is_dir():
        raise ConfigError("there is no such folder of schemas", where=str(folder))
    found = sorted(
        path.parent.name for path in folder.glob("*/v*") if _version_of(path) is not None
    )
    known = list(dict.fromkeys(found))
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


def _version_files(folder: Path) -> dict[int, Path]:
    """The schema file of each version, in order; refuses doubles and holes."""
    found: dict[int, Path] = {}
    for path in sorted(folder.iterdir()):
        version = _version_of(path)
        if version is None:
            continue
        if version in found:
            raise SchemaError(
                f"{found[version].name} and {path.name} both claim version {version}",
                where=str(folder),
                mend="keep one of them",
            )
        found[version] = path
    if 0 in found:
        raise SchemaError("versions count from 1", where=str(found[0]))
    _check_contiguous(folder, found)
    return dict(sorted(found.items()))


def _check_contiguous(folder: Path, found: dict[int, Path]) -> None:
    for version in range(1, len(found) + 1):
        if version not in found:
            suffix = found[min(found, key=lambda known: abs(known - version))].suffix or "/"
            raise MigrationGap(
                f"version {version} is missing, and version {max(found)} is there",
                where=str(folder),
                mend=f"put its schema at {folder / f'v{version}{suffix}'}",
            )


def _read(path: Path, subject: str, version: int, settings: ReadSettings) -> Schema:
    root = settings.roots.get(subject)
    if path.suffix == ".proto" or _language(path) == ".proto":
        return read_proto(path, subject, version, root=root)
    return read_avro(path, subject, version, root=root, lenient=settings.lenient)


def _language(folder: Path) -> str | None:
    """The suffix of the schema files in a version's folder; none where it has no such files."""
    for suffix in (".avsc", ".proto"):
        if next(folder.rglob(f"*{suffix}"), None) is not None:
            return suffix
    return None
