"""Every error instar raises, as one tree.

InstarError
├── SchemaError             a schema cannot be used
│   ├── SchemaSyntaxError       the file does not parse: file, line, reason
│   ├── UnsupportedSchema       valid, but not read by this release; names what
│   ├── NoSuchSubject           no such subject or version in this registry
│   ├── LockError               instar.lock does not read, or contradicts itself
│   ├── EditedRelease           a released version is no longer what was released
│   └── MissingRelease          the schema of a released version is gone
├── MigrationError          versions cannot be linked, or a step failed
│   ├── MigrationFileError      a migration file does not load
│   ├── MigrationGap            no step between two adjacent versions
│   ├── DuplicateMigration      two steps between the same versions
│   ├── SeveralHeads            more than one newest version
│   ├── MigrationCycle          steps that come back to where they began
│   ├── MigrationMismatch       a step that does not fit the schemas it joins
│   └── ComputeError            a compute function raised or gave a wrong value
├── BlobError               stored bytes cannot be read
│   ├── EmptyBlob               no bytes at all
│   ├── Untagged                not a blob: no tag
│   ├── TruncatedBlob           the blob was cut
│   ├── TrailingBytes           bytes after the end
│   ├── ChecksumMismatch        the bytes are not those that were written
│   ├── MalformedTag            a tag that contradicts itself
│   ├── NewerFrame              written by a newer frame revision
│   ├── NewerVersion            written at a version this registry does not know
│   ├── UnknownFingerprint      written with a schema this registry does not hold
│   ├── AmbiguousFingerprint    several schemas share a wire fingerprint
│   ├── WrongSubject            a blob of another subject
│   └── CorruptPayload          the payload does not follow its schema
├── ValueMismatch           a value does not fit the schema: path, expected, found
│   ├── NotExpressible          a newer value that an older version cannot hold
│   └── CarriesResidue          residue that the format has no place for
├── NoSuchPath              a path leads to no place in a state
├── LimitExceeded           too deep, too large or too many
├── StoreError              a store cannot do what was asked
│   ├── Conflict                somebody else saved first
│   ├── NoSuchKey               nothing is stored under the key
│   ├── InvalidKey              a key no store can hold
│   ├── WrongFingerprint        a schema in the store is not the one that was asked for
│   └── StoreLayoutError        the store was laid out by another release, or is no store
├── DocumentError           a JSON document cannot be inferred from or adopted
├── ConfigError             settings in pyproject.toml or arguments contradict each other
└── MissingExtra            an optional dependency is not installed

An error says where, what, and how to mend it. The three are attributes.
"""

from __future__ import annotations


class InstarError(Exception):
    """Root of every error that instar raises on purpose.

    ``what`` is one clause; ``where`` is a path, file or key; ``mend`` says what to do.
    """

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        self.what = what
        self.where = where
        self.mend = mend
        super().__init__(what)

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}; {self.mend}" if self.mend else text

    def __reduce__(self) -> tuple[object, ...]:
        # Leaf classes take their own arguments, so pickling must not call __init__.
        return (_rebuild, (type(self), self.__dict__, self.args))


def _rebuild(
    kind: type[InstarError], state: dict[str, object], args: tuple[object, ...]
) -> InstarError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    error.args = args
    return error


class SchemaError(InstarError):
    """A schema cannot be used."""


class SchemaSyntaxError(SchemaError):
    """A schema file does not parse. ``where`` is ``file:line:column``."""


class UnsupportedSchema(SchemaError):
    """A valid schema uses something that this release does not read; ``what`` names it."""


class NoSuchSubject(SchemaError):
    """The registry holds no such subject, or not that version of it."""


class LockError(SchemaError):
    """``instar.lock`` does not read, or contradicts itself. ``where`` is ``file:line``."""


class EditedRelease(SchemaError):
    """A released version was edited, so the blobs that it wrote cannot be read any more."""


class MissingRelease(SchemaError):
    """The schema of a released version is gone."""


def _joined(segment: str, path: str) -> str:
    joint = "" if not (segment and path) or path.startswith("[") else "."
    return f"{segment}{joint}{path}"


class MigrationError(InstarError):
    """Versions cannot be linked, or a step between them failed."""


class MigrationFileError(MigrationError):
    """A migration file does not load, or holds no migration."""


class MigrationGap(MigrationError):
    """Two adjacent versions have no step between them."""


class DuplicateMigration(MigrationError):
    """Two migrations join the same two versions."""


class SeveralHeads(MigrationError):
    """More than one version is the newest."""


class MigrationCycle(MigrationError):
    """Following the migrations leads back to where they began."""


class MigrationMismatch(MigrationError):
    """A migration does not fit the schemas that it joins."""


class ComputeError(MigrationError):
    """A compute function raised, or returned what its schema does not allow.

    ``path`` is where in the state, without the subject, and ``hop`` which step called it.
    """

    def __init__(self, what: str, *, path: str = "", hop: str = "", mend: str = "") -> None:
        super().__init__(what, where=path, mend=mend)
        self.path = path
        self.hop = hop

    def under(self, segment: str) -> ComputeError:
        """Put ``segment`` before the path, on the way out of a nested value."""
        return self._placed(_joined(segment, self.path), self.hop)

    def on(self, hop: str) -> ComputeError:
        """Say which step called the function; the innermost one stays."""
        return self._placed(self.path, self.hop or hop)

    def _placed(self, path: str, hop: str) -> ComputeError:
        self.path, self.hop = path, hop
        self.where = ", ".join(filter(None, (hop, path)))
        return self


class BlobError(InstarError):
    """Stored bytes cannot be read."""


class EmptyBlob(BlobError):
    """There are no bytes at all: a crashed writer, not a state of defaults."""


