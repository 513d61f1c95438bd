"""Walks an Avro payload by its schema before fastavro is let near it.

fastavro trusts its input: it recurses without a limit, takes negative branch indexes from
the end of the list, and lets five bytes ask for millions of zero-size items. The walk
refuses all of that, and whatever else the specification (1.12, "Binary Encoding") does not
allow, without building a value. Counts are bounded by the bytes left, and items that take no
bytes by a number for the whole payload. Errors take on their path on the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import local
from typing import NoReturn, TypeAlias

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
from ...schemas.references import field_types
from ..limits import Limits
from .avro_wire import scalar_name
from .empty import is_empty

Walk: TypeAlias = Callable[[bytes, int, int], int]
"""Takes the payload, a position and the depth; returns the position after the value."""

_INT, _LONG = 5, 10


def compile_guard(
    schema: Schema, limits: Limits, *, texts: bool = False
) -> Callable[[bytes], None]:
    """A function that raises ``ValueMismatch`` unless a payload follows ``schema`` exactly.

    ``texts`` also looks whether strings are UTF-8, which fastavro does too, without a path.
    """
    compiler = _Compiler(schema, limits, texts)
    walk = compiler.named(schema.root)

    def guard(payload: bytes) -> None:
        compiler.spare.items = limits.zero_size_items
        end = walk(payload, 0, 0)
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


def has_free_items(schema: Schema) -> bool:
    """Whether some list of the schema has items that take no bytes."""
    lists = (kind for kind in field_types(schema) if isinstance(kind, Array))
    return any(is_empty(array.items, schema) for array in lists)


def _fail(error: IndexError | ValueMismatch, segment: str) -> NoReturn:
    """Raise what went wrong inside a part of the state, with ``segment`` before its path."""
    if isinstance(error, IndexError):
        error = ValueMismatch("the payload ends in the middle of a value")
    raise error.under(segment) from None


class _Spare(local):
    """How many items without bytes a payload may still have, in each thread."""

    items: int = 0


@dataclass(slots=True)
class _Compiler:
    schema: Schema
    limits: Limits
    texts: bool
    spare: _Spare = field(default_factory=_Spare)
    records: dict[str, Walk] = field(default_factory=dict[str, Walk])

    def compile(self, kind: Type) -> Walk:
        match kind:
            case Primitive(kind="string") if self.texts:
                return _text
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
                numbers = _numbers(4 if number == "float" else 8)
                return _blocks(numbers, _check_count, self.limits.depth)
            case Array():
                return self._array(kind)
            case Map():
                key = _text if self.texts else _bytes
                entry = _entry(kind, key, self.compile(kind.values))
                return _blocks(entry, _check_count, self.limits.depth)

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
            steps = [(f.name, self.compile(f.type)) for f in record.fields]
            self.records[record.name] = _record(steps, self.limits.depth)
        return self.records[record.name]

    def _array(self, array: Array) -> Walk:
        free = is_empty(array.items, self.schema)
        check = partial(_take_spare, self.spare, self.limits.zero_size_items)
        item = _numbered(self.compile(array.items))
        return _blocks(item, check if free else _check_count, self.limits.depth)


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


def _text(payload: bytes, at: int, depth: int) -> int:
    end = _bytes(payload, at, depth)
    start = read_varint(payload, at)[1]
    try:
        payload[start:end].decode()
    except UnicodeDecodeError:
        raise ValueMismatch("a string is no UTF-8 text") from None
    return end


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


def _record(steps: list[tuple[str, Walk]], limit: int) -> Walk:
    def walk(payload: bytes, at: int, depth: int) -> int:
        if depth >= limit:
            raise ValueMismatch(f"the state is nested more than {limit} deep")
        name = ""
        try:
            for name, step in steps:  # noqa: B007 - for the error's path
                at = step(payload, at, depth + 1)
        except (IndexError, ValueMismatch) as error:
            _fail(error, name)
        return at

    return walk


Items: TypeAlias = Callable[[bytes, int, int, range], int]
"""Walks the items of a block: takes also their numbers in the whole list."""


def _numbered(walk: Walk) -> Items:
    """The items of an array."""

    def walk_items(payload: bytes, at: int, depth: int, numbers: range) -> int:
        number = 0
        try:
            for number in numbers:  # noqa: B007 - for the error's path
                at = walk(payload, at, depth)
        except (IndexError, ValueMismatch) as error:
            _fail(error, f"[{number}]")
        return at

    return walk_items


def _numbers(each: int) -> Items:
    """Items that all take ``each`` bytes: none is looked at."""

    def walk_items(payload: bytes, at: int, depth: int, numbers: range) -> int:
        del depth
        end = at + len(numbers) * each
        if end > len(payload):
            _fail(IndexError(), f"[{numbers.start + (len(payload) - at) // each}]")
        return end

    return walk_items


def _entry(kind: Map, key: Walk, value: Walk) -> Items:
    """The entries of a map. A key that is wrong has no name, so the path ends at the map."""
    show = repr if kind.keys.kind == "string" else str

    def walk_entries(payload: bytes, at: int, depth: int, numbers: range) -> int:
        for _ in numbers:
            start, at = at, key(payload, at, depth)
            try:
                at = value(payload, at, depth)
            except (IndexError, ValueMismatch) as error:
                _fail(error, f"[{show(_key(payload, start))}]")
        return at

    return walk_entries


def _key(payload: bytes, at: int) -> str:
    size, start = read_varint(payload, at)
    return payload[start : start + size].decode(errors="replace")


def _blocks(walk: Items, check: Callable[[int, int], None], limit: int) -> Walk:
    """The blocks of an array or map: a count, its size in bytes if negative, the items."""

    def walk_blocks(payload: bytes, at: int, depth: int) -> int:
        if depth >= limit:
            raise ValueMismatch(f"the state is nested more than {limit} deep")
        total = 0
        while True:
            count, size, at = _block_head(payload, at)
            if count == 0:
                return at
            check(count, len(payload) - at)
            start, total = at, total + count
            at = walk(payload, at, depth + 1, range(total - count, total))
            if size is not None and at - start != size:
                raise ValueMismatch(f"a block says {size} bytes and has {at - start}")

    return walk_blocks


def _block_head(payload: bytes, at: int) -> tuple[int, int | None, int]:
    count, at = read_varint(payload, at)
    if count >= 0:
        return count, None, at
    size, at = read_varint(payload, at)
    return -count, size, at


def _check_count(count: int, left: int) -> None:
    """Each item takes a byte at least."""
    if count > left:
        raise ValueMismatch(f"a block of {count} items has {left} bytes")


def _take_spare(spare: _Spare, most: int, count: int, left: int) -> None:
    """Items that take no bytes are counted over all lists of a payload."""
    del left
    if count > spare.items:
        raise ValueMismatch(f"more than {most} items that take no bytes")
    spare.items -= count
