"""Values of a newer version as a token holds them: MessagePack of their type, with residue."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ...errors import ValueMismatch
from ...schemas.model import Type
from ..containers import class_of
from ..library.builtins_source import BuiltinsSource
from ..library.load import compile_value
from ..library.residue_section import attach
from ..record import Record
from ..residue import Way, checked_carriers
from ..types import SchemaTypes
from ..vectors import encode_vector

Stored = tuple[msgspec.Raw, tuple[tuple[Way, bytes], ...]]
"""A value, and the residue of the records within it, each with the way there."""


@dataclass(slots=True)
class Values:
    """Writes and reads values of one version; each type is compiled when first met."""

    types: SchemaTypes
    _loads: dict[Type, Callable[[Any], Any]] = field(
        default_factory=dict[Type, Callable[[Any], Any]]
    )

    @staticmethod
    def write(value: Any, *, is_bare: bool = False) -> Stored:
        """The value for a token; it is taken to be one that the schema can hold. ``is_bare`` says
        that there is no residue in it.
        """
        data = msgspec.msgpack.encode(value, enc_hook=encode_vector)
        if is_bare or not value or not isinstance(value, Record | list | dict):
            return msgspec.Raw(data), ()
        found = checked_carriers(value)
        return msgspec.Raw(data), tuple((way, residue) for way, _, residue in found)

    def read(self, kind: Type, stored: Stored) -> Any:
        """The value again. Raises ``ValueMismatch`` for what is none."""
        if kind not in self._loads:
            source = BuiltinsSource(self.types.schema, self.types.names)
            self._loads[kind] = compile_value(source, self.types, kind)
        raw, residue = stored
        try:
            plain = msgspec.msgpack.decode(raw)
        except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
            raise ValueMismatch(f"a value of a newer version does not read: {error}") from None
        value = self._loads[kind](plain)
        attach(value, residue)
        return value


def same_scalar(left: Any, right: Any) -> bool:
    """Whether two values without records in them are one: also of the same type and sign."""
    if class_of(left) is not class_of(right):
        return False
    if isinstance(left, float):
        # NaN is NaN, and the zeros differ.
        return bool(left.hex() == right.hex())
    if isinstance(left, array):
        return bool(left.tobytes() == right.tobytes() and left.typecode == right.typecode)
    return bool(left == right)
