"""A schema as one JSON text that any process can read back, docs included."""

from __future__ import annotations

import json

from ..errors import SchemaError
from .expect import (
    excerpt,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    nests_deeper,
    unique,
)
from .model import (
    Enum,
    Fixed,
    JsonValue,
    Language,
    Logical,
    Map,
    NamedType,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from .plain import named_from_plain, to_plain
from .references import nested

MAX_CHARACTERS = 16 * 1024 * 1024
"""The longest text that is read."""
_MAX_DEPTH = 400
_KEYS = frozenset({"subject", "version", "language", "root", "types"})


def schema_to_text(schema: Schema) -> str:
    """All of ``schema`` as one line of ASCII JSON."""
    plain: dict[str, JsonValue] = {
        "subject": schema.subject,
        "version": schema.version,
        "language": schema.language,
        "root": schema.root,
        "types": [to_plain(named) for named in schema.types.values()],
    }
    if schema.attributes:
        plain["attributes"] = {place: dict(kept) for place, kept in schema.attributes.items()}
    return json.dumps(plain, separators=(",", ":"))


def schema_from_text(text: str) -> Schema:
    """The schema that :func:`schema_to_text` wrote.

    Raises SchemaError for any other text.
    """
    if len(text) > MAX_CHARACTERS:
        raise SchemaError(f"the schema text is longer than {MAX_CHARACTERS} characters")
    try:
        return _schema(_document(text))
    except RecursionError:
        raise SchemaError("the schema text nests too deep") from None
    except SchemaError as error:
        raise SchemaError(f"the schema text is malformed: {error}") from None


def _document(text: str) -> JsonValue:
    try:
        document: JsonValue = json.loads(
            text, parse_constant=_no_constant, object_pairs_hook=unique
        )
    except ValueError as error:
        raise SchemaError(f"not JSON: {error}") from None
    if nests_deeper(document, _MAX_DEPTH):
        raise SchemaError(f"nested deeper than {_MAX_DEPTH} levels")
    return document


def _no_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON")


def _schema(document: JsonValue) -> Schema:
    plain = expect_object(document)
    if frozenset(plain) - {"attributes"} != _KEYS:
        raise SchemaError(f"expected the keys {', '.join(sorted(_KEYS))}")
    types = [named_from_plain(node) for node in expect_list(plain["types"])]
    schema = Schema(
        expect_text(plain["subject"]),
        expect_integer(plain["version"]),
        _language(plain["language"]),
        expect_text(plain["root"]),
        {named.name: named for named in types},
        {
            place: expect_object(kept)
            for place, kept in expect_object(plain.get("attributes", {})).items()
        },
    )
    if len(schema.types) != len(types):
        raise SchemaError("two types share a name")
    if not isinstance(schema.types.get(schema.root), Record):
        raise SchemaError(f"the root {schema.root!r} is not a record")
    for named in types:
        _check_named(named, schema)
    return schema


def _language(node: JsonValue) -> Language:
    if node == "avro":
        return "avro"
    if node == "protobuf":
        return "protobuf"
    raise SchemaError(f"the language is neither avro nor protobuf: {excerpt(node)}")


def _check_named(named: NamedType, schema: Schema) -> None:
    match named:
        case Record():
            _check_unique(named.name, [field.name for field in named.fields])
            for field in named.fields:
                for type_ in nested(field.type):
                    _check_type(type_, schema)
        case Enum():
            symbols = [symbol.name for symbol in named.symbols]
            _check_unique(named.name, symbols)
            if not symbols or named.default not in {None, *symbols}:
                raise SchemaError(f"{named.name} has no symbols or a default that is none")
        case Fixed():
            if named.size < 0:
                raise SchemaError(f"{named.name} has a negative size")


def _check_unique(name: str, parts: list[str]) -> None:
    if len(set(parts)) != len(parts):
        raise SchemaError(f"{name} names something twice")


def _check_type(type_: Type, schema: Schema) -> None:
    match type_:
        case Reference():
            if type_.name not in schema.types:
                raise SchemaError(f"no type is named {type_.name!r}")
        case Logical():
            _check_logical(type_, schema)
        case Map():
            # The type is what the model promises; a text may say anything.
            if not isinstance(type_.keys, Primitive):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise SchemaError("the keys of a map are not a primitive")
        case Union():
            _check_unique("a union", [branch.label for branch in type_.branches])
        case _:
            pass


def _check_logical(logical: Logical, schema: Schema) -> None:
    match logical.base:
        case Primitive():
            pass
        case Reference():
            if not isinstance(schema.types.get(logical.base.name), Fixed):
                raise SchemaError(f"a {logical.kind} stands on what is not fixed")
