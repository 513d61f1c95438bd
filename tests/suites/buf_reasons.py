"""Why instar's rules and buf's may differ on a step, each reason checked against the step.

buf asks whether a file may be published; instar whether bytes that were written are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from instar.codec.compatibility import Change, RawFormat
from instar.schemas.model import Enum, Schema

RESERVED = (
    "deleted without reserving: what was written still reads, and reuse is found when it comes"
)
SERVICE = "the signature of a service: nothing is stored"
ONEOF = "a lone field moved into a oneof reads the same"
MESSAGE = "another message in its place, of which all that both know reads the same"
ENUM_TYPE = "an enum is an int32 on the wire"
KEY = "by its key in JSON the field is found, whatever its number"
UNUSED = "an enum that no field uses"
UNKNOWN = "an older reader meets what it does not know, which buf does not judge"
NARROWED = "a value beyond the narrower integer is cut, which buf lets pass as one wire type"
MOVED = "the number of a symbol has another meaning, which buf's WIRE rules do not ask"
BOX = "in instar's JSON form the branch is marked otherwise"
CARDINALITY = "unset and null are told apart in instar's JSON form"

REQUIRED = "required fields are asked of whoever writes; the raw reader fills in nothing"
PACKAGE = "the package is no part of the bytes"
FORMAT = "how protoc's own JSON parser is meant to behave, not what instar writes"

RULES_ALONE = {
    "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED": RESERVED,
    "FIELD_NO_DELETE_UNLESS_NAME_RESERVED": RESERVED,
    "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED": RESERVED,
    "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED": RESERVED,
    "RESERVED_ENUM_NO_DELETE": RESERVED,
    "RESERVED_MESSAGE_NO_DELETE": RESERVED,
    "RPC_SAME_REQUEST_TYPE": SERVICE,
    "RPC_SAME_RESPONSE_TYPE": SERVICE,
    "FIELD_SAME_ONEOF": ONEOF,
    "FILE_SAME_PACKAGE": PACKAGE,
    "MESSAGE_SAME_JSON_FORMAT": FORMAT,
    "ENUM_SAME_JSON_FORMAT": FORMAT,
    "MESSAGE_SAME_REQUIRED_FIELDS": REQUIRED,
    "FIELD_SAME_NAME": KEY,
    "FIELD_SAME_JSON_NAME": KEY,
    "ENUM_VALUE_SAME_NAME": UNUSED,
}
"""The reasons for buf's rules where only their names are known."""

_FORWARD_KINDS = ("branch-added", "symbol-added", "became-optional")


def why_buf_refuses(found: Iterable[dict[str, Any]], schema: Schema) -> set[str]:
    """The reasons for buf's findings on a step that instar reads; "" for one without."""
    return {_reason(finding["rule"], finding["message"], schema) for finding in found}


def _reason(rule: str, message: str, schema: Schema) -> str:
    if "_NO_DELETE_UNLESS_" in rule:
        return RESERVED
    if rule.startswith("RPC_"):
        return SERVICE
    if rule == "FIELD_SAME_ONEOF":
        return ONEOF
    if rule in {"FIELD_SAME_NAME", "FIELD_SAME_JSON_NAME"}:
        return KEY
    if rule.startswith("ENUM_VALUE_"):
        return "" if _uses(schema, message) else UNUSED
    if rule.endswith("COMPATIBLE_TYPE"):
        return _type_reason(rule, message)
    return ""


def _uses(schema: Schema, message: str) -> bool:
    found = re.search(r'on enum "([\w.]+)"', message)
    names = {name.rpartition(".")[2] for name, t in schema.types.items() if isinstance(t, Enum)}
    return found is None or found[1].rpartition(".")[2] in names


def _type_reason(rule: str, message: str) -> str:
    found = re.search(r'from "([^"]+)" to "([^"]+)"', message)
    if found is None:
        return ""
    messages = "." in found[1] and "." in found[2]
    if "JSON" in rule:
        return MESSAGE if messages else KEY
    if {found[1], found[2]} == {"enum", "int32"}:
        return ENUM_TYPE
    return MESSAGE if messages else ""


def why_instar_refuses(changes: Iterable[Change], format_: RawFormat) -> set[str]:
    """The reasons for instar's breaks on a step that buf lets pass; "" for one without."""
    return {reason for change in changes for reason in _break_reasons(change, format_)}


def _break_reasons(change: Change, format_: RawFormat) -> Iterator[str]:
    for found in change.breaks:
        if found.format != format_:
            continue
        if change.kind in _FORWARD_KINDS and found.direction == "forward":
            yield UNKNOWN
        elif change.kind == "became-required":
            yield CARDINALITY
        elif change.kind == "symbol-renumbered":
            yield MOVED
        elif change.kind == "branch-changed":
            yield BOX
        elif (change.kind == "type-changed" and "cut" in found.why) or (
            change.kind == "type-changed" and "beyond" in found.why
        ):
            yield NARROWED
        else:
            yield ""
