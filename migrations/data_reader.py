"""Reads the JSON form of migrations, which may come from a store: strictly, within limits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, NoReturn, cast, get_args

import msgspec

from ..errors import LimitExceeded, MigrationError
from ..schemas.expect import excerpt, nests_deeper, unique
from ..schemas.model import Default, JsonValue
from .migration import Migration
from .ops import Convert, DataOp, Op
from .rules import Rule

REVISION = 1
"""The revision of the form that this release writes, and the newest that it reads."""

_MOST_CHARACTERS = 1_000_000
_MOST_DEPTH = 100
_MOST_OPS = 1000
_MISFIT = re.compile(r"(.*?)(?: - at `\$(.*)`)?", re.DOTALL)

Kinds = Mapping[str, type[msgspec.Struct]]


def _by_tag(union: object) -> Kinds:
    return {str(kind.__struct_config__.tag): kind for kind in get_args(union)}


_OPS, _RULES = _by_tag(DataOp), _by_tag(Rule)
_ROOT = frozenset({"revision", "subject", "source", "target", "ops"})


def read(text: str) -> Migration:
    """The migration of a JSON text; see :func:`.data.from_data`."""
    root = _object(_parsed(text), "")
    _check_revision(root.get("revision"))
    _check_keys(root, _ROOT, _ROOT, "")
    subject = root["subject"]
    if not isinstance(subject, str):
        _refuse(f"expected text, found {excerpt(subject)}", "subject")
    ops = _ops(root["ops"], "ops")
    if _count(ops) > _MOST_OPS:
        raise LimitExceeded(f"a migration has more than {_MOST_OPS} ops", where="ops")
    for key in ("source", "target"):
        version = root[key]
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            _refuse(f"{excerpt(version)} is no version", key, "versions are 1, 2, 3, ...")
    return Migration(subject, cast("int", root["source"]), cast("int", root["target"]), *ops)


def _parsed(text: str) -> JsonValue:
    if len(text) > _MOST_CHARACTERS:
        raise LimitExceeded(f"a migration has more than {_MOST_CHARACTERS} characters")
    try:
        node: JsonValue = json.loads(text, object_pairs_hook=unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        _refuse(f"it is no JSON: {error.msg}", f"{error.lineno}:{error.colno}")
    except ValueError as error:
        _refuse(f"it is no JSON: {error}", "")
    except RecursionError:
        raise _too_deep() from None
    if nests_deeper(node, _MOST_DEPTH):
        raise _too_deep()
    _check_unicode(node)
    return node


def _check_unicode(node: JsonValue) -> None:
    try:
        json.dumps(node, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        _refuse(f"it is no JSON: {error.reason}", "")


def _too_deep() -> LimitExceeded:
    return LimitExceeded(f"a migration nests deeper than {_MOST_DEPTH}")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _check_revision(revision: JsonValue) -> None:
    if type(revision) is not int or revision < 1:
        _refuse(f"{excerpt(revision)} is no revision", "revision", f'write "revision": {REVISION}')
    if revision > REVISION:
        _refuse(
            f"revision {revision} is newer than {REVISION}, the newest this release reads",
            "revision",
            "upgrade instar",
        )


def _object(node: JsonValue, place: str) -> dict[str, JsonValue]:
    if not isinstance(node, dict):
        _refuse(f"expected an object, found {excerpt(node)}", place)
    return node


def _check_keys(
    node: Mapping[str, JsonValue], known: frozenset[str], needed: frozenset[str], place: str
) -> None:
    for key in sorted(node.keys() - known):
        listed = ", ".join(sorted(known))
        _refuse(f"{excerpt(key)} is unknown here", place, f"there are {listed}")
    for key in sorted(needed - node.keys()):
        _refuse(f"{key!r} is missing", place)


def _ops(node: JsonValue, place: str) -> tuple[Op, ...]:
    if not isinstance(node, list):
        _refuse(f"expected a list, found {excerpt(node)}", place)
    return tuple(_op(item, f"{place}[{index}]") for index, item in enumerate(node))


def _op(node: JsonValue, place: str) -> Op:
    op = cast("Op", _struct(node, place, "op", _OPS))
    if isinstance(op, Convert):
        counts = (len(op.reads), len(op.writes))
        reads, writes = counts if op.forward else counts[::-1]
        _placed(partial(op.rule.check_fields, reads, writes), place)
    return op


def _struct(node: JsonValue, place: str, tag: str, kinds: Kinds) -> msgspec.Struct:
    """An op or a rule: its class is told by its tag."""
    members = _object(node, place)
    name = members.get(tag)
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        listed = ", ".join(sorted(kinds))
        _refuse(
            f"{excerpt(name)} is no {tag} of data",
            f"{place}.{tag}",
            f"there are {listed}; a newer instar may know more",
        )
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    needed = frozenset(name for name, field in fields.items() if field.required)
    _check_keys(members, frozenset({tag, *fields}), needed, place)
    values = {
        name: _value(name, members[name], fields[name].type, f"{place}.{name}")
        for name in fields
        if name in members
    }
    return cast("msgspec.Struct", _placed(partial(kind, **values), place))


def _value(name: str, node: JsonValue, type_: object, place: str) -> object:
    match name:
        case "ops":
            return _ops(node, place)
        case "rule":
            return _struct(node, place, "rule", _RULES)
        case "default":
            return Default(node)
        case _:
            return _plain_value(node, type_, place)


def _plain_value(node: JsonValue, type_: Any, place: str) -> object:
    try:
        return msgspec.convert(node, type_)
    except msgspec.ValidationError as error:
        found = _MISFIT.fullmatch(str(error))
        words, inner = found.groups("") if found else (str(error), "")
        _refuse(words[:1].lower() + words[1:], place + inner)


def _placed(call: partial[Any], place: str) -> Any:
    """Calls what raises MigrationError for a rule that contradicts itself, and adds where."""
    try:
        return call()
    except MigrationError as error:
        _refuse(error.what, place, error.mend)


def _count(ops: tuple[Op, ...]) -> int:
    return sum(1 + _count(getattr(op, "ops", ())) for op in ops)


def _refuse(what: str, place: str, mend: str = "") -> NoReturn:
    raise MigrationError(what, where=place, mend=mend or "correct the data")
