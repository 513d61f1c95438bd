"""What the registry at hand knows of a blob's tag."""

from __future__ import annotations

from ..codec.codec import Codec
from ..codec.registry import Registry
from ..codec.tag import Tag
from ..errors import UnknownFingerprint


def subjects_by_fingerprint(registry: Registry | None) -> dict[int, str]:
    """The subject of each fingerprint, and of each wire fingerprint that one subject has."""
    if registry is None:
        return {}
    subjects: dict[int, str] = {}
    shared: set[int] = set()
    for name in registry.subjects:
        for wire in _wire_fingerprints(registry, name):
            if subjects.setdefault(wire, name) != name:
                shared.add(wire)
    return {wire: name for wire, name in subjects.items() if wire not in shared} | dict(
        registry.owners
    )


def newest_versions(registry: Registry | None) -> dict[str, int]:
    """The newest version of each subject."""
    if registry is None:
        return {}
    return {name: registry.subject(name).latest for name in registry.subjects}


def _wire_fingerprints(registry: Registry, name: str) -> set[int]:
    subject = registry.subject(name)
    return {subject.wire_fingerprint(version) for version in subject.chain.versions}


def subject_of(tag: Tag, registry: Registry) -> str:
    """The subject of a tag, by its name or its fingerprint. Raises UnknownFingerprint."""
    if tag.subject is not None:
        return tag.subject
    name = subjects_by_fingerprint(registry).get(tag.fingerprint)
    if name is None:
        raise UnknownFingerprint("", tag.version, tag.fingerprint)
    return name


def writer_of(tag: Tag, registry: Registry) -> tuple[str, int]:
    """The subject and version that wrote a blob. Raises NoSuchSubject, BlobError."""
    name = subject_of(tag, registry)
    codec: Codec[object] = registry.codec(name)
    return name, codec.writer_version(tag)
