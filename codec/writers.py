"""Finds out which version of a subject wrote a blob, by its tag; never guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import AmbiguousFingerprint, NewerVersion, UnknownFingerprint, WrongSubject
from .subject import Subject
from .tag.header import Tag


@dataclass(frozen=True, slots=True)
class Writers:
    """The writers of one subject; ``owners`` names the subject of each fingerprint."""

    subject: Subject
    owners: Mapping[int, str]

    def version(self, tag: Tag) -> int:
        """The version that the tag names.

        Raises ``WrongSubject``, ``NewerVersion``, ``UnknownFingerprint`` or
        ``AmbiguousFingerprint``.
        """
        if tag.framing == "avro-single-object":
            return self._wire_version(tag.fingerprint)
        if tag.subject is not None and tag.subject != self.subject.name:
            raise self._wrong_subject(tag.subject)
        version = tag.version or 0
        known = version in self.subject.schemas
        if known and self.subject.fingerprint(version) == tag.fingerprint:
            return version
        owner = self.owners.get(tag.fingerprint, self.subject.name)
        if owner != self.subject.name:
            raise self._wrong_subject(owner)
        if version > self.subject.latest:
            raise NewerVersion(
                self.subject.name, version, self.subject.latest, fingerprint=tag.fingerprint
            )
        raise UnknownFingerprint(self.subject.name, tag.version, tag.fingerprint)

    def _wire_version(self, fingerprint: int) -> int:
        versions = self.subject.chain.versions
        found = [v for v in versions if self.subject.wire_fingerprint(v) == fingerprint]
        if len(found) > 1:
            listed = " and ".join(map(str, found))
            raise AmbiguousFingerprint(
                f"versions {listed} share the wire fingerprint {fingerprint:016x}",
                where=self.subject.name,
                mend="say which wrote it: strip the header and use legacy=",
            )
        if not found:
            raise UnknownFingerprint(self.subject.name, None, fingerprint)
        return found[0]

    def _wrong_subject(self, found: str) -> WrongSubject:
        return WrongSubject(
            f"the blob holds a state of {found}",
            where=self.subject.name,
            mend=f'read it with registry.codec("{found}")',
        )
