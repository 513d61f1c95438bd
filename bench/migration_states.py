"""The states that reads of old blobs are measured on: one, as version 1 and as version 10."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..codec.codec import Codec
from ..codec.formats import make_decoder
from ..codec.limits import DEFAULT_LIMITS
from ..codec.registry import Registry
from ..codec.tag import Format
from ..errors import ValueMismatch
from .migration_fields import LATEST
from .migration_functions import split_model, split_usage
from .migration_kinds import Kind
from .peers import Versions
from .same import same
from .ten_versions import SUBJECT, first_document, ten_versions


@dataclass(frozen=True, slots=True)
class Chain:
    """The ten versions of a kind, opened."""

    kind: Kind
    registry: Registry

    @classmethod
    def open(cls, kind: Kind) -> Chain:
        """Those of ``kind``."""
        return cls(kind, ten_versions(kind))

    def codec(self, format_: Format, version: int = LATEST) -> Codec[Any]:
        """A codec of one version."""
        return self.registry.codec(SUBJECT, format=format_, version=version)

    def latest(self) -> Versions:
        """The latest version."""
        return Versions.latest(self.registry, SUBJECT)

    def engine(self, format_: Format) -> str:
        """The engine that reads the oldest blobs: also with a kernel it may be the library's."""
        subject = self.registry.subject(SUBJECT)
        found = make_decoder(format_, subject, subject.plan(1, LATEST), DEFAULT_LIMITS)
        # What the kernel runs is a program; the library engine has none.
        return "kernel" if hasattr(found, "program") else "library"

    def oldest(self, messages: int, *, seed: int = 7) -> Oldest:
        """A state that version 1 wrote."""
        return Oldest(self, first_document(messages, self.kind, seed=seed))


@dataclass(frozen=True, slots=True)
class Oldest:
    """A state as version 1 has it, in JSON form, and its blobs."""

    chain: Chain
    document: dict[str, Any]

    def blob(self, format_: Format) -> bytes:
        """As version 1 writes it."""
        codec = self.chain.codec(format_, 1)
        return codec.encode(codec.from_builtins(self.document))

    def state(self, format_: Format = "avro") -> Any:
        """As version 10 has it, read from the old blob."""
        return self.chain.codec(format_).decode(self.blob(format_))

    def loads(self, format_: Format) -> tuple[Callable[[], Any], Callable[[], Any]]:
        """What reads the old blob once, and what reads a current blob of the same state.

        Raises ``ValueMismatch`` where they give different states.
        """
        codec, old = self.chain.codec(format_), self.blob(format_)
        state = codec.decode(old)
        new = codec.encode(state)
        if not same(codec.decode(new), state):
            raise ValueMismatch("the old blob gives another state", path=self.chain.kind)
        return partial(codec.decode, old), partial(codec.decode, new)

    def calls(self) -> Callable[[], Any]:
        """What calls the migration's Python function as often, on the same values, alone."""
        match self.chain.kind:
            case "root":
                return partial(_call_each, split_model, [self.document["model"]])
            case "list":
                usages = [message["usage"] for message in self.document["messages"]]
                return partial(_call_each, split_usage, usages)
            case _:
                return partial(_call_each, str, ())  # there is no function


def _call_each(function: Callable[[str], Any], values: Sequence[str]) -> None:
    for value in values:
        function(value)
