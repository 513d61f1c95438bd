"""What a format of the library engine offers, and what its decoders are built for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from ...errors import CarriesResidue
from ...migrations.conversion import Graph
from ...schemas.model import Schema
from ..limits import Limits
from ..types import SchemaTypes
from .load_fields import Versions


class LeftPayload(CarriesResidue):
    """Of an encoder that refuses residue alone: ``payload`` is what one gives that leaves it."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        super().__init__("the record keeps residue")


Encode: TypeAlias = Callable[[Any], bytes]
"""Turns a typed object into a payload; raises ``ValueMismatch`` with a path."""
Decode: TypeAlias = Callable[[Any], Any]
"""Turns a payload into a typed object; raises ``ValueMismatch`` with a path."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a decoder is built for: from the writer's types to the reader's.

    ``graph`` is ``None`` where both are one version. ``versions`` gives the types that the
    functions of migrations see. ``foreign`` says that the payload may come from another
    program, which may write less strictly than ours, and ``residue`` that the tag says that
    there is residue in it.
    """

    writer: SchemaTypes
    graph: Graph | None
    reader: SchemaTypes
    versions: Versions | None = None
    foreign: bool = False
    residue: bool = False

    @property
    def schema(self) -> Schema:
        """The writer's schema."""
        return self.writer.schema


def checked(check: Callable[[bytes], None], decode: Decode) -> Decode:
    """``decode`` for payloads that pass ``check`` first."""

    def run(payload: bytes) -> Any:
        check(payload)
        return decode(payload)

    return run


class FormatEngine(Protocol):
    """Encoders and decoders of one format."""

    def encoder(self, types: SchemaTypes, limits: Limits, *, leaves: bool = False) -> Encode:
        """An encoder of root objects of ``types``; ``leaves`` has it pass over residue, but in
        Protobuf, which has a place for it.
        """
        ...

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads."""
        ...
