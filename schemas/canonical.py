"""The canonical text of a schema: all that changes meaning, in one defined form.

What it covers: the root, and each named type that the root uses, sorted by name, with
names, aliases (sorted), types, defaults, logical types, symbols with their numbers and
the enum's default, field and branch numbers, JSON keys, absence, wire encodings, the
place of null and the vector mark. What it leaves out: docs, deprecation, keys of ProtoJSON,
which no blob holds, the subject, the version and the language.

The form is JSON with sorted keys, no blanks and only ASCII. Every fingerprint hangs on
it, so it never changes.
"""

from __future__ import annotations

import json

from .model import Enum, Fixed, JsonValue, NamedType, Record, Schema
from .plain import to_plain
from .references import reachable

_SILENT = frozenset({"doc", "deprecated", "protojson"})


def canonical_text(schema: Schema) -> str:
    """The canonical text of ``schema``: equal exactly where two schemas mean the same."""
    types = reachable(schema)
    meaning: dict[str, JsonValue] = {
        "root": schema.root,
        "types": [_meaning(types[name]) for name in sorted(types)],
    }
    if schema.language == "protobuf":
        # The same integer takes other bytes in Protobuf: zigzag where Avro defined it.
        meaning["language"] = schema.language
    return json.dumps(meaning, sort_keys=True, separators=(",", ":"))


def _meaning(named: NamedType) -> JsonValue:
    plain = _spoken(named)
    match named:
        case Record():
            plain["fields"] = [
                {**_spoken(field), "type": _without_keys(to_plain(field.type))}
                for field in named.fields
            ]
        case Enum():
            plain["symbols"] = [_spoken(symbol) for symbol in named.symbols]
        case Fixed():
            pass
    return plain


def _without_keys(type_: JsonValue) -> JsonValue:
    """A type without the keys of ProtoJSON that the branches of its unions have."""
    match type_:
        case dict():
            return {k: _without_keys(part) for k, part in type_.items() if k != "protojson"}
        case list():
            return [_without_keys(part) for part in type_]
        case _:
            return type_


def _spoken(item: object) -> dict[str, JsonValue]:
    """``item`` without what changes no meaning, and with its aliases sorted."""
    plain = to_plain(item)
    if not isinstance(plain, dict):
        raise TypeError(f"{item!r} has no keys")
    spoken = {key: value for key, value in plain.items() if key not in _SILENT}
    aliases = spoken.get("aliases")
    if isinstance(aliases, list):
        spoken["aliases"] = [*sorted(str(alias) for alias in aliases)]
    return spoken
