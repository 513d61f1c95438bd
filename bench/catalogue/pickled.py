"""Pickle, as people store objects with it: whole and typed, and unsafe to read from others."""

from __future__ import annotations

import enum
import pickle
from io import BytesIO
from typing import Any

from ...codec.record import Record
from ..peers import Peer, Versions


def pickle_peer(versions: Versions) -> Peer:
    """The standard library's pickle, on the same classes.

    The classes were made at run time, so they are looked up by name in a table, once for
    each class and blob; what is done for a record is what ``Record`` does under pickle.
    """
    types = versions.registry.subject(versions.subject).types(versions.version)
    classes = {cls.__qualname__: cls for cls in _classes(types)}
    table: dict[type, Any] = {type(cls): _by_name for cls in classes.values()}
    for cls in classes.values():
        table[cls] = _reduce_enum if issubclass(cls, enum.Enum) else Record.__reduce__

    class Reader(pickle.Unpickler):
        def find_class(self, module: str, name: str, /) -> Any:
            found = super().find_class(module, name)
            return classes.__getitem__ if found is named else found

    def dump(state: Any) -> bytes:
        buffer = BytesIO()
        pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = table
        pickler.dump(state)
        return buffer.getvalue()

    return Peer("pickle", "objects", dump, lambda blob: Reader(BytesIO(blob)).load())


def named(name: str) -> type:
    """What stands in a pickle for looking up a class; the reader has a table for it."""
    raise LookupError(name)


def _by_name(cls: type) -> tuple[Any, tuple[str]]:
    return named, (cls.__qualname__,)


def _reduce_enum(member: enum.Enum) -> tuple[type, tuple[Any]]:
    return type(member), (member.value,)


def _classes(types: Any) -> list[type]:
    names = types.names.classes
    named_types = [types.enum(n) if _is_enum(types, n) else types.record(n) for n in names]
    return [*named_types, *types.boxes.values()]


def _is_enum(types: Any, name: str) -> bool:
    return type(types.schema.types[name]).__name__ == "Enum"
