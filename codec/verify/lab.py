"""Writes and reads states of a subject at any version, in any format, by either engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, get_args

from ...errors import InstarError, MissingExtra, SchemaError
from ..codec import Codec
from ..engines import EngineName, engine, forced_engine
from ..extras import import_yaml
from ..formats import compiled_formats, make_decoder, make_encoder, make_step
from ..library.builtins_sink import BuiltinsSink
from ..library.dump import compile_dump
from ..library.format import Decode, Encode
from ..limits import DEFAULT_LIMITS
from ..settings import Settings
from ..subject import Subject
from ..tag.header import Format
from .losses import Announced, losses
from .walk import Walk


@dataclass(frozen=True, slots=True)
class Refused:
    """That something could not be written or read, and why."""

    error: Exception

    def __str__(self) -> str:
        """The error as users see it."""
        if isinstance(self.error, InstarError):
            return str(self.error)
        return f"{type(self.error).__name__}: {self.error}"


Way: TypeAlias = tuple[Format, EngineName]
"""A format, and the engine that does it."""


def attempt(function: Callable[[Any], Any], argument: Any) -> Any:
    """What ``function`` gives, or that it refuses."""
    try:
        return function(argument)
    except Exception as error:  # noqa: BLE001 - whatever it is, it breaks a law
        return Refused(error)


@dataclass(slots=True)
class Lab:
    """A subject with whatever was compiled for it."""

    subject: Subject
    _encoders: dict[tuple[int, Way], Encode] = field(default_factory=dict[Any, Any])
    _decoders: dict[tuple[int, int, Way], Decode] = field(default_factory=dict[Any, Any])
    _codecs: dict[int, Codec[Any]] = field(default_factory=dict[Any, Any])
    _steps: dict[tuple[int, int], Callable[[Any], Any]] = field(default_factory=dict[Any, Any])
    _walks: dict[int, Walk] = field(default_factory=dict[Any, Any])
    _losses: dict[tuple[int, int], Announced] = field(default_factory=dict[Any, Any])

    @property
    def versions(self) -> tuple[int, ...]:
        """Every version, oldest first."""
        return self.subject.chain.versions

    def pairs(self) -> list[tuple[int, int]]:
        """Every pair of an older and a newer version, the adjacent ones first."""
        found = [(low, high) for low in self.versions for high in self.versions if low < high]
        return sorted(found, key=lambda pair: (pair[1] - pair[0], pair))

    def encoder(self, version: int, way: Way | None = None) -> Encode:
        """Writes payloads of a version: Avro by the engine in use, unless ``way`` says so."""
        chosen = way or self._usual()
        key = version, chosen
        if key not in self._encoders:
            types = self.subject.types(version)
            with forced_engine(chosen[1]):
                self._encoders[key] = make_encoder(chosen[0], types, DEFAULT_LIMITS)
        return self._encoders[key]

    def decoder(self, writer: int, reader: int, way: Way | None = None) -> Decode:
        """Reads payloads of ``writer`` as ``reader``, by way of ``way`` as ``encoder`` does."""
        chosen = way or self._usual()
        key = writer, reader, chosen
        if key not in self._decoders:
            plan = self.subject.plan(writer, reader)
            with forced_engine(chosen[1]):
                self._decoders[key] = make_decoder(chosen[0], self.subject, plan, DEFAULT_LIMITS)
        return self._decoders[key]

    def step(self, source: int, target: int) -> Callable[[Any], Any]:
        """From an object of one version to one of another, without any bytes."""
        if (source, target) not in self._steps:
            plan = self.subject.plan(source, target)
            self._steps[source, target] = make_step(self.subject, plan)
        return self._steps[source, target]

    def codec(self, version: int) -> Codec[Any]:
        """A codec as code of that version has it."""
        if version not in self._codecs:
            self._codecs[version] = Codec(self.subject, Settings(version))
        return self._codecs[version]

    def migrate(self, state: Any, source: int, target: int) -> Any:
        """A state as another version reads it, or that it is refused."""
        payload = attempt(self.encoder(source), state)
        if isinstance(payload, Refused):
            return payload
        return attempt(self.decoder(source, target), payload)

    def walk(self, version: int) -> Walk:
        """Compares and walks states of a version."""
        if version not in self._walks:
            self._walks[version] = Walk(self.subject.types(version))
        return self._walks[version]

    def lost(self, source: int, target: int) -> Announced:
        """The paths of ``source`` that may differ after going to ``target`` and back."""
        if (source, target) not in self._losses:
            self._losses[source, target] = losses(self.subject, source, target)
        return self._losses[source, target]

    def to_json(self, version: int, state: Any) -> Any:
        """A state in JSON form; a refusal as its text."""
        if isinstance(state, Refused):
            return str(state)
        types = self.subject.types(version)
        plain = attempt(compile_dump(types, BuiltinsSink(types)), state)
        return repr(state) if isinstance(plain, Refused) else plain

    def ways(self) -> tuple[list[Way], list[str]]:
        """Every format by every engine that is in use here, and what is not, with the reason."""
        found: list[Way] = []
        used = engine()
        missing = [] if used.name == "kernel" else [f"the kernel: {used.why}"]
        for format_ in get_args(Format):
            for home in self._homes(format_):
                try:
                    if format_ == "yaml":
                        import_yaml()
                    for version in self.versions:
                        self.encoder(version, (format_, home))
                    found.append((format_, home))
                except (MissingExtra, SchemaError) as error:
                    missing.append(f"{format_}: {error}")
        return found, missing

    def _usual(self) -> Way:
        return "avro", engine().name

    def _homes(self, format_: Format) -> tuple[EngineName, ...]:
        return ("library", "kernel") if format_ in compiled_formats() else ("library",)
