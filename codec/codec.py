"""The codec: typed objects to tagged blobs and back, at any version of a subject."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, get_args

from ..errors import (
    ConfigError,
    CorruptPayload,
    LimitExceeded,
    MigrationMismatch,
    NewerVersion,
    NotExpressible,
    ValueMismatch,
)
from ..migrations.migration import Migration
from ..schemas.arguments import check_argument, check_version
from ..schemas.model import JsonValue, Schema
from ..schemas.stack import stack_errors
from .formats import Provenance, make_decoder, whole_blobs
from .library.builtins_sink import BuiltinsSink
from .library.builtins_source import BuiltinsSource
from .library.dump import compile_dump
from .library.format import Decode
from .library.load import compile_identity
from .limits import Limits
from .newer import Bridge, make_keeping_decoder, make_lowering
from .payloads import Payloads
from .plan import Plan
from .record import Record
from .settings import Settings
from .subject import Subject
from .tag import as_bytes, peek, unpack
from .tag.binary_frame import pack_binary
from .tag.header import Blob, Format, Framing, Tag
from .tag.single_object import pack_single_object
from .tag.text_frame import pack_json, pack_yaml
from .types import SchemaTypes
from .views import Origin, Paths, RecordView, root_part
from .writers import Writers

if TYPE_CHECKING:
    from .protojson import ProtoJson

T = TypeVar("T")


def check_choice(what: str, found: object, known: Sequence[str]) -> None:
    """Raise ``ConfigError`` unless a setting is one of the known ones."""
    if found not in known:
        raise ConfigError(f"there is no {what} {found!r}", mend=f"known are {', '.join(known)}")


def _provenance(tag: Tag) -> Provenance:
    return "residue" if tag.residue else "ours"


class Codec(Generic[T]):
    """Encodes and decodes the states of one subject; made by ``Registry.codec``.

    A codec is safe to share between threads. Decoders are compiled when first needed, one
    for each writer version and format, and kept.
    """

    def __init__(
        self, subject: Subject, settings: Settings, owners: Mapping[int, str] | None = None
    ) -> None:
        """``owners`` names the subject of each fingerprint, to tell a wrong subject."""
        check_choice("format", settings.format, get_args(Format))
        check_choice("framing", settings.framing, get_args(Framing))
        if settings.framing == "avro-single-object" and settings.format != "avro":
            raise ConfigError(
                f"the framing avro-single-object cannot hold {settings.format}",
                where=subject.name,
                mend='use format="avro"',
            )
        self._subject = subject
        self._settings = settings
        self._owners = owners or {}
        self._writers = Writers(subject, self._owners)
        self._types = subject.types(settings.version)
        self._payloads = Payloads(settings, subject.types(settings.written))
        self._bridge = Bridge(subject, settings.limits)
        self._lower = make_lowering(self._bridge, self._types, settings)
        self._decoders: dict[tuple[int, Format, int, Provenance, bool], Decode] = {}
        self._whole = whole_blobs(subject, settings, self._payloads.encode)
        self._paths = Paths(self._types)
        self._protojsons: dict[int, ProtoJson] = {}

    @property
    def subject(self) -> str:
        """The name of the subject."""
        return self._subject.name

    @property
    def line(self) -> Subject:
        """The versions of the subject that are known: schemas, migrations, fingerprints."""
        return self._subject

    def extended(self, schemas: Sequence[Schema], migrations: Sequence[Migration]) -> Codec[T]:
        """A codec like this one, of the same version and classes, that knows later ones too.

        It reads blobs of them as its own version. Raises ``SchemaError`` or ``MigrationError``
        where they cannot be linked to the versions here, or their defaults are none.
        """
        from .default_check import wrong_types  # noqa: PLC0415 - only fetched versions need it

        subject = self._subject.extended(schemas, migrations)
        for error in wrong_types(subject):
            raise error
        return Codec(subject, self._settings, self._owners)

    def replace(
        self,
        *,
        write_version: int | None = None,
        format: Format | None = None,  # noqa: A002 - the word of the design
        framing: Framing | None = None,
        compress: bool | None = None,
        limits: Limits | None = None,
    ) -> Codec[T]:
        """A codec like this one, of the same version and classes, that writes otherwise.

        The codec of a generated package is pinned by it: ``codec.replace(write_version=2)``.
        What is ``None`` stays as it is; ``write_version=codec.version`` takes a pin away. Raises
        what ``Registry.codec`` raises.
        """
        given = {
            "write_version": write_version,
            "format": format,
            "framing": framing,
            "compress": compress,
            "limits": limits,
        }
        changed = {name: value for name, value in given.items() if value is not None}
        settings: Settings = replace(self._settings, **cast("dict[str, Any]", changed))
        with stack_errors(self.subject):
            return Codec(self._subject, settings, self._owners)

    @property
    def version(self) -> int:
        """The version that this codec reads to, of which its states are."""
        return self._settings.version

    @property
    def write_version(self) -> int:
        """The version of the blobs that this codec writes: its own, unless told otherwise."""
        return self._settings.written

    @property
    def format(self) -> Format:
        """The format that this codec writes; it reads all of them."""
        return self._settings.format

    @property
    def type(self) -> builtins.type[T]:
        """The class of the states."""
        return cast("builtins.type[T]", self._types.root)

    @property
    def types(self) -> Mapping[int, builtins.type[Any]]:
        """The class of the states of each version."""
        versions = self._subject.chain.versions
        return MappingProxyType({v: self._subject.types(v).root for v in versions})

    def schema_types(self, version: int | None = None) -> SchemaTypes:
        """Every class of a version by its name in the schema; this codec's version where none
        is given. Raises ``NoSuchSubject`` for a version that is not there.
        """
        if version is not None:
            check_version("version", version)
        return self._subject.types(self.version if version is None else version)

    @property
    def fingerprint(self) -> int:
        """The fingerprint that this codec writes."""
        return self._subject.fingerprint(self.write_version)

    def encode(self, state: T) -> bytes:
        """The tagged blob of a state, at the version that this codec writes.

        Raises ``ValueMismatch`` with the path of whatever the schema cannot hold, and
        ``LimitExceeded`` for a blob that is too large. Where an older version is written, what
        it has no place for goes along as residue; ``NotExpressible`` names what it has to hold
        and cannot.
        """
        if self._whole is not None:
            blob: bytes = self._whole.encode(state)
            if blob is not NotImplemented:
                return blob
        try:
            written, is_new = (state, False) if self._lower is None else self._lower(state)
            payload, residue = self._payloads.write(written, is_new=is_new)
        except ValueMismatch as error:
            raise error.under(self.subject) from None
        except RecursionError:
            raise self._too_deep() from None
        return self._pack(payload, residue=residue)

    def _pack(self, payload: bytes, *, residue: bool) -> bytes:
        settings, version, mark = self._settings, self.write_version, self.fingerprint
        match settings.format:
            case "json":
                return pack_json(self.subject, version, mark, payload, limits=settings.limits)
            case "yaml":
                return pack_yaml(self.subject, version, mark, payload, limits=settings.limits)
            case _ if settings.framing == "avro-single-object":
                return pack_single_object(self._subject.wire_fingerprint(version), payload)
            case _:
                return pack_binary(
                    settings.format,
                    version,
                    mark,
                    payload,
                    compress=settings.compress,
                    residue=residue,
                    limits=settings.limits,
                )

    def decode(self, blob: Blob, *, version: int | None = None, legacy: int | None = None) -> T:
        """The state of a blob, whatever version, format and framing wrote it.

        ``version`` gives it as a reader of that version sees it; the result is then of
        ``types[version]``. ``legacy`` says that the blob is an untagged payload in this
        codec's format, written at that version: nothing else makes instar read one. In
        Protobuf it may then be any encoding that protobuf accepts; fields that the version
        does not know, extensions too, are kept with their record as residue.

        Raises ``BlobError`` for bytes that cannot be read, ``NotExpressible`` where an older
        version cannot hold the state, ``ComputeError`` where a migration's function fails.
        """
        if self._whole is not None and version is None and legacy is None:
            state: T = self._whole.decode(blob)
            if state is not NotImplemented:
                return state
        if version is not None:
            check_version("version", version)
        if legacy is not None:
            check_version("legacy", legacy)
            return self._run(legacy, self.format, as_bytes(blob), version, "foreign")
        return self._read(blob, version, verify=True)

    def _read(self, blob: Blob, version: int | None, verify: bool) -> T:
        tag, payload = unpack(blob, self._settings.limits, verify=verify)
        return self._run(self.writer_version(tag), tag.format, payload, version, _provenance(tag))

    def view(self, blob: Blob, *, verify: bool = True) -> RecordView:
        """A read-only view of the state of a blob, of the shape that ``decode`` gives.

        What is touched is decoded then, and kept; a value that does not follow the schema is
        an error when it is touched. Only blobs in Avro and Protobuf in the kernel are read in
        parts, and of them no record that ops of a migration change; all else is decoded whole
        at once. ``verify`` compares the checksum of the whole blob first; without it, damage
        may show as a wrong value. Raises what ``decode`` raises.
        """
        data = as_bytes(blob)
        return self._view(data, verify, self._root(data, verify))

    def project(self, blob: Blob, *paths: str, verify: bool = True) -> tuple[Any, ...]:
        """What stands at each path, in order, without building the rest of the state.

        A path is written as errors write it, without the subject: ``status``,
        ``messages[-1].content.text``, ``memory['goal']``. It leads to ``None`` where an
        optional on the way is null. Raises ``NoSuchPath``, and what ``view`` raises.
        """
        data = as_bytes(blob)
        part = self._root(data, verify)
        # What stands at the root needs no view.
        found: Any = part.values(self._paths.at_root(paths))
        if found is not NotImplemented:
            return cast("tuple[Any, ...]", found)
        view = self._view(data, verify, part)
        return tuple(self._paths.get(view, path) for path in paths)

    def _view(self, blob: bytes, verify: bool, part: Any) -> RecordView:
        """``part`` is the root."""
        origin = Origin(
            self._types,
            lambda: cast("Record", self._read(blob, None, verify)),
            () if self._whole is None else (self._whole.Part,),
        )
        view: RecordView = origin.view(part)
        return view

    def _root(self, blob: bytes, verify: bool) -> Any:
        """The root of a blob: in the kernel, or of the state where that is decoded whole."""
        if self._whole is not None:
            part = self._whole.part(blob, verify)
            if part is not NotImplemented:
                return part
            state = self._whole.decode(blob) if verify else NotImplemented
            if state is not NotImplemented:
                return root_part(self._types, state)
        return self._root_by_tag(blob, verify)

    def _root_by_tag(self, blob: bytes, verify: bool) -> Any:
        """The root of a blob, the long way."""
        tag, payload = unpack(blob, self._settings.limits, verify=verify)
        writer = self.writer_version(tag)
        if self._whole is not None and isinstance(payload, bytes) and not tag.residue:
            decode = self._decoder(writer, tag.format, self.version, "ours", keeps=False)
            part = self._whole.part_of_payload(decode, payload)
            if part is not NotImplemented:
                return part
        state = self._run(writer, tag.format, payload, None, _provenance(tag), keeps=False)
        return root_part(self._types, cast("Record", state))

    def peek(self, blob: Blob) -> Tag:
        """The tag of a blob, alone, and never verified: no checksum is compared, and of text
        that another tool laid out no more is looked at than it takes to find the tag. Raises
        ``BlobError`` where it cannot be read.
        """
        return peek(blob, self._settings.limits)

    def _run(  # noqa: PLR0913 - each says another thing of a read
        self,
        writer: int,
        format_: Format,
        payload: Any,
        version: int | None,
        provenance: Provenance,
        *,
        keeps: bool = True,
    ) -> T:
        reader = self.version if version is None else version
        try:
            state: T = self._decoder(writer, format_, reader, provenance, keeps=keeps)(payload)
        except (NotExpressible, MigrationMismatch) as error:
            if version is None and writer > reader:
                raise NewerVersion(self.subject, writer, reader, because=error) from None
            if isinstance(error, MigrationMismatch):
                raise
            error.what = f"{error.what} ({writer} as {reader})"
            raise error.under(self.subject) from None
        except ValueMismatch as error:
            place = error.under(self.subject).where
            message = f"{error.what} ({format_}, version {writer})"
            raise CorruptPayload(message, where=place, mend=error.mend) from None
        except RecursionError:
            raise self._too_deep() from None
        return state

    def _too_deep(self) -> LimitExceeded:
        return LimitExceeded(
            "the state is nested deeper than Python's stack allows here",
            where=self.subject,
            mend="keep it flatter, or raise sys.setrecursionlimit",
        )

    def _decoder(
        self,
        writer: int,
        format_: Format,
        reader: int,
        provenance: Provenance,
        *,
        keeps: bool = True,
    ) -> Decode:
        """``keeps`` says that what an older reader cannot express becomes residue."""
        keeps = keeps or writer <= reader or self._bridge.is_lossless(writer, reader)
        key = (writer, format_, reader, provenance, keeps)
        if key not in self._decoders:
            plan = self._subject.plan(writer, reader)
            decode = self._decoders[key] = self._make_decoder(format_, plan, provenance, keeps)
            # The short way has one decoder for each writer, which must be the one that keeps.
            is_whole = reader == self.version and provenance == "ours" and keeps
            if self._whole is not None and is_whole:
                self._whole.add(format_, writer, self._subject.fingerprint(writer), decode)
        return self._decoders[key]

    def _make_decoder(
        self, format_: Format, plan: Plan, provenance: Provenance, keeps: bool
    ) -> Decode:
        subject, limits = self._subject, self._settings.limits
        if keeps or provenance == "residue":
            return make_keeping_decoder(format_, subject, plan, limits, provenance, self._bridge)
        return make_decoder(format_, subject, plan, limits, provenance)

    def writer_version(self, tag: Tag) -> int:
        """The version whose schema wrote a blob, by the fingerprint of its tag.

        Raises ``WrongSubject``, ``NewerVersion``, ``UnknownFingerprint`` or
        ``AmbiguousFingerprint``; never guesses.
        """
        check_argument("tag", tag, Tag, "one of read_tag(blob) or codec.peek(blob)")
        return self._writers.version(tag)

    def from_protojson(
        self, text: str | bytes, *, legacy: int | None = None, drop_unknown: bool = False
    ) -> T:
        """The state of a ProtoJSON text: the JSON that Protobuf's own libraries write.

        ``legacy`` says at which version it was written, this codec's where it is not given;
        that version has to be a ``.proto``. A key that it does not know is refused, and so is
        a symbol; ``drop_unknown`` passes over both.

        Raises ``CorruptPayload`` for what does not follow the schema, ``UnsupportedSchema``
        where it is no ``.proto``.
        """
        if legacy is not None:
            check_version("legacy", legacy)
        writer = self.version if legacy is None else legacy
        try:
            payload = self._protojson(writer).to_payload(text, drop_unknown=drop_unknown)
        except ValueMismatch as error:
            raise CorruptPayload(f"{error.what} (version {writer})", where=self.subject) from None
        except RecursionError:
            raise self._too_deep() from None
        return self._run(writer, "protobuf", payload, None, "foreign")

    def to_protojson(self, state: T) -> str:
        """The state as a ProtoJSON text, on one line, without what is not set.

        Raises ``ValueMismatch`` with the path of whatever the schema cannot hold,
        ``UnsupportedSchema`` where this codec's version is no ``.proto``.
        """
        protojson = self._protojson(self.version)
        try:
            return self._own_payloads.protojson(state, protojson)
        except ValueMismatch as error:
            raise error.under(self.subject) from None
        except RecursionError:
            raise self._too_deep() from None

    @cached_property
    def _own_payloads(self) -> Payloads:
        """Those of the version of the states, whichever is written."""
        is_own = self.write_version == self.version
        return self._payloads if is_own else Payloads(self._settings, self._types)

    def _protojson(self, version: int) -> ProtoJson:
        from .protojson import ProtoJson  # noqa: PLC0415 - few programs have a use for it

        if version not in self._protojsons:
            schema, limits = self._subject.schema(version), self._settings.limits
            self._protojsons[version] = ProtoJson(schema, limits)
        return self._protojsons[version]

    def to_builtins(self, state: T) -> dict[str, JsonValue]:
        """The state in JSON form: plain dicts, lists and scalars."""
        try:
            plain: dict[str, JsonValue] = compile_dump(
                self._types, BuiltinsSink(self._types), leaves=True
            )(state)
        except ValueMismatch as error:
            raise error.under(self.subject) from None
        return plain

    def from_builtins(self, plain: JsonValue) -> T:
        """The state of plain values in JSON form; a key with a default may be missing.

        Raises ``ValueMismatch`` with the path of what does not follow the schema.
        """
        source = BuiltinsSource(self._types.schema, self._types.names, fill=True)
        try:
            state: T = compile_identity(source, self._types)(plain)
        except ValueMismatch as error:
            raise error.under(self.subject) from None
        return state
