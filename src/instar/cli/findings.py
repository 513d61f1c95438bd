"""What ``check`` looks at, and the stable ids of what it can find."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..codec.default_check import wrong_types
from ..codec.generate import check_generated
from ..codec.goldens import Finding as GoldenFinding
from ..codec.goldens import check_goldens
from ..codec.goldens.finding import RULES as GOLDEN_RULES
from ..codec.registry import Registry
from ..codec.subject import Subject, link_findings, open_subjects
from ..codec.tag import Format
from ..codec.types import build_types
from ..errors import (
    ConfigError,
    DuplicateMigration,
    EditedRelease,
    InstarError,
    LockError,
    MigrationCycle,
    MigrationError,
    MigrationFileError,
    MigrationGap,
    MigrationMismatch,
    MissingExtra,
    MissingRelease,
    SchemaError,
    SchemaSyntaxError,
    SeveralHeads,
    UnsupportedSchema,
)
from ..migrations.chain import check_chain
from ..migrations.loader import load_migrations, migration_files
from ..migrations.migration import Migration
from ..schemas.folder import Reading, read_folder, subject_names
from ..schemas.lock import BreachKind, find_breaches, later_branch_defaults, read_lock
from ..schemas.lock.release import version_place
from ..schemas.model import Schema
from .packages import packages
from .project import Workplace

_STEP_NAME: Final = re.compile(r"v([0-9]+)_v([0-9]+)")


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding: its id, which never changes, the error behind it, its purpose."""

    id: str
    error: type[InstarError] | None
    purpose: str


ORPHAN: Final = Rule("migration-orphan", None, "Each folder of migrations has its subject.")
DRIFT: Final = Rule("generated-drift", None, "Generated packages are what the schemas give.")
COMPATIBILITY: Final = Rule(
    "compatibility", None, "Each version is read as its subject asks, with its migrations."
)
STRANGE: Final = Rule("lock-subject", None, "Each subject that was released is there.")
UNCHANGED: Final = Rule("release-unchanged", None, "A version differs from those before it.")
DEFAULT: Final = Rule("release-default", None, "A union's default is of its first branch.")
BREACHES: Final[Mapping[BreachKind, Rule]] = {
    "number-reused": Rule("lock-number-reused", None, "A Protobuf number is never used again."),
    "number-changed": Rule("lock-number-changed", None, "A field keeps its Protobuf number."),
    "name-reused": Rule("lock-name-reused", None, "A removed name comes back only as it was."),
    "type-changed": Rule("lock-type-changed", None, "A Protobuf number keeps its type."),
}

