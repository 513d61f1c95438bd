"""The registry: every subject that a program knows, checked as it opens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..errors import InstarError, MigrationError, NoSuchSubject
from ..migrations.migration import Migration
from ..schemas.arguments import check_argument, check_items, check_version
from ..schemas.model import Schema
from ..schemas.stack import stack_errors
from .codec import Codec
from .limits import DEFAULT_LIMITS, Limits
from .settings import Settings
from .subject import Subject, open_subjects
from .tag.header import Format, Framing


class Registry:
    """The subjects of a program, with their versions and migrations.

    Made by :meth:`open` from folders, or by :meth:`of` from schemas that are at hand.
    """

    def __init__(self, subjects: Mapping[str, Subject]) -> None:
        self._subjects = dict(subjects)
        self._owners: dict[int, str] = {}

    @classmethod
    def open(
        cls,
        schemas: str | Path | None = None,
        migrations: str | Path | None = None,
        *,
        subjects: Collection[str] | None = None,
    ) -> Registry:
        """Open a folder of schemas and one of migrations.

        Where neither is given, ``[tool.instar]`` of the nearest ``pyproject.toml`` names
        them. ``subjects`` opens only those. Raises ``SchemaError`` or ``MigrationError``
        for the first thing that is wrong; the others are its notes.
        """
        registry, findings = cls.collect(schemas, migrations, subjects=subjects)
        if findings:
            first, *others = findings
            for other in others:
                first.add_note(f"also: {other}")
            raise first
        return registry

    @classmethod
    def collect(
        cls,
        schemas: str | Path | None = None,
        migrations: str | Path | None = None,
        *,
        subjects: Collection[str] | None = None,
    ) -> tuple[Registry, list[InstarError]]:
        """The same, with every finding in a list and whatever could be opened."""
        # A program whose types were generated never opens folders, nor loads their readers.
        from ..migrations.loader import load_migrations  # noqa: PLC0415
        from ..schemas.folder import load_subjects  # noqa: PLC0415
        from .default_check import wrong_types  # noqa: PLC0415
        from .project import find_project  # noqa: PLC0415

        if subjects is not None:
            check_items("subjects", subjects, str, "a list of names")
        project = find_project(schemas, migrations)
        findings: list[InstarError] = []
        found = load_subjects(project.schemas, subjects, findings, project.reading)
        steps: dict[str, tuple[Migration, ...]] = {}
        sound: dict[str, tuple[Schema, ...]] = {}
        for name, versions in found.items():
            problems: list[MigrationError] = []
            if project.migrations is not None:
                steps[name] = load_migrations(project.migrations, name, problems)
                findings += problems
            # What is derived from half of the migrations would only be noise.
            if not problems:
                sound[name] = versions
        opened, unlinked = open_subjects(sound, steps)
        for name, subject in list(opened.items()):
            wrong = list(wrong_types(subject))
            if wrong:
                del opened[name]
            unlinked += wrong
        return cls(opened), [*findings, *unlinked]

    @classmethod
    def of(
        cls,
        schemas: Sequence[Schema],
        migrations: Sequence[Migration] = (),
        classes: Mapping[str, Mapping[int, Mapping[str, type]]] | None = None,
    ) -> Registry:
        """Open schemas and migrations that are at hand.

        ``classes`` gives generated classes by subject, version and full name.
        """
        check_items("schemas", schemas, Schema, "a list of schemas")
        check_items("migrations", migrations, Migration, "a list of migrations")
        if classes is not None:
            _check_classes(classes)
        found: dict[str, list[Schema]] = {}
        for schema in schemas:
            found.setdefault(schema.subject, []).append(schema)
        steps: dict[str, list[Migration]] = {}
        for migration in migrations:
            steps.setdefault(migration.subject, []).append(migration)
        opened, findings = open_subjects(found, steps, classes)
        if findings:
            raise findings[0]
        return cls(opened)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names of the subjects, sorted."""
        return tuple(sorted(self._subjects))

    def subject(self, name: str) -> Subject:
        """One subject; ``NoSuchSubject`` where there is none of that name."""
        check_argument("the name of a subject", name, str, "text")
        found = self._subjects.get(name)
        if found is None:
            raise NoSuchSubject(
                "there is no such subject",
                where=name,
                mend=f"subjects here are {', '.join(self.subjects) or 'none'}",
            )
        return found

    def extended(self, subject: Subject) -> Registry:
        """A registry that holds ``subject`` too, in the place of the one of its name."""
        check_argument("subject", subject, Subject, "one of Registry.subject(name)")
        return Registry({**self._subjects, subject.name: subject})

    @property
    def owners(self) -> Mapping[int, str]:
        """The subject of each fingerprint."""
        if not self._owners:
            self._owners = {
                subject.fingerprint(version): name
                for name, subject in self._subjects.items()
                for version in subject.schemas
            }
        return self._owners

    def codec(  # noqa: PLR0913 - each is one independent choice of the user
        self,
        subject: str,
        *,
        format: Format = "avro",  # noqa: A002 - the word of the design
        version: int | None = None,
        write_version: int | None = None,
        framing: Framing = "instar",
        compress: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> Codec[Any]:
        """A codec of one subject.

        ``format`` is what it writes; it reads every format. ``version`` makes it work as
        code of that version does: it writes that version and reads blobs as that version;
        the latest where it is not given. ``write_version`` has it write an older one than its
        states are of, with what that cannot express as residue. ``compress`` uses zstd in the
        binary formats.
        """
        found = self.subject(subject)
        if version is not None:
            check_version("version", version)
        wanted = found.latest if version is None else version
        settings = Settings(wanted, format, framing, compress, limits, write_version)
        with stack_errors(subject):
            return Codec(found, settings, self.owners)


def _check_classes(classes: object) -> None:
    """Raise ConfigError unless they are classes by name, by version, by subject."""
    wanted = "a dict of classes by subject, version and full name"
    level = [classes]
    for _ in range(3):
        for found in level:
            check_argument("classes", found, Mapping, wanted)
        level = [inner for found in level for inner in cast("Mapping[Any, Any]", found).values()]
    for found in level:
        check_argument("a class of classes", found, type, wanted)
