"""Whether the goldens of a subject are there, whole, and of the versions that were released."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from ...errors import InstarError
from ...schemas.lock import read_lock
from ..subject import Subject
from ..tag import read_tag
from .finding import EDITED, MISSING, STRANGE, UNLISTED, Finding
from .layout import Folder, Golden, digest, read_folder, recorded_versions
from .record import released_versions


def check_goldens(
    subject: Subject, schemas: Path, releasing: Collection[int] = ()
) -> list[Finding]:
    """Everything that is wrong with the files; no state is read.

    ``schemas`` is the folder of schemas, with the lock. Versions in ``releasing`` are about to
    be released, and need no goldens yet. Raises OSError.
    """
    released = released_versions(subject, schemas)
    frozen = read_lock(schemas, []).releases.get(subject.name, {})
    folders = [
        read_folder(schemas, subject.name, version)
        for version in dict.fromkeys([*released, *recorded_versions(schemas, subject.name)])
    ]
    found: list[Finding] = []
    for folder in folders:
        if folder.version in released or (folder.version in releasing and folder.is_recorded):
            found += _of_version(folder, subject)
        elif folder.version not in {*releasing, *frozen}:
            found.append(_unreleased(folder, subject.name))
    return found


def _of_version(folder: Folder, subject: Subject) -> Iterator[Finding]:
    version = folder.version
    if not folder.is_recorded:
        yield Finding(
            MISSING,
            str(folder.path),
            f"version {version} of {subject.name} was released and has no goldens",
            f"run: instar record {subject.name}",
        )
    else:
        yield from _lines(folder)
        yield from _strangers(folder, subject.name)
        for golden in folder.goldens():
            yield from _fingerprint(golden, subject)


def _unreleased(folder: Folder, subject: str) -> Finding:
    return Finding(
        STRANGE,
        str(folder.path),
        f"version {folder.version} of {subject} has goldens and was not released",
        f"run: instar release {subject}; or delete them, while no blob of that version is stored",
    )


def _lines(folder: Folder) -> Iterator[Finding]:
    for place in folder.bad:
        yield Finding(
            UNLISTED,
            place,
            "this line names no golden, or names one a second time",
            "restore the file from its history; after a merge, keep the lines of both sides",
        )
    for name, line in folder.lines.items():
        path = folder.path / name
        if not path.is_file():
            mend = "restore it from its history"
            yield Finding(MISSING, str(path), "this golden was recorded, and is gone", mend)
        elif digest(name, path.read_bytes()) != line.digest:
            yield Finding(
                EDITED,
                str(path),
                "this golden is not what was recorded",
                "restore it from its history; a golden is never brought up to date",
            )


def _strangers(folder: Folder, subject: str) -> Iterator[Finding]:
    for path in folder.strangers():
        yield Finding(
            UNLISTED,
            str(path),
            f"{folder.provenance.name} does not say who made this",
            f"restore its line, or delete the file and run: instar record {subject}",
        )


def _fingerprint(golden: Golden, subject: Subject) -> Iterator[Finding]:
    """Whether a blob is of the schema that its version has."""
    if not golden.path.is_file():
        return
    try:
        tag = read_tag(golden.path.read_bytes())
    except InstarError:
        return  # it was edited, and is found for that
    wanted = subject.fingerprint(golden.version)
    if (tag.version, tag.fingerprint) != (golden.version, wanted):
        yield Finding(
            STRANGE,
            str(golden.path),
            f"this was written at version {tag.version} with the fingerprint "
            f"{tag.fingerprint:016x}, and version {golden.version} has {wanted:016x}",
            f"if version {golden.version} was released by two branches, delete "
            f"{golden.path.parent} and run: instar record {subject.name}",
        )
