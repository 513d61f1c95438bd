"""Binds generated classes to a codec; every generated package calls this once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from ..migrations.migration import Migration
from ..schemas.model import Schema
from .codec import Codec
from .registry import Registry
from .tag.header import Format

T = TypeVar("T")


class GeneratedVersion(Protocol):
    """A generated module: the schema of one version and its classes by full name."""

    @property
    def SCHEMA(self) -> Schema: ...  # noqa: D102, N802 - a constant of a module

    @property
    def TYPES(self) -> Mapping[str, type]: ...  # noqa: D102, N802 - a constant of a module


def bind(
    versions: Sequence[GeneratedVersion],
    migrations: Sequence[Migration],
    format: Format,  # noqa: A002 - the word of the design
    type: type[T],  # noqa: A002 - the word of the design
) -> Codec[T]:
    """The codec of a generated package, which reads and writes its own classes.

    Raises ``ConfigError`` where the generated code is stale.
    """
    subject = versions[0].SCHEMA.subject
    registry = Registry.of(
        [version.SCHEMA for version in versions],
        migrations,
        {subject: {version.SCHEMA.version: version.TYPES for version in versions}},
    )
    codec: Codec[T] = registry.codec(subject, format=format)
    assert codec.type is type  # noqa: S101 - bind_types has refused any other
    return codec