class Untagged(BlobError):
    """The bytes carry no tag, so nothing says what they are."""


class TruncatedBlob(BlobError):
    """The blob ends before its tag says it does."""


class TrailingBytes(BlobError):
    """Bytes follow the end of the blob."""


class ChecksumMismatch(BlobError):
    """The bytes are not those that were written."""


class MalformedTag(BlobError):
    """The tag contradicts itself or uses what is reserved."""


class NewerFrame(BlobError):
    """The tag is of a frame revision that this release does not know.

    ``have`` is the blob's revision, ``want`` the newest one this release reads.
    """

    def __init__(self, have: int, want: int) -> None:
        self.have = have
        self.want = want
        super().__init__(
            f"frame revision {have} is newer than {want}, the newest this release reads",
            mend="upgrade instar",
        )


class NewerVersion(BlobError):
    """The blob was written at a version that cannot be read as the one that is wanted.

    ``have`` is the blob's version, ``want`` the newest version known here, or the older one that
    the blob was read as. ``because`` says why that one cannot hold it: a ``NotExpressible``
    with the path, or a ``MigrationMismatch`` where nothing leads down. It is ``None`` where the
    blob's version is not known at all. Code that is newer can read the blob.
    ``fingerprint`` is that of a schema which is needed and not known, by which a store may have it.
    """

    def __init__(
        self,
        subject: str,
        have: int,
        want: int,
        *,
        because: InstarError | None = None,
        fingerprint: int | None = None,
    ) -> None:
        self.subject = subject
        self.fingerprint = fingerprint
        self.have = have
        self.want = want
        self.because = because
        reason = f"and {want} is the newest known here"
        if because is not None:
            reason = f"and version {want} cannot hold it: {because}"
        super().__init__(
            f"the blob was written at version {have}, {reason}",
            where=subject,
            mend=f"read it with code of version {have}"
            if because is not None
            else f"deploy code that knows version {have}, or have it write version {want}",
        )


class UnknownFingerprint(BlobError):
    """The writer's schema is not in this registry.

    ``fingerprint`` is the 64-bit number that the tag names.
    """

    def __init__(self, subject: str, version: int | None, fingerprint: int) -> None:
        self.subject = subject
        self.version = version
        self.fingerprint = fingerprint
        claim = "" if version is None else f" (it claims version {version})"
        super().__init__(
            f"no schema here has the fingerprint {fingerprint:016x}{claim}",
            where=subject,
            mend="add the schema that wrote it; a released version must never be edited",
        )


class AmbiguousFingerprint(BlobError):
    """Several versions share a wire fingerprint, so the bytes do not say which wrote them."""


class WrongSubject(BlobError):
    """The blob holds a state of another subject."""


class CorruptPayload(BlobError):
    """The payload does not follow the schema that its tag names."""


class ValueMismatch(InstarError):
    """A value does not fit the schema.

    ``path`` is where in the state, for example ``agent_state.messages[3].content``.
    """

    def __init__(self, what: str, *, path: str = "", mend: str = "") -> None:
        super().__init__(what, where=path, mend=mend)

    @property
    def path(self) -> str:
        """The place of the value in the state."""
        return self.where

    def under(self, segment: str) -> ValueMismatch:
        """Put ``segment`` before the path, on the way out of a nested value."""
        self.where = _joined(segment, self.where)
        return self


class NotExpressible(ValueMismatch):
    """A value of a newer version has no counterpart in the older one that was asked for."""


class CarriesResidue(ValueMismatch):
    """Records keep residue, which the format that is written has no place for."""


class NoSuchPath(InstarError):
    """A path leads to no place in a state, or does not read."""


class LimitExceeded(InstarError):
    """Input or output is too deep, too large or has too many items."""


class StoreError(InstarError):
    """A store cannot do what was asked.

    ``key`` is the key at fault, where one is. A scan that it ended can go on ``after`` it.
    """

    key: str = ""


class Conflict(StoreError):
    """The key is not at the revision that the caller expected.

    ``expected`` and ``found`` are revisions; 0 means that the key does not exist.
    """

    def __init__(self, key: str, expected: int, found: int) -> None:
        self.key = key
        self.expected = expected
        self.found = found
        super().__init__(
            f"expected revision {expected}, found {found}",
            where=key,
            mend="load it again and repeat the change, or use update() which does",
        )


class NoSuchKey(StoreError):
    """Nothing is stored under the key."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__("nothing is stored under this key", where=key)


class InvalidKey(StoreError):
    """The key cannot be stored in every store."""


class WrongFingerprint(StoreError):
    """A schema in a store, or the step that leads to it, is not what it is kept as.

    ``wanted`` is the fingerprint under which it is kept, ``found`` the one that it has, or None
    where it does not read, and ``why`` the reason in words. Nothing of it is used.
    """

    def __init__(self, document: str, wanted: int, found: int | None, why: str = "") -> None:
        self.wanted = wanted
        self.found = found
        self.why = why or f"it has another fingerprint: {found or 0:016x}"
        has = f"has the fingerprint {found:016x}" if found is not None else f"does not read: {why}"
        super().__init__(
            f"what the store keeps for the fingerprint {wanted:016x} {has}",
            where=document,
            mend="remove this document; code that writes the version puts the right one",
        )


class StoreLayoutError(StoreError):
    """The store was laid out by another release, or is not a store of instar's."""


class DocumentError(InstarError):
    """A JSON document cannot be read, inferred from or adopted."""


class ConfigError(InstarError):
    """Settings or arguments contradict each other or name what is not there."""


class MissingExtra(InstarError):
    """An optional dependency is not installed. ``extra`` is the one that brings it."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(what, mend=f"pip install 'instar[{extra}]'")
