"""What a release freezes, and whether released versions still are what they were."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from ...errors import EditedRelease, LockError, MissingRelease, SchemaError
from ..fingerprint import fingerprint
from ..model import Logical, Schema
from ..numbered import Part, numbered_parts
from ..numbering import number_fields
from ..references import field_types
from .facts import Fact, Number, Release, Removal, fact_line
from .lock import Lock


def check_released(
    lock: Lock, schemas: Sequence[Schema], versions: Collection[int] = ()
) -> Iterator[SchemaError]:
    """Each released version of one subject that was edited (EditedRelease) or is not there
    any more (MissingRelease), and each line that the lock has lost of it (LockError).

    ``schemas`` are those of its versions that read, numbered; ``versions`` are there too.
    """
    subject = schemas[0].subject
    found = {schema.version: schema for schema in schemas}
    whole = _as_released(lock, schemas)
    yield from _gaps(lock, subject)
    for version, release in sorted(lock.releases.get(subject, {}).items()):
        if version in found and version not in whole:
            yield _edited(lock, release, found[version], max(*found, *versions, 1) + 1)
        elif version not in found and version not in versions:
            yield _missing(lock, release)
    yield from _lost(lock, whole)


def _as_released(lock: Lock, schemas: Sequence[Schema]) -> Mapping[int, Schema]:
    """The released versions that are what they were, with the numbers that they had."""
    releases = lock.releases.get(schemas[0].subject, {})
    whole = _fitting(releases, schemas)
    if len(whole) < len(releases):
        # Where the lock lost the line of a number, the one that was derived at first still fits.
        whole = {**_fitting(releases, number_fields(schemas)), **whole}
    return whole


def _fitting(releases: Mapping[int, Release], schemas: Sequence[Schema]) -> dict[int, Schema]:
    return {
        schema.version: schema
        for schema in schemas
        if (release := releases.get(schema.version)) is not None
        and fingerprint(schema) == release.fingerprint
    }


def _gaps(lock: Lock, subject: str) -> Iterator[LockError]:
    """Where versions have no line, though a later one was released, or other lines are theirs."""
    before = 0
    for version, release in sorted(lock.releases.get(subject, {}).items()):
        if version > before + 1:
            lacking = f"version {before + 1}"
            if version > before + 2:
                lacking = f"each version from {before + 1} to {version - 1}"
            yield LockError(
                f"version {version} of {subject} was released, so {lacking} was too, and the line "
                "that says so is gone",
                where=lock.place(release),
                mend=f"restore the lines that begin with 'version {subject}' from the history of "
                "the file",
            )
        before = version
    yield from _headless(lock, subject, before)


def _headless(lock: Lock, subject: str, latest: int) -> Iterator[LockError]:
    """What is of a version after the ``latest`` that has a line: it was released, too."""
    for version, fact in sorted(lock.mentions.get(subject, {}).items()):
        if version > latest:
            yield LockError(
                f"the lock has lines of version {version} of {subject}, and the one that says that "
                "it was released is gone",
                where=lock.place(fact),
                mend=f"restore the line that begins with 'version {subject} {version}' from the "
                "history of the file",
            )


def _lost(lock: Lock, whole: Mapping[int, Schema]) -> Iterator[LockError]:
    """The numbers and removals of versions that are what they were, and that have no line."""
    for version, schema in sorted(whole.items()):
        if version > 1 and version - 1 not in whole:
            continue
        before: Mapping[Part, int] = _numbers(whole[version - 1]) if version > 1 else {}
        for fact in _changes(schema, before, _numbers(schema)):
            if fact not in lock.facts:
                yield LockError(
                    f"the lock has lost the line of {fact.part} in version {version} of "
                    f"{schema.subject}",
                    where=lock.place(lock.releases[schema.subject][version]),
                    mend=f"restore the line: {fact_line(fact)}",
                )


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


def _edited(lock: Lock, release: Release, schema: Schema, following: int) -> EditedRelease:
    has_times = any(isinstance(t, Logical) and t.well_known for t in field_types(schema))
    setting = "; or set protobuf_times of [tool.instar] back, if that is what changed"
    return EditedRelease(
        f"version {release.version} of {release.subject} was edited after its release: blobs "
        "that it wrote cannot be read any more",
        where=version_place(lock.path.parent / release.subject, release.version),
        mend=f"restore the file as it was (it had the fingerprint {release.fingerprint:016x}) and "
        f"make the change in version {following}; instar new {release.subject} starts it"
        f"{setting if has_times else ''}",
    )


def released(lock: Lock, schemas: Sequence[Schema]) -> tuple[Fact, ...]:
    """What the release of every version of one subject adds to ``lock``.

    ``schemas`` are all its versions in order, numbered. Nothing where all are released.
    """
    facts: list[Fact] = []
    before: Mapping[Part, int] = {}
    for schema in schemas:
        parts = _numbers(schema)
        if not lock.is_released(schema.subject, schema.version):
            facts.append(Release(schema.subject, schema.version, fingerprint(schema)))
            facts += _changes(schema, before, parts)
        before = parts
    return tuple(dict.fromkeys(facts))


def _numbers(schema: Schema) -> Mapping[Part, int]:
    return {part: found.number for part, found in numbered_parts(schema).items()}


def _changes(
    schema: Schema, before: Mapping[Part, int], parts: Mapping[Part, int]
) -> Iterator[Number | Removal]:
    """The numbers that ``schema`` has, and the version before it had not; what it removed."""
    for part, number in parts.items():
        if before.get(part) != number:
            yield Number(schema.subject, part, number, schema.version)
    for part in before:
        if part not in parts:
            yield Removal(schema.subject, str(part), schema.version)
