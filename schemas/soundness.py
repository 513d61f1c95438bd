"""Whether a schema that comes from elsewhere is one that our own readers could have made.

A schema file goes through a reader that checks every word of it. The text form of a schema does
not: it is trusted to be what this program wrote. One that is fetched may say anything, so each
of its parts is checked here before names, sizes and numbers reach what would break on them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from ..errors import SchemaError
from .model import (
    Array,
    Branch,
    Default,
    Enum,
    Fixed,
    Json,
    Kind,
    Logical,
    LogicalKind,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
    Unit,
)
from .protobuf.well_known import WRAPPERS, well_known
from .references import nested, reachable

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FULL_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
_NUMBERS: Final = range(1, 2**29)
_INT32: Final = range(-(2**31), 2**31)
_SIZES: Final = range(2**31)
_MOST_DIGITS: Final = 100_000
_MOST_TYPES: Final = 2000
_WELL_KNOWN: Final = frozenset(well_known("micros"))
_KEYS: Final = frozenset({"string", "int", "long", "boolean"})
_NO_UNIT: Final[frozenset[Unit | None]] = frozenset({None})
_COARSE: Final[frozenset[Unit | None]] = frozenset({"millis", "micros"})
_FINE: Final[frozenset[Unit | None]] = frozenset({"micros", "nanos"})
_UNITS: Final[Mapping[LogicalKind, frozenset[Unit | None]]] = {
    "uuid": _NO_UNIT,
    "date": _NO_UNIT,
    "time": _COARSE,
    "timestamp": _COARSE | _FINE,
    "local-timestamp": _COARSE | _FINE,
    "duration": _FINE,
    "calendar-duration": _NO_UNIT,
    "decimal": _NO_UNIT,
}
_BASES: Final[Mapping[LogicalKind, frozenset[Kind]]] = {
    "uuid": frozenset({"string"}),
    "date": frozenset({"int"}),
    "time": frozenset({"int", "long"}),
    "timestamp": frozenset({"long"}),
    "local-timestamp": frozenset({"long"}),
    "duration": frozenset({"long"}),
    "calendar-duration": frozenset(),
    "decimal": frozenset({"bytes"}),
}
_FIXED: Final[Mapping[LogicalKind, range]] = {
    "uuid": range(16, 17),
    "calendar-duration": range(12, 13),
    "decimal": _SIZES,
}
_WIDTHS: Final[Mapping[str, str]] = {"32": "int", "64": "long"}

_Rule: TypeAlias = Callable[[Schema], Iterator[str]]


def check_sound(schema: Schema) -> None:
    """Raise SchemaError for the first part of ``schema`` that no reader of ours would give."""
    for rule in _RULES:
        for problem in rule(schema):
            raise SchemaError(problem, where=f"{schema.subject} v{schema.version}")


def _records(schema: Schema) -> Iterator[Record]:
    return (named for named in schema.types.values() if isinstance(named, Record))


def _types(schema: Schema) -> Iterator[Type]:
    for record in _records(schema):
        for field in record.fields:
            yield from nested(field.type)


def _check_version(schema: Schema) -> Iterator[str]:
    if schema.version not in range(1, 2**31):
        yield f"{schema.version} is no version"
    if not _is_text(schema.subject) or not schema.subject:
        yield "the subject is no name"
    if len(schema.types) > _MOST_TYPES:
        yield f"it has more than {_MOST_TYPES} types"


def _check_names(schema: Schema) -> Iterator[str]:
    for named in schema.types.values():
        if not _FULL_NAME.fullmatch(named.name):
            yield f"{named.name!r} is no name of a type"
        for part in _parts(named):
            if not _NAME.fullmatch(part):
                yield f"{part!r} is no name within {named.name}"
        for alias in named.aliases:
            if not _is_text(alias):
                yield f"an alias of {named.name} is no text"


def _parts(named: NamedType) -> Iterator[str]:
    match named:
        case Record():
            yield from (field.name for field in named.fields)
        case Enum():
            for symbol in named.symbols:
                yield from (symbol.name, *symbol.aliases)
        case Fixed():
            pass


def _check_texts(schema: Schema) -> Iterator[str]:
    for record in _records(schema):
        for field in record.fields:
            texts = (field.json_name, field.protojson, *field.aliases)
            if not all(text is None or _is_text(text) for text in texts):
                yield f"{record.name}.{field.name} has a name that is no text"
            if field.default is not None and not _is_json(field.default):
                yield f"{record.name}.{field.name} has a default that is no JSON"


def _check_keys(schema: Schema) -> Iterator[str]:
    for record in _records(schema):
        keys = [field.key for field in record.fields]
        if len(set(keys)) != len(keys):
            yield f"{record.name} has two fields of one JSON key"


def _check_uses(schema: Schema) -> Iterator[str]:
    for name in schema.types.keys() - reachable(schema).keys():
        yield f"{name} is of no use to the root"
    for record in _records(schema):
        for field in record.fields:
            direct = _bare(field.type)
            for type_ in nested(field.type):
                if isinstance(type_, Union) and type_.oneof and type_ is not direct:
                    yield f"{record.name}.{field.name} has a oneof that is no field"


def _bare(type_: Type) -> Type:
    return type_.item if isinstance(type_, Optional) else type_


def _check_numbers(schema: Schema) -> Iterator[str]:
    for record in _records(schema):
        numbers = [*_numbers_of(record)]
        if schema.language == "protobuf" and None in numbers:
            yield f"{record.name} has a field without a number"
        yield from _number_problems(record.name, numbers)
        for field in record.fields:
            for type_ in nested(field.type):
                if isinstance(type_, Union) and not type_.oneof:
                    yield from _number_problems(record.name, [b.number for b in type_.branches])


def _numbers_of(record: Record) -> Iterator[int | None]:
    """What shares the numbers of a message: its fields, and the cases of its oneofs."""
    for field in record.fields:
        type_ = _bare(field.type)
        if isinstance(type_, Union) and type_.oneof:
            yield from (branch.number for branch in type_.branches)
        else:
            yield field.number


def _number_problems(name: str, numbers: list[int | None]) -> Iterator[str]:
    given = [number for number in numbers if number is not None]
    if len(set(given)) != len(given):
        yield f"{name} gives a number twice"
    for number in given:
        if number not in _NUMBERS or number in range(19000, 20000):
            yield f"{name} has the number {number}, which Protobuf does not allow"


def _check_enums(schema: Schema) -> Iterator[str]:
    for named in schema.types.values():
        match named:
            case Enum():
                yield from _symbol_problems(named.name, named.symbols)
            case Fixed() if named.size not in _SIZES:
                yield f"{named.name} has {named.size} bytes"
            case _:
                pass


def _symbol_problems(name: str, symbols: tuple[Symbol, ...]) -> Iterator[str]:
    names = [text for symbol in symbols for text in (symbol.name, *symbol.aliases)]
    numbers = [symbol.number for symbol in symbols]
    if len(set(names)) != len(names) or len(set(numbers)) != len(numbers):
        yield f"{name} has a symbol or a number twice"
    if not all(number in _INT32 for number in numbers):
        yield f"{name} has a number of more than 32 bits"


def _check_types(schema: Schema) -> Iterator[str]:
    for type_ in _types(schema):
        match type_:
            case Primitive():
                yield from _primitive_problems(type_)
            case Logical():
                yield from _logical_problems(type_, schema)
            case Json():
                if type_.well_known and type_.well_known not in _WELL_KNOWN:
                    yield f"{type_.well_known!r} is no message of JSON values"
            case Optional():
                yield from _optional_problems(type_)
            case Union():
                for branch in type_.branches:
                    yield from _branch_problems(branch)
            case Map():
                if type_.keys.kind not in _KEYS:
                    yield f"{type_.keys.kind} is no key of a map"
            case Array() | Reference():
                pass


def _primitive_problems(type_: Primitive) -> Iterator[str]:
    if type_.wire is not None and _WIDTHS[type_.wire[-2:]] != type_.kind:
        yield f"{type_.kind} is not written as {type_.wire}"
    if type_.well_known is not None and type_.well_known not in WRAPPERS:
        yield f"{type_.well_known!r} is no wrapper"


def _logical_problems(type_: Logical, schema: Schema) -> Iterator[str]:
    if type_.unit not in _UNITS[type_.kind]:
        yield f"a {type_.kind} is not in {type_.unit}"
    base = type_.base
    if isinstance(base, Reference):
        named = schema.types[base.name]
        if not isinstance(named, Fixed) or named.size not in _FIXED.get(type_.kind, ()):
            yield f"a {type_.kind} does not stand on {base.name}"
    # The type is what the model promises; a text may say anything.
    elif not isinstance(base, Primitive) or base.kind not in _BASES[type_.kind]:  # pyright: ignore[reportUnnecessaryIsInstance]
        yield f"a {type_.kind} does not stand on that"
    if type_.well_known is not None and type_.well_known != f"google.protobuf.{type_.kind.title()}":
        yield f"a {type_.kind} is not written as {type_.well_known!r}"
    yield from _decimal_problems(type_)


def _decimal_problems(type_: Logical) -> Iterator[str]:
    digits = type_.precision
    if type_.kind != "decimal":
        if digits is not None or type_.scale:
            yield f"a {type_.kind} has no digits"
    elif digits is None or not 1 <= digits <= _MOST_DIGITS or not 0 <= type_.scale <= digits:
        yield f"a decimal has {digits} digits, and {type_.scale} of them behind the point"


def _optional_problems(type_: Optional) -> Iterator[str]:
    if isinstance(type_.item, Optional) or type_.item == Primitive("null"):
        yield "null stands twice in one type"
    others = len(type_.item.branches) if isinstance(type_.item, Union) else 1
    if type_.null_at not in range(others + 1):
        yield f"null is at {type_.null_at} of {others + 1}"
    if type_.well_known is not None and type_.well_known not in WRAPPERS:
        yield f"{type_.well_known!r} is no wrapper"
    if type_.unset is not None and not _is_json(type_.unset):
        yield "what is not set is no JSON"


def _branch_problems(branch: Branch) -> Iterator[str]:
    if not _is_text(branch.label) or not branch.label:
        yield "a branch has no label"
    if branch.unset is not None and not _is_json(branch.unset):
        yield "what is not set is no JSON"
    if isinstance(branch.type, Union):
        yield "a union stands in a union"


def _is_text(text: str) -> bool:
    """Whether UTF-8 can hold it: it has no half of a surrogate pair."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _is_json(default: Default) -> bool:
    try:
        return bool(json.dumps(default.value, ensure_ascii=False, allow_nan=False).encode())
    except ValueError:
        return False


_RULES: tuple[_Rule, ...] = (
    _check_version,
    _check_names,
    _check_uses,
    _check_texts,
    _check_keys,
    _check_numbers,
    _check_enums,
    _check_types,
)
