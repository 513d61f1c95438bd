"""What a store knows of a blob that the project, if there is one, does not."""

from __future__ import annotations

from ..codec.registry import Registry
from ..codec.subject import Subject
from ..codec.tag import Tag
from ..errors import NewerVersion, NoSuchSubject, UnknownFingerprint
from ..store.schema_documents import Version
from ..store.store import Store
from ..store.stored_schemas import fetch_line, fetch_schema, version_of
from .known import writer_of


def registry_from(store: Store, tag: Tag, registry: Registry | None) -> Registry | None:
    """``registry`` with the versions in ``store`` that the blob with this tag needs.

    It is returned as it is where it knows the writer, or the store does not lead to it. Raises
    WrongFingerprint, StoreError, and SchemaError or MigrationError where what is there does not
    link.
    """
    if registry is not None and _knows(registry, tag):
        return registry
    newest = _version(store, tag)
    if newest is None:
        return registry
    base = _subject(registry, newest.subject)
    line = fetch_line(store, newest, lambda version: base is not None and _has(base, version))
    if line is None or line.python is not None:
        return registry
    if registry is None or base is None:
        found = Registry.of(line.schemas, line.migrations)
        return found if registry is None else registry.extended(found.subject(newest.subject))
    return registry.extended(base.extended(line.schemas, line.migrations))


def _knows(registry: Registry, tag: Tag) -> bool:
    try:
        writer_of(tag, registry)
    except (NewerVersion, NoSuchSubject, UnknownFingerprint):
        return False
    return True


def _version(store: Store, tag: Tag) -> Version | None:
    """What wrote the blob, as far as the store can tell."""
    if tag.version is None:
        return None
    schema = fetch_schema(store, tag.fingerprint)
    if schema is None:
        return None
    return Version(tag.subject or schema.subject, tag.version, tag.fingerprint)


def _subject(registry: Registry | None, name: str) -> Subject | None:
    return registry.subject(name) if registry is not None and name in registry.subjects else None


def _has(subject: Subject, version: Version) -> bool:
    return version.number in subject.schemas and version == version_of(subject, version.number)
