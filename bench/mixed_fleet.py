"""A state that older code cannot express whole, for measuring what keeping the rest costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from msgspec.structs import replace

from ..codec.codec import Codec
from ..codec.registry import Registry
from ..codec.tag import Format
from ..schemas.model import Default, Field, Optional, Primitive, Record, Schema
from ..schemas.numbering import number_fields
from .sample import Size, agent_state, state_document

Kept: TypeAlias = Literal["few", "every message"]
"""Which records have residue: the root and the tasks of the plan, or each message too."""

_SUBJECT: Final = "agent_state"
_MESSAGE: Final = "instar.agent.Message"
_ADDED: Final = (
    Field("tokens", Primitive("int"), default=Default(0)),
    Field("author", Optional(Primitive("string")), default=Default(None)),
)


@dataclass(frozen=True, slots=True)
class MixedFleet:
    """Code of two versions and a state of the newer.

    ``old`` reads and writes the older version, ``new`` the newer, and ``pinned`` is new code
    that writes the older one.
    """

    old: Codec[Any]
    new: Codec[Any]
    pinned: Codec[Any]
    state: Any

    @classmethod
    def open(cls, reference: Registry, kept: Kept, format_: Format, size: Size) -> MixedFleet:
        """The fleet of reference versions 2 and 3, or of 3 and one with more in a message."""
        if kept == "few":
            return cls._of(reference, 3, format_, lambda codec: agent_state(codec, size))
        older = reference.subject(_SUBJECT).schema(3)
        opened = Registry.of(_grown(older))
        return cls._of(opened, 2, format_, lambda codec: codec.from_builtins(_document(size)))

    @classmethod
    def _of(
        cls,
        registry: Registry,
        newer: int,
        format_: Format,
        make: Callable[[Codec[Any]], Any],
    ) -> MixedFleet:
        codecs = (
            registry.codec(_SUBJECT, format=format_, version=version, write_version=written)
            for version, written in ((newer - 1, newer - 1), (newer, newer), (newer, newer - 1))
        )
        old, new, pinned = codecs
        return cls(old, new, pinned, make(new))

    def blobs(self) -> tuple[bytes, bytes]:
        """The state as blobs of the older version, with residue and without."""
        kept = self.pinned.encode(self.state)
        plain = self.old.to_builtins(self.old.decode(kept))
        return kept, self.old.encode(self.old.from_builtins(plain))


def _grown(schema: Schema) -> tuple[Schema, ...]:
    """``schema`` as version 1, and version 2, in which a message has more."""
    message = schema.types[_MESSAGE]
    if not isinstance(message, Record):
        raise TypeError(f"{_MESSAGE} is no record")
    grown = replace(message, fields=(*message.fields, *_ADDED))
    types = {**schema.types, _MESSAGE: grown}
    older = replace(schema, version=1)
    return number_fields([older, replace(schema, version=2, types=types)])


def _document(size: Size) -> dict[str, Any]:
    document = state_document(3, size)
    for number, message in enumerate(document["messages"], 1):
        message |= {"tokens": number, "author": f"agent-{number % 5}"}
    return document
