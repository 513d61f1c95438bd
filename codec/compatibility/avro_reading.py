"""Reads Avro as the specification asks: the reader's logical type holds for what was resolved.

fastavro applies the logical type of the writer, as if nothing else could be read. The
specification lets logical types take no part in resolution, so a reader elsewhere makes of
the resolved value what its own schema says. The writer's schema is therefore given to
fastavro with a logical type of our own at each leaf, whose function finds the reader's.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, TypeAlias, TypeGuard

Reader: TypeAlias = Callable[[bytes], Any]
"""From a payload to what a reader makes of it."""

_MARK: Final = "instar-resolved"
_OWN: Final = "instar-own"
_PRIMITIVES: Final = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
_KNOWN: Final = {"duration", "duration-micros", "json", "uuid"}
"""Logical types that fastavro has no function for, or not on each base; nanoseconds too."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A value that stands for something of a logical type, where no Python value does."""

    raw: Any
    kind: str

    def __repr__(self) -> str:
        """For people, in a failure: ``uuid of 'x'``."""
        return f"{self.kind} of {self.raw!r}"


def plain_reader(writer: Any) -> Reader:
    """Reads what was written with a schema, the JSON of an ``.avsc``, as it was written."""
    avro = _fastavro()
    old = avro.parse_schema(_changed(writer, _marked))
    return lambda payload: avro.schemaless_reader(BytesIO(payload), old, None)


def resolving_reader(writer: Any, reader: Any) -> Reader:
    """Reads what was written with one schema as another."""
    avro = _fastavro()
    old = avro.parse_schema(_changed(writer, _marked))
    new = avro.parse_schema(_changed(reader, _exact_first))
    return lambda payload: avro.schemaless_reader(BytesIO(payload), old, new)


def unmarked(text: str) -> str:
    """A message of fastavro, with the schemas in it as they were."""
    return re.sub(rf"\{{[^{{}}]*'{_OWN}': (\{{[^{{}}]*\}}|'\w+')[^{{}}]*\}}", r"\1", text)


def _fastavro() -> Any:
    known: Any = importlib.import_module("fastavro.read").LOGICAL_READERS
    for kind in (*_PRIMITIVES, "fixed"):
        known[f"{kind}-{_MARK}"] = _resolved
    return importlib.import_module("fastavro")


def _changed(kind: Any, change: Callable[[Any], Any]) -> Any:
    """A schema with ``change`` applied to its unions and to what is no container."""
    if _is_union(kind):
        return change([_changed(branch, change) for branch in kind])
    match kind["type"] if _is_defined(kind) else "":
        case "record":
            fields = [{**f, "type": _changed(f["type"], change)} for f in kind["fields"]]
            return {**kind, "fields": fields}
        case "array":
            return {**kind, "items": _changed(kind["items"], change)}
        case "map":
            return {**kind, "values": _changed(kind["values"], change)}
        case _:
            return change(kind)


def _is_union(kind: Any) -> TypeGuard[list[Any]]:
    return isinstance(kind, list)


def _is_defined(kind: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(kind, dict)


def _marked(kind: Any) -> Any:
    """A leaf with our logical type in place of its own, which is kept beside it."""
    if isinstance(kind, str) and kind in _PRIMITIVES:
        return {"type": kind, "logicalType": _MARK, _OWN: kind}
    if _is_defined(kind) and kind["type"] != "enum":
        return {**kind, "logicalType": _MARK, _OWN: kind}
    return kind


def _exact_first(kind: Any) -> Any:
    """A union with the types before those that they are promoted to.

    fastavro takes the first branch that fits. Readers elsewhere look for the very type first.
    """
    return sorted(kind, key=_rank) if _is_union(kind) else kind


def _rank(branch: Any) -> int:
    kind = branch["type"] if _is_defined(branch) else branch
    return _PRIMITIVES.index(kind) if kind in _PRIMITIVES else len(_PRIMITIVES)


def _resolved(data: Any, writer: Any, reader: Any) -> Any:
    """A leaf as the reader has it: promoted, and with the reader's meaning."""
    reader = writer[_OWN] if reader is None else reader
    kind = reader if isinstance(reader, str) else reader["type"]
    value = _promoted(data, writer["type"], kind)
    logical = None if isinstance(reader, str) else reader.get("logicalType")
    if logical is None:
        return value
    convert = importlib.import_module("fastavro.read").LOGICAL_READERS.get(f"{kind}-{logical}")
    if convert is None:
        is_known = logical in _KNOWN or logical.endswith("-nanos")
        return Meant(value, logical) if is_known else value
    try:
        return convert(value, reader, None)
    except (ValueError, ArithmeticError):
        return Meant(value, logical)


def _promoted(data: Any, written: str, read: str) -> Any:
    match written, read:
        case ("int" | "long", "float" | "double"):
            return float(data)
        case "string", "bytes":
            return data.encode()
        case "bytes", "string":
            # Readers elsewhere put a mark in the place of what is no UTF-8.
            return data.decode(errors="replace")
        case _:
            return data
