"""Binds generated classes to a codec; every generated package calls this once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from ..migrations.migration import Migration
from ..schemas.model import Schema
from .codec import Codec
from .limits import DEFAULT_LIMITS, Limits
from .registry import Registry
from .tag.header import Format, Framing

T = TypeVar("T")


class GeneratedVersion(Protocol):
    """A generated module: the schema of one version and its classes by full name."""

    @property
    def SCHEMA(self) -> Schema: ...  # noqa: D102, N802 - a constant of a module

    @property
    def TYPES(self) -> Mapping[str, type]: ...  # noqa: D102, N802 - a constant of a module


def bind(  # noqa: PLR0913 - each is one independent choice of the user
    versions: Sequence[GeneratedVersion],
    migrations: Sequence[Migration],
    format: Format,  # noqa: A002 - the word of the design
    type: type[T],  # noqa: A002 - the word of the design
    *,
    write_version: int | None = None,
    framing: Framing = "instar",
    compress: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Codec[T]:
    """The codec of a generated package, which reads and writes its own classes.

    The keywords are those of ``Registry.codec``. A codec that is bound already is told by
    ``Codec.replace``. Raises ``ConfigError`` where the generated code is stale.
    """
    subject = versions[0].SCHEMA.subject
    registry = Registry.of(
        [version.SCHEMA for version in versions],
        migrations,
        {subject: {version.SCHEMA.version: version.TYPES for version in versions}},
    )
    codec: Codec[T] = registry.codec(
        subject,
        format=format,
        write_version=write_version,
        framing=framing,
        compress=compress,
        limits=limits,
    )
    assert codec.type is type  # noqa: S101 - bind_types has refused any other
    return codec
