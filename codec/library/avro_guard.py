"""Walks an Avro payload by its schema before fastavro is let near it.

fastavro trusts its input: it recurses without a limit, takes negative branch indexes from
the end of the list, and lets five bytes ask for millions of zero-size items. The walk
refuses all of that, and whatever else the specification (1.12, "Binary Encoding") does not
allow, without building a value. Counts are bounded by the bytes left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from ...errors import ValueMismatch
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ..limits import Limits
from .avro_wire import scalar_name
from .empty import is_empty

Walk: TypeAlias = Callable[[bytes, int, int], int]
"""Takes the payload, a position and the depth; returns the position after the value."""

_INT, _LONG = 5, 10


def compile_guard(schema: Schema, limits: Limits) -> Callable[[bytes], None]:
    """A function that raises ``ValueMismatch`` unless a payload follows ``schema`` exactly."""
    walk = _Compiler(schema, limits).named(schema.root)

    def guard(payload: bytes) -> None:
        try:
            end = walk(payload, 0, 0)
        except IndexError:
            raise ValueMismatch("the payload ends in the middle of a value") from None
        if end != len(payload):
            raise ValueMismatch(f"{len(payload) - end} bytes follow the end of the state")

    return guard


def read_varint(payload: bytes, at: int, size: int = _LONG) -> tuple[int, int]:
    """A zig-zag varint of at most ``size`` bytes, and the position after it."""
    first = payload[at]
    if first < 0x80:  # noqa: PLR2004 - one byte, as nearly all are
        return (first >> 1) ^ -(first & 1), at + 1
    value = shift = 0
    for position in range(at, at + size):
        byte = payload[position]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 - the continuation bit
            if value >> (32 if size == _INT else 64):
                break
            return (value >> 1) ^ -(value & 1), position + 1
        shift += 7
    raise ValueMismatch(f"a number at byte {at} is longer than its type")


@dataclass(slots=True)
class _Compiler:
    schema: Schema
    limits: Limits
    records: dict[str, Walk] = field(default_factory=dict[str, Walk])

    def compile(self, kind: Type) -> Walk:
        match kind:
            case Primitive():
                return _PRIMITIVES[scalar_name(kind)]
            case Logical():
                return self.compile(kind.base)
            case Json():
                return _bytes
            case Reference():
                return self.named(kind.name)
            case Optional():
                return self._optional(kind)
            case Union():
                return _union([self.compile(branch.type) for branch in kind.branches])
            case Array(items=Primitive(kind="float" | "double" as number)):
                return _numbers(4 if number == "float" else 8, self.limits.depth)
            case Array():
                return self._blocks(kind.items, self.compile(kind.items))
            case Map():
                value = self.compile(kind.values)
                return self._blocks(
                    None, lambda payload, at, depth: value(payload, _bytes(payload, at, 0), depth)
                )

    def named(self, name: str) -> Walk:
        named = self.schema.types[name]
        match named:
            case Enum():
                return _enum(named.name, len(named.symbols))
            case Fixed():
                return _fixed(named.size)
            case Record():
                return self._record(named)

    def _optional(self, optional: Optional) -> Walk:
        if isinstance(optional.item, Union):
            branches = [self.compile(branch.type) for branch in optional.item.branches]
        else:
            branches = [self.compile(optional.item)]
        branches.insert(optional.null_at, _null)
        return _union(branches)

    def _record(self, record: Record) -> Walk:
        if record.name not in self.records:
            self.records[record.name] = partial(_later, self.records, record.name)
            walks = [self.compile(f.type) for f in record.fields]
            self.records[record.name] = _record(walks, self.limits.depth)
        return self.records[record.name]

    def _blocks(self, items: Type | None, walk: Walk) -> Walk:
        free = items is not None and is_empty(items, self.schema)
        return _blocks(walk, self.limits.zero_size_items if free else None, self.limits.depth)


def _later(records: Mapping[str, Walk], name: str, payload: bytes, at: int, depth: int) -> int:
    return records[name](payload, at, depth)


def _null(payload: bytes, at: int, depth: int) -> int:
    del payload, depth
    return at


def _boolean(payload: bytes, at: int, depth: int) -> int:
    del depth
    if payload[at] > 1:
        raise ValueMismatch(f"the byte {payload[at]:#04x} is no boolean")
    return at + 1


def _int(payload: bytes, at: int, depth: int) -> int:
    del depth
    return at + 1 if payload[at] < 0x80 else read_varint(payload, at, _INT)[1]  # noqa: PLR2004


def _long(payload: bytes, at: int, depth: int) -> int:
    del depth
    return at + 1 if payload[at] < 0x80 else read_varint(payload, at)[1]  # noqa: PLR2004


def _bytes(payload: bytes, at: int, depth: int) -> int:
    del depth
    size = payload[at]
    if size < 0x80 and not size & 1:  # noqa: PLR2004 - one byte, not negative
        end = at + 1 + (size >> 1)
    else:
        size, at = read_varint(payload, at)
        if size < 0:
            raise ValueMismatch(f"a length is negative: {size}")
        end = at + size
    if end > len(payload):
        raise IndexError
    return end


def _fixed(size: int) -> Walk:
    def walk(payload: bytes, at: int, depth: int) -> int:
        del depth
        if at + size > len(payload):
            raise IndexError
        return at + size

    return walk


_PRIMITIVES: dict[str, Walk] = {
    "null": _null,
    "boolean": _boolean,
    "int": _int,
    "long": _long,
    "float": _fixed(4),
    "double": _fixed(8),
    "bytes": _bytes,
    "string": _bytes,
}


def _enum(name: str, count: int) -> Walk:
    def walk(payload: bytes, at: int, depth: int) -> int:
        del depth
        index, at = read_varint(payload, at, _INT)
        if not 0 <= index < count:
            raise ValueMismatch(f"{index} is no symbol of {name}")
        return at

    return walk


def _union(branches: list[Walk]) -> Walk:
    def walk(payload: bytes, at: int, depth: int) -> int:
        index, at = read_varint(payload, at)
        if not 0 <= index < len(branches):
            raise ValueMismatch(f"{index} is no branch of a union of {len(branches)}")
        return branches[index](payload, at, depth)

    return walk


def _record(walks: list[Walk], limit: int) -> Walk:
    def walk(payload: bytes, at: int, depth: int) -> int:
        if depth >= limit:
            raise ValueMismatch(f"the state is nested more than {limit} deep")
        for step in walks:
            at = step(payload, at, depth + 1)
        return at

    return walk


def _blocks(walk: Walk, zero_size_items: int | None, limit: int) -> Walk:
    """The blocks of an array or map: a count, its size in bytes if negative, the items."""

    def walk_blocks(payload: bytes, at: int, depth: int) -> int:
        if depth >= limit:
            raise ValueMismatch(f"the state is nested more than {limit} deep")
        total = 0
        while True:
            count, size, at = _block_head(payload, at)
            if count == 0:
                return at
            total += count
            _check_count(total, count, len(payload) - at, zero_size_items)
            start = at
            for _ in range(count):
                at = walk(payload, at, depth + 1)
            _check_size(size, at - start)

    return walk_blocks


def _numbers(each: int, limit: int) -> Walk:
    """The blocks of an array whose items all take ``each`` bytes: none is looked at."""

    def walk_numbers(payload: bytes, at: int, depth: int) -> int:
        if depth >= limit:
            raise ValueMismatch(f"the state is nested more than {limit} deep")
        while True:
            count, size, at = _block_head(payload, at)
            if count == 0:
                return at
            _check_count(count, count, len(payload) - at, None)
            if at + count * each > len(payload):
                raise IndexError
            _check_size(size, count * each)
            at += count * each

    return walk_numbers


def _check_size(said: int | None, size: int) -> None:
    if said is not None and said != size:
        raise ValueMismatch(f"a block says {said} bytes and has {size}")


def _block_head(payload: bytes, at: int) -> tuple[int, int | None, int]:
    count, at = read_varint(payload, at)
    if count >= 0:
        return count, None, at
    size, at = read_varint(payload, at)
    return -count, size, at


def _check_count(total: int, count: int, left: int, zero_size_items: int | None) -> None:
    if zero_size_items is None and count > left:
        raise ValueMismatch(f"a block of {count} items has {left} bytes")
    if zero_size_items is not None and total > zero_size_items:
        raise ValueMismatch(f"more than {zero_size_items} items that take no bytes")
