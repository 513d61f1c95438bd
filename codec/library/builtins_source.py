"""Reads JSON form: what the json, yaml and msgpack libraries give for a payload.

Strict: every field must be there, and no other. Our encoder writes all of them, so a
missing one means that the text was cut or edited.
"""

from __future__ import annotations

import datetime as dt
import math
import uuid
from array import array
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from decimal import Decimal
from functools import partial
from operator import itemgetter
from typing import Any

import msgspec

from ...errors import ValueMismatch
from ...schemas.model import (
    Array,
    Enum,
    Field,
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
from ...schemas.naming import Names, json_key
from ...schemas.singles import field_default
from ...schemas.unions import group
from .. import exact
from ..checks import check_for
from ..containers import class_of, exact_dict, exact_list
from ..mismatch import mismatch
from ..vectors import Typecode, typecode, vector_of
from .source import Getter, Raw, Scalar

_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_CLASSES: Mapping[str, type] = {
    "uuid": uuid.UUID,
    "date": dt.date,
    "time": dt.time,
    "timestamp": dt.datetime,
    "local-timestamp": dt.datetime,
    "duration": dt.timedelta,
    "decimal": Decimal,
}
_GROUP_CLASSES: Mapping[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "int": (int,),
    "float": (float,),
    "text": (str, bytes, dt.datetime),
    "list": (list,),
    "dict": (dict,),
}


class BuiltinsSource:
    """The source whose raw values are dicts, lists and scalars in JSON form."""

    def __init__(self, schema: Schema, names: Names, *, fill: bool = False) -> None:
        """``fill`` lets a key be missing where its field has a default."""
        self._schema = schema
        self._names = names
        self._fill = fill

    def open_record(self, record: Record) -> Getter | None:
        keys = {json_key(field) for field in record.fields}
        tag = self._names.classes[record.name]
        defaults = {
            json_key(field): field_default(self._schema, self._names, field)
            for field in record.fields
            if field.default is not None and self._fill
        }

        def check(raw: Raw) -> Raw:
            found = exact_dict(raw, "an object")
            if found.keys() == keys:
                return found
            filled: dict[Any, Any] = deepcopy(defaults) | found
            if filled.keys() != keys:
                _explain_keys(filled, keys, tag)
            return filled

        return check

    def residue(self, record: Record) -> None:
        del record

    def field(self, record: Record, field: Field) -> Getter:
        del record
        return itemgetter(json_key(field))

    def item(self, inner: Type) -> Getter | None:
        del inner
        return None

    def scalar(self, scalar: Scalar) -> Getter | None:
        check = check_for(scalar, self._schema)
        match scalar:
            case Primitive(kind="float" | "double"):
                return lambda raw: check(_number(raw))
            case Primitive(kind="bytes") | Reference():
                return lambda raw: check(_convert(bytes, raw))
            case Logical(unit="nanos"):
                return check
            case Logical(kind="calendar-duration"):
                return lambda raw: check(_duration(raw))
            case Logical():
                cls = _CLASSES[scalar.kind]
                return lambda raw: check(_convert(cls, raw))
            case Primitive() | Json():
                return check

    def symbols(self, enum: Enum) -> Mapping[Any, str]:
        return {
            name: symbol.name for symbol in enum.symbols for name in (symbol.name, *symbol.aliases)
        }

    def optional(self, optional: Optional) -> Getter | None:
        del optional
        return None

    def union(self, union: Union) -> Callable[[Raw], tuple[int, Raw]]:
        tags: dict[Any, tuple[int, bool]] = {}
        kinds: dict[type, int] = {}
        boxes = self._names.box(union)
        for index, (branch, box) in enumerate(zip(union.branches, boxes, strict=True)):
            shape = group(branch.type, self._schema.types)
            if box is not None:
                tags[box] = (index, True)
            elif shape == "record" and isinstance(branch.type, Reference):
                tags[self._names.classes[branch.type.name]] = (index, False)
            else:
                kinds |= dict.fromkeys(_GROUP_CLASSES[shape], index)
        if float in kinds:
            kinds.setdefault(int, kinds[float])
            # NaN and the infinities are text in JSON; the float's reader takes no other text.
            kinds.setdefault(str, kinds[float])
        return partial(_split, tags, kinds)

    def array(self, array: Array) -> Callable[[Raw], Iterable[Raw]] | None:
        del array
        return partial(exact_list, words="an array")

    def vector(self, vector: Array) -> Callable[[Raw], Any]:
        check = check_for(Primitive(vector.vector_kind or "double"), self._schema)
        return partial(_vector, typecode(vector), lambda raw: check(_number(raw)))

    def map(self, map_: Map) -> Callable[[Raw], Iterable[tuple[Any, Raw]]]:
        read_key = _key_reader(map_.keys)
        check = check_for(map_.keys, self._schema)

        def entries(raw: Raw) -> Iterable[tuple[Any, Raw]]:
            found = exact_dict(raw, "an object")
            return ((check(read_key(key)), value) for key, value in found.items())

        return entries


def _number(raw: Raw) -> Raw:
    return _SPECIAL.get(raw, raw) if type(raw) is str else raw


def _vector(code: Typecode, read: Getter, raw: Raw) -> array[float]:
    items = exact_list(raw, "an array")
    found = vector_of(code, items)
    if found is not None:
        return found
    numbers: list[float] = []
    try:
        for item in items:
            numbers.append(read(item))  # noqa: PERF401 - the error's path needs the count
    except ValueMismatch as error:
        raise error.under(f"[{len(numbers)}]") from None
    return array(code, numbers)


def _explain_keys(raw: dict[str, Any], keys: set[str], tag: str) -> None:
    """Raise for what is missing or unknown; a ``$type`` that names the record is fine."""
    missing, unknown = keys - raw.keys(), raw.keys() - keys
    if missing:
        raise ValueMismatch(f"the key {min(missing)!r} is missing")
    if unknown == {"$type"} and raw["$type"] == tag:
        return
    raise ValueMismatch(f"the key {min(map(str, unknown))!r} is unknown")


def _convert(cls: type[Any], raw: Raw) -> Any:
    """What msgspec makes of a scalar in JSON form: base64, RFC 3339, a UUID and so on."""
    if type(raw) not in (str, bytes, dt.datetime):
        raise mismatch(f"text of a {cls.__name__}", raw)
    try:
        return msgspec.convert(raw, cls)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise ValueMismatch(str(error).lower()) from None


def _duration(raw: Raw) -> exact.Duration:
    try:
        return msgspec.convert(exact_dict(raw, "an object"), exact.Duration)
    except msgspec.ValidationError as error:
        raise ValueMismatch(str(error).lower()) from None


def _split(
    tags: Mapping[Any, tuple[int, bool]], kinds: Mapping[type, int], raw: Raw
) -> tuple[int, Raw]:
    kind = class_of(raw)
    if kind is dict and tags:
        return _split_tagged(tags, exact_dict(raw))
    index = kinds.get(kind, -1)
    if index < 0:
        raise ValueMismatch(f"{kind.__name__} is no branch of the union")
    return index, raw


def _split_tagged(tags: Mapping[Any, tuple[int, bool]], raw: dict[Any, Any]) -> tuple[int, Raw]:
    tag = raw.get("$type")
    found = tags.get(tag) if isinstance(tag, str) else None
    if found is None:
        raise ValueMismatch(f"$type {tag!r} names no branch of the union")
    index, boxed = found
    return index, _boxed(raw) if boxed else raw


def _boxed(raw: dict[Any, Any]) -> Raw:
    if raw.keys() != {"$type", "value"}:
        raise ValueMismatch("a box holds exactly $type and value")
    value: Any = raw["value"]
    return value


def _key_reader(keys: Primitive) -> Callable[[Any], Any]:
    """Integer and boolean keys are text in JSON, and themselves in MessagePack."""
    match keys.kind:
        case "string":
            return lambda key: key
        case "boolean":
            return lambda key: {"true": True, "false": False}.get(key, key)
        case _:
            return _integer_key


def _integer_key(key: Any) -> Any:
    is_text = isinstance(key, str) and key.removeprefix("-").isdecimal()
    return int(key) if is_text else key
