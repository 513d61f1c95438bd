"""What a release freezes, and whether released versions still are what they were."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ...errors import EditedRelease, MissingRelease, SchemaError
from ..fingerprint import fingerprint
from ..model import Schema
from ..numbered import Part, numbered_parts
from .facts import Fact, Number, Release, Removal
from .lock import Lock


def check_released(
    lock: Lock, schemas: Sequence[Schema], versions: Collection[int] = ()
) -> Iterator[SchemaError]:
    """Each released version of one subject that was edited (EditedRelease) or is not there
    any more (MissingRelease).

    ``schemas`` are those of its versions that read, numbered; ``versions`` are there too.
    """
    subject = schemas[0].subject
    found = {schema.version: schema for schema in schemas}
    for version, release in sorted(lock.releases.get(subject, {}).items()):
        schema = found.get(version)
        if schema is not None and fingerprint(schema) != release.fingerprint:
            yield _edited(lock, release, max(*found, *versions, 1) + 1)
        elif schema is None and version not in versions:
            yield _missing(lock, release)


def version_place(folder: Path, version: int) -> str:
    """The file or folder of a version, or the subject's folder where it has none."""
    there = sorted([*folder.glob(f"v{version}"), *folder.glob(f"v{version}.*")])
    return str(there[0] if there else folder)


def _missing(lock: Lock, release: Release) -> MissingRelease:
    return MissingRelease(
        f"version {release.version} of {release.subject} was released, and its schema is gone",
        where=lock.place(release),
        mend="restore the file: blobs of that version can be read with nothing else",
    )


def _edited(lock: Lock, release: Release, following: int) -> EditedRelease:
    return EditedRelease(
        f"version {release.version} of {release.subject} was edited after its release: blobs "
        "that it wrote cannot be read any more",
        where=version_place(lock.path.parent / release.subject, release.version),
        mend=f"restore the file as it was (it had the fingerprint {release.fingerprint:016x}) and "
        f"make the change in version {following}; instar new {release.subject} starts it",
    )


def released(lock: Lock, schemas: Sequence[Schema]) -> tuple[Fact, ...]:
    """What the release of every version of one subject adds to ``lock``.

    ``schemas`` are all its versions in order, numbered. Nothing where all are released.
    """
    facts: list[Fact] = []
    before: Mapping[Part, int] = {}
    for schema in schemas:
        parts = {part: found.number for part, found in numbered_parts(schema).items()}
        if not lock.is_released(schema.subject, schema.version):
            facts += _release(schema, before, parts)
        before = parts
    return tuple(dict.fromkeys(facts))


def _release(schema: Schema, before: Mapping[Part, int], parts: Mapping[Part, int]) -> list[Fact]:
    subject, version = schema.subject, schema.version
    return [
        Release(subject, version, fingerprint(schema)),
        *(
            Number(subject, part, number, version)
            for part, number in parts.items()
            if before.get(part) != number
        ),
        *_removals(schema, before, parts),
    ]


def _removals(
    schema: Schema, before: Iterable[Part], parts: Mapping[Part, int]
) -> Iterator[Removal]:
    for part in before:
        if part not in parts:
            yield Removal(schema.subject, str(part), schema.version)
