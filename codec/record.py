"""The base of every record type, and the place where a record keeps its residue."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from typing import Any, Self

import msgspec


class _Carrier:
    """Gives a record one slot that is no field of it: each slot of a Struct's own is a field."""

    __slots__ = ("_residue",)
    _residue: bytes


# Reached through the class, so that neither frozen records nor attributes get in the way.
_SLOT: Any = _Carrier.__dict__["_residue"]
# The stubs of msgspec do not have all of its methods.
_STRUCT: Any = msgspec.Struct


class Record(_Carrier, msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A record of some schema: typed attributes, equality by value, keyword arguments.

    A record that was read may keep residue: what its writer knew and its own version does
    not. It is no attribute and no part of equality or ``repr``, but ``copy.copy``,
    ``copy.deepcopy``, ``copy.replace`` (Python 3.13), ``__replace__`` (all) and ``pickle``
    take it along. ``msgspec.structs.replace`` copies attributes alone.
    """

    def __copy__(self) -> Self:
        """The same attributes and the same residue in another record."""
        made: Self = _STRUCT.__copy__(self)
        _hand_on(self, made)
        return made

    def __replace__(self, **changes: Any) -> Self:
        """A copy with other values for some attributes; TypeError for one that is none."""
        made = msgspec.structs.replace(self, **changes)
        _hand_on(self, made)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copies of all attributes, and the same residue, in another record."""
        names = self.__struct_fields__
        made = type(self)(**{name: deepcopy(getattr(self, name), memo) for name in names})
        _hand_on(self, made)
        return made

    def __reduce__(self) -> Any:
        """What pickle writes: that of a Struct, and the residue as the state beside it."""
        plain: Any = _STRUCT.__reduce__(self)
        residue = residue_of(self)
        return plain if residue is None else (*plain, residue)

    def __setstate__(self, residue: bytes) -> None:
        """Take the residue that pickle read."""
        set_residue(self, residue)


def residue_of(record: Any) -> bytes | None:
    """The residue of one record, alone: fields of Protobuf as they stand on the wire."""
    return getattr(record, "_residue", None)


def set_residue(record: Record, residue: bytes) -> None:
    """Give one record its residue, which cannot be changed and refers to nothing: a record
    that the garbage collector does not track may hold it. Nothing where it is empty.
    """
    if residue:
        _SLOT.__set__(record, residue)
    elif residue_of(record) is not None:
        # Another thread that encodes the same state may be first.
        with suppress(AttributeError):
            _SLOT.__delete__(record)


def _hand_on(record: Record, made: Record) -> None:
    """Give a copy the residue of what it was made of."""
    residue = residue_of(record)
    if residue is not None:
        _SLOT.__set__(made, residue)
