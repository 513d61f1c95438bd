"""Runs plans with the engine in use: one decoder for each plan and format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from ..schemas.model import Schema
from .engines import engine
from .library.closures import Load
from .library.format import Decode, Encode, FormatEngine, Reading
from .library.load import compile_load
from .library.object_source import ObjectSource
from .limits import Limits
from .plan import Plan, Segment
from .residue import has_residue
from .settings import Settings
from .subject import Subject
from .tag.header import Format
from .types import SchemaTypes

if TYPE_CHECKING:
    from .kernel.whole import WholeBlobs


Provenance: TypeAlias = Literal["ours", "residue", "foreign"]
"""Where payloads come from: our own, our own with residue in them, or another program's."""

_COMPILED: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json")
"""The formats that the kernel has."""


def _engine(format_: Format) -> FormatEngine:
    """The engine of a format, imported when first used: most programs use one or two."""
    if format_ in _COMPILED and engine().name == "kernel":
        module = import_module(f".kernel.{format_}", __package__)
        return cast("FormatEngine", module.ENGINE)
    return cast("FormatEngine", _library(format_))


def _library(format_: Format) -> Any:
    return import_module(f".library.{format_}", __package__).ENGINE


def make_encoder(format_: Format, types: SchemaTypes, limits: Limits) -> Encode:
    """An encoder of root objects of ``types``; raises ``ValueMismatch`` with a path."""
    return _engine(format_).encoder(types, limits)


def make_residue_encoder(
    format_: Format, types: SchemaTypes, limits: Limits
) -> Callable[[Any, bytes | None, bool], tuple[bytes, bool]]:
    """An encoder that writes the residue of each record too, in it or in a section, and says
    whether there is any.

    What edits have overtaken it drops, in the state too, unless it is told that nothing can have
    been. It may be given the payload, as an encoder makes it that leaves residue.
    """
    from .library.residue_section import put_section  # noqa: PLC0415 - few states have any
    from .newer.checks import Checks  # noqa: PLC0415
    from .newer.prune import prune  # noqa: PLC0415

    write = _engine(format_).encoder(types, limits, leaves=True)
    checks = Checks(types)

    def encode(state: Any, payload: bytes | None, is_new: bool) -> tuple[bytes, bool]:
        # What is wrong in the state is found before anything is dropped.
        payload = write(state) if payload is None else payload
        is_changed = not is_new and prune(state, checks)
        # Where nothing is left, the bytes are those of any other state.
        if format_ != "protobuf":
            whole = put_section(format_, payload, state, limits)
            return (payload, False) if whole is None else (whole, True)
        if has_residue(state):
            return write(state) if is_changed else payload, True
        # Another thread that encodes the same state may have dropped all of it.
        return payload if is_new else write(state), False

    return encode


def make_decoder(
    format_: Format, subject: Subject, plan: Plan, limits: Limits, provenance: Provenance = "ours"
) -> Decode:
    """A decoder of payloads that runs ``plan``; raises ``ValueMismatch`` with a path."""
    if provenance == "residue" and format_ != "protobuf":
        return _section_decoder(format_, subject, plan, limits)
    first, *later = plan.segments or (None,)
    reading = replace(
        _reading(subject, plan.source, first),
        foreign=provenance == "foreign",
        residue=provenance == "residue",
    )
    decode = _engine(format_).decoder(reading, limits)
    steps = [_step(subject, segment) for segment in later]
    return _sequence(decode, steps) if steps else decode


def _section_decoder(format_: Format, subject: Subject, plan: Plan, limits: Limits) -> Decode:
    """A decoder of payloads with a section of residue, which names records of the writer."""
    from .library.residue_section import (  # noqa: PLC0415 - few have any
        attach_all,
        attach_at_once,
        take_section,
    )

    read = make_decoder(format_, subject, Plan(plan.source, plan.source, ()), limits)
    step = make_step(subject, plan)

    def decode(payload: Any) -> Any:
        state = attach_at_once(format_, payload, read, limits)
        if state is NotImplemented:
            entries, rest = take_section(format_, payload, limits)
            state = read(rest)
            attach_all(state, entries)
        return step(state)

    return decode


def make_step(subject: Subject, plan: Plan) -> Load:
    """A function from an object of the plan's source version to one of its target."""
    steps = [_step(subject, segment) for segment in plan.segments]
    return _sequence(lambda state: state, steps)


def _reading(subject: Subject, source: int, segment: Segment | None) -> Reading:
    writer = subject.types(source)
    if segment is None:
        return Reading(writer, None, writer)
    return Reading(writer, segment.graph, subject.types(segment.target), subject.types)


def _step(subject: Subject, segment: Segment) -> Load:
    reading = _reading(subject, segment.source, segment)
    source = ObjectSource(reading.writer)
    schema: Schema = reading.schema
    return compile_load(segment.graph, source, schema, reading.reader, reading.versions)


def _sequence(first: Load, steps: list[Load]) -> Load:
    def run(raw: Any) -> Any:
        state = first(raw)
        for step in steps:
            state = step(state)
        return state

    return run


def whole_blobs(subject: Subject, settings: Settings, encode: Encode) -> WholeBlobs | None:
    """The kernel's short way for whole blobs; ``None`` where the kernel is not in use."""
    if engine().name != "kernel":
        return None
    from .kernel.whole import WholeBlobs  # noqa: PLC0415 - there may be no kernel

    version = settings.version
    is_plain = settings.framing == "instar" and not settings.compress
    is_plain = is_plain and settings.written == version
    return WholeBlobs(
        subject.name,
        encode if is_plain else None,
        version,
        subject.fingerprint(version),
        settings.limits.blob_bytes,
    )


def compiled_formats() -> tuple[Format, ...]:
    """The formats that the kernel has, where it is in use; the library engine does the others."""
    return _COMPILED if engine().name == "kernel" else ()