# A subclass stands before its base: the first match counts.
RULES: Final = (
    Rule("schema-syntax", SchemaSyntaxError, "Each schema file parses."),
    Rule("schema-unsupported", UnsupportedSchema, "Schemas use only what this release reads."),
    Rule(
        "lock-malformed",
        LockError,
        "Each line of the lock is one fact, and none contradicts another.",
    ),
    Rule("release-edited", EditedRelease, "A released version is never edited."),
    Rule("release-missing", MissingRelease, "The schema of a released version stays."),
    STRANGE,
    UNCHANGED,
    DEFAULT,
    *BREACHES.values(),
    Rule("schema-invalid", SchemaError, "Each version has one schema, and it is consistent."),
    Rule("migration-file", MigrationFileError, "Each migration file loads and holds its step."),
    Rule("migration-gap", MigrationGap, "Versions count from 1 and each joins the next."),
    Rule("migration-duplicate", DuplicateMigration, "One migration at most joins two versions."),
    Rule("migration-heads", SeveralHeads, "Each version is followed by one other at most."),
    Rule("migration-cycle", MigrationCycle, "Migrations lead upwards."),
    Rule("migration-mismatch", MigrationMismatch, "Each step fits the schemas that it joins."),
    Rule("migration-invalid", MigrationError, "Migrations do not contradict themselves."),
    ORPHAN,
    DRIFT,
    COMPATIBILITY,
    *(Rule(rule.id, None, rule.purpose) for rule in GOLDEN_RULES),
    Rule("extra-missing", MissingExtra, "What the schemas need is installed."),
    Rule("config-invalid", ConfigError, "Settings and names can be used."),
    Rule("other", InstarError, "Nothing else is wrong."),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend: the id of its rule, where, what, and how to mend it."""

    id: str
    where: str
    what: str
    mend: str


def found(error: InstarError) -> Finding:
    """The finding that an error is."""
    rule = next(rule for rule in RULES if rule.error and isinstance(error, rule.error))
    return Finding(rule.id, error.where, error.what, error.mend)


def found_golden(finding: GoldenFinding) -> Finding:
    """The finding that one about a golden is."""
    return Finding(finding.id, finding.where, finding.what, finding.mend)


def open_whole(
    place: Workplace, subjects: Collection[str] | None = None
) -> tuple[Registry, list[Finding]]:
    """The registry of whatever opens, and all that is wrong with the rest, not only the first.

    ``subjects`` opens only those. Raises ConfigError where a folder or subject is missing.
    """
    reading = read_folder(place.schemas, subjects, place.reading)
    errors = list(reading.findings)
    sound: dict[str, Sequence[Schema]] = {}
    steps: dict[str, Sequence[Migration]] = {}
    every = {**reading.subjects, **reading.broken}
    for name, schemas in every.items():
        steps[name], problems = _steps(place, name)
        problems += check_chain(name, _versions(reading, name, steps[name]), steps[name])
        errors += problems
        if name in reading.subjects and not problems:
            sound[name] = schemas
        else:
            doubtful = _doubtful(place, name, schemas, steps[name])
            errors += link_findings(schemas, steps[name], doubtful)
    opened, unlinked = open_subjects(sound, steps)
    errors += unlinked
    for name, schemas in every.items():
        if name not in opened:
            errors += _type_errors(schemas)
    findings = [found(error) for error in errors]
    return Registry(opened), [*findings, *_breaches(place, reading.subjects)]


def _steps(place: Workplace, name: str) -> tuple[Sequence[Migration], list[MigrationError]]:
    problems: list[MigrationError] = []
    if place.migrations is None:
        return (), problems
    return load_migrations(place.migrations, name, problems), problems


def _versions(reading: Reading, name: str, steps: Sequence[Migration]) -> Sequence[int]:
    """The versions that migrations may join: any, where what is wrong with them is told."""
    if name in reading.subjects:
        return [schema.version for schema in reading.subjects[name]]
    return range(
        1, max((end for step in steps for end in (step.source, step.target)), default=1) + 1
    )


def _doubtful(
    place: Workplace, name: str, schemas: Sequence[Schema], steps: Sequence[Migration]
) -> set[int]:
    """The versions that a broken migration may lead on from: to ask for one would be noise."""
    joined = {(step.source, step.target) for step in steps}
    spans = list(joined)
    for path in migration_files(place.migrations, name) if place.migrations else ():
        match = _STEP_NAME.fullmatch(path.stem)
        spans.append((int(match[1]), int(match[2])) if match else (0, sys.maxsize))
    return {
        schema.version
        for schema in schemas
        if (schema.version, schema.version + 1) not in joined
        and any(source <= schema.version < target for source, target in spans)
    }


def _type_errors(schemas: Sequence[Schema]) -> Iterator[InstarError]:
    for schema in schemas:
        try:
            build_types(schema)
        except InstarError as error:
            yield error


def type_findings(registry: Registry) -> Iterator[Finding]:
    """Versions for which no types can be built, and defaults that their types cannot hold."""
    for name in registry.subjects:
        yield from map(found, wrong_types(registry.subject(name)))


def orphan_findings(place: Workplace) -> Iterator[Finding]:
    """Folders of migrations whose subject has no schemas, and what is wrong in them."""
    folder = place.migrations
    known = subject_names(place.schemas)
    for path in sorted(folder.iterdir()) if folder and folder.is_dir() else ():
        if folder and migration_files(folder, path.name) and path.name not in known:
            yield Finding(
                ORPHAN.id,
                str(path),
                f"no subject is called {path.name!r}, so these migrations are never used",
                f"name the folder as the subject in {place.schemas} is named, or delete it",
            )
            yield from (found(problem) for problem in _steps(place, path.name)[1])


def place_findings(place: Workplace) -> Iterator[Finding]:
    """A project without any subject, and settings for subjects that are not there."""
    known = subject_names(place.schemas)
    if not known:
        yield found(
            ConfigError(
                "there is no subject",
                where=str(place.schemas),
                mend=f"write the first schema as {place.schemas / 'NAME' / 'v1.avsc'};"
                " instar infer proposes it from sample documents",
            )
        )
    for name in place.reading.roots:
        if name not in known:
            what = f"no subject is {name!r}"
            yield found(ConfigError(what, where="[tool.instar] roots"))


def _breaches(place: Workplace, loaded: Mapping[str, Sequence[Schema]]) -> Iterator[Finding]:
    """Where versions that are not released take numbers or names that the lock has."""
    lock = read_lock(place.schemas, [])  # what does not read was found when it was opened
    for schemas in loaded.values():
        for breach in find_breaches(lock, schemas):
            yield Finding(BREACHES[breach.kind].id, breach.where, breach.what, breach.mend)


def unchanged_findings(registry: Registry, place: Workplace) -> Iterator[Finding]:
    """Versions that are not released, and say what an earlier one says."""
    for subject, version in _unreleased(registry, place):
        known = {subject.fingerprint(earlier): earlier for earlier in range(1, version)}
        if (earlier := known.get(subject.fingerprint(version))) is not None:
            yield Finding(
                UNCHANGED.id,
                version_place(place.schemas / subject.name, version),
                f"version {version} of {subject.name} says what version {earlier} says",
                "edit it, or delete it",
            )


def default_findings(registry: Registry, place: Workplace) -> Iterator[Finding]:
    """Defaults, in Avro versions that are not released, which other readers would refuse."""
    for subject, version in _unreleased(registry, place):
        schema = subject.schema(version)
        for name in later_branch_defaults(schema) if schema.language == "avro" else ():
            yield Finding(
                DEFAULT.id,
                version_place(place.schemas / subject.name, version),
                f"the default of {name} is not of the first branch of its union, which most "
                "readers of Avro ask for",
                "move that branch to the front",
            )


def _unreleased(registry: Registry, place: Workplace) -> Iterator[tuple[Subject, int]]:
    lock = read_lock(place.schemas, [])
    for name in registry.subjects:
        subject = registry.subject(name)
        for version in subject.schemas:
            if not lock.is_released(name, version):
                yield subject, version


def strange_findings(place: Workplace) -> Iterator[Finding]:
    """Subjects that the lock has and the folder of schemas has not."""
    lock = read_lock(place.schemas, [])
    known = subject_names(place.schemas)
    for name in lock.subjects:
        if name not in known:
            yield Finding(
                STRANGE.id,
                lock.place(next(fact for fact in lock.facts if fact.subject == name)),
                f"there is no subject {name!r}",
                f"restore the folder {place.schemas / name}, or, if none of its blobs is left, "
                "delete its lines here",
            )


def golden_findings(
    registry: Registry, place: Workplace, *, releasing: bool = False
) -> Iterator[Finding]:
    """Goldens that are missing, edited, or of another schema than was released.

    ``releasing`` says that all versions are about to be released.
    """
    for name in registry.subjects:
        subject = registry.subject(name)
        wanted = tuple(subject.schemas) if releasing else ()
        yield from map(found_golden, check_goldens(subject, place.schemas, wanted))


def generated_findings(
    registry: Registry, place: Workplace, generated: Path, format_: Format
) -> Iterator[Finding]:
    """Where the generated packages differ from what the schemas give."""
    for name in registry.subjects:
        try:
            wanted = packages(registry, [name], place.migrations, format_)
            drift = check_generated(wanted, generated)
        except InstarError as error:
            yield found(error)
        else:
            mend = f"run: instar generate {name} --out {generated}"
            yield from (Finding(DRIFT.id, str(generated), what, mend) for what in drift)
