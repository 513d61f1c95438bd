"""What the kernel is told of two versions, to walk a newer state and an older one side by side.

It writes and restores what is a value of its own; what is rarer it leaves to the functions here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from ...migrations.graph_reading import Names
from ...schemas.model import Optional, Primitive, Type
from ..record import Record
from .checks import Checks
from .compare import Comparison
from .pairs import Inner, Pair, Pairs, lossy_records
from .slots import Slot
from .token import NULL, Entry, Token, write_token
from .values import Values

if TYPE_CHECKING:
    from ..kernel import core

_TOKEN_END = 4
"""Bytes of a token without entries, from their count on."""
_ENTRY_END = 6
"""Bytes of an entry of null that depends on nothing, from its check on."""


def make_beside(
    version: int, fingerprint: int, pairs: Pairs, values: Values, checks: Checks
) -> core.Beside:
    """The walk of the kernel, which has to be there, over states of two versions.

    ``version`` and ``fingerprint`` are those of the newer one.
    """
    from ..kernel import core  # noqa: PLC0415 - may not be there
    from ..kernel.format import DEEPEST  # noqa: PLC0415

    lossy = lossy_records(pairs)
    compiler = _Compiler(core, version, fingerprint, values, checks)
    pairings = {cls: compiler.pairing(cls, pair, lossy) for cls, pair in pairs.items()}
    entries = partial(_entries, Comparison.of_pairs(values, checks))
    # A name of no letters takes one byte.
    mark = compiler.opening("")[:-1]
    return core.Beside(Record, pairings, mark, entries, DEEPEST)


def _entries(comparison: Comparison, slot: Slot, before: Any, after: Any, old: Any) -> list[bytes]:
    """The entries of a field, encoded."""
    return [msgspec.msgpack.encode(e) for e in comparison.of_field(slot, before, after, old)]


@dataclass(frozen=True, slots=True)
class _Compiler:
    core: Any
    version: int
    fingerprint: int
    values: Values
    checks: Checks

    def opening(self, record: str) -> bytes:
        """How the token of a record begins, up to the count of its entries."""
        return write_token(Token(self.version, self.fingerprint, record, ()))[:-_TOKEN_END]

    def pairing(self, cls: type, pair: Pair, lossy: frozenset[str]) -> core.Pairing:
        known: dict[Names, core.Field] = {
            path: self._field(slot, pair) for path, slot in pair.known.items() if len(path) == 1
        }
        made: core.Pairing = self.core.Pairing(
            pair.old,
            self.opening(pair.target),
            tuple(known[slot.path] for slot in pair.lossy),
            tuple(known.values()),
            tuple(self._within(each, cls, pair, lossy) for each in pair.inner),
            pair.again,
        )
        return made

    def _within(self, inner: Inner, cls: type, pair: Pair, lossy: frozenset[str]) -> core.Within:
        is_lossy = bool(inner.records & lossy)
        made: core.Within = self.core.Within(cls, inner.new, pair.old, inner.old, is_lossy)
        return made

    def _field(self, slot: Slot, pair: Pair) -> core.Field:
        (attribute,) = slot.attributes
        entry = Entry(slot.path, "v", slot.sources, b"", NULL)
        is_given = not slot.sources and not slot.inner and attribute in pair.given
        made: core.Field = self.core.Field(
            attribute,
            msgspec.msgpack.encode(entry)[:-_ENTRY_END],
            is_given,
            pair.given.get(attribute),
            slot.is_made,
            self._op(slot.kind),
            isinstance(slot.kind, Optional),
            slot,
            partial(_read, self.values, slot.kind),
            self.checks.taker(pair.old, slot.sources),
        )
        return made

    def _op(self, kind: Type) -> int:
        """What the kernel reads the values of a type with; 0 for what Python reads."""
        from ..kernel.scalars import primitive_op  # noqa: PLC0415 - may not be there

        inner = kind.item if isinstance(kind, Optional) else kind
        if isinstance(inner, Primitive) and inner.kind in {"string", "boolean", "int", "long"}:
            return primitive_op(inner)
        return 0


def _read(values: Values, kind: Type, stored: bytes) -> Any:
    return values.read(kind, (msgspec.Raw(stored), ()))
