"""What ``check`` looks at, and the stable ids of what it can find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..codec.generate import check_generated
from ..codec.registry import Registry
from ..codec.subject import open_subjects
from ..codec.tag import Format
from ..errors import (
    ConfigError,
    DuplicateMigration,
    InstarError,
    MigrationCycle,
    MigrationError,
    MigrationFileError,
    MigrationGap,
    MigrationMismatch,
    MissingExtra,
    SchemaError,
    SchemaSyntaxError,
    SeveralHeads,
    UnsupportedSchema,
)
from ..migrations.chain import check_chain
from ..migrations.loader import load_migrations
from ..migrations.migration import Migration
from ..schemas.folder import load_subjects
from ..schemas.model import Schema
from .packages import packages
from .project import Workplace


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding: its id, which never changes, the error behind it, its purpose."""

    id: str
    error: type[InstarError] | None
    purpose: str


ORPHAN: Final = Rule("migration-orphan", None, "Each folder of migrations has its subject.")
DRIFT: Final = Rule("generated-drift", None, "Generated packages are what the schemas give.")

# A subclass stands before its base: the first match counts.
RULES: Final = (
    Rule("schema-syntax", SchemaSyntaxError, "Each schema file parses."),
    Rule("schema-unsupported", UnsupportedSchema, "Schemas use only what this release reads."),
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


def open_whole(place: Workplace) -> tuple[Registry, list[Finding]]:
    """The registry of whatever opens, and all that is wrong with the rest, not only the first.

    Raises ConfigError where a folder is missing.
    """
    errors: list[InstarError] = []
    sound: dict[str, Sequence[Schema]] = {}
    steps: dict[str, Sequence[Migration]] = {}
    for name, schemas in load_subjects(place.schemas, None, errors, place.reading).items():
        steps[name], problems = _steps(place, name)
        problems += check_chain(name, [schema.version for schema in schemas], steps[name])
        errors += problems
        # What is derived from half of the migrations would only be noise.
        if not problems:
            sound[name] = schemas
    subjects, unlinked = open_subjects(sound, steps)
    return Registry(subjects), [found(error) for error in [*errors, *unlinked]]


def _steps(place: Workplace, name: str) -> tuple[Sequence[Migration], list[MigrationError]]:
    problems: list[MigrationError] = []
    if place.migrations is None:
        return (), problems
    return load_migrations(place.migrations, name, problems), problems


def type_findings(registry: Registry) -> Iterator[Finding]:
    """Versions for which no types can be built."""
    for name in registry.subjects:
        subject = registry.subject(name)
        for version in subject.chain.versions:
            try:
                subject.types(version)
            except InstarError as error:
                yield found(error)


def orphan_findings(place: Workplace) -> Iterator[Finding]:
    """Folders of migrations whose subject has no schemas."""
    folder = place.migrations
    for path in sorted(folder.iterdir()) if folder and folder.is_dir() else ():
        if any(path.glob("v*_v*.py")) and not (place.schemas / path.name).is_dir():
            yield Finding(
                ORPHAN.id,
                str(path),
                f"no subject is called {path.name!r}, so these migrations are never used",
                f"name the folder as the subject in {place.schemas} is named, or delete it",
            )


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
