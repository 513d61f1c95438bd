"""Migrations as JSON: all of their ops and rules but ``compute``, which is Python.

The text is canonical: the same migration gives the same bytes on every machine, with sorted
keys, no spaces, and without what is at its default. Any layout is read. Where the form
changes, so does its revision.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from ..errors import MigrationError
from ..schemas.model import Default, JsonValue
from .compute import Compute
from .data_reader import REVISION, read
from .migration import Migration
from .ops import Op, Within


def is_data(migration: Migration) -> bool:
    """Whether a migration has no Python function, so that :func:`to_data` takes it."""
    return not any(isinstance(op, Compute) for _, op in _flat(migration.ops, "ops"))


def to_data(migration: Migration) -> str:
    """The canonical JSON text of a migration.

    Raises MigrationError, with the place as ``ops[2].ops[0]``, for a ``compute``, and for a
    default that JSON does not keep; LimitExceeded for a migration that :func:`from_data`
    would refuse as too large.
    """
    for place, op in _flat(migration.ops, "ops"):
        if isinstance(op, Compute):
            raise MigrationError(
                f"compute of {', '.join(op.writes)} is Python, which is no data",
                where=place,
                mend="use convert(...) with a rule, or keep the migration as Python",
            )
    plain: JsonValue = {
        "revision": REVISION,
        "subject": migration.subject,
        "source": migration.source,
        "target": migration.target,
        "ops": _plain(migration.ops),
    }
    text = _text(migration, plain)
    if read(text) != migration:
        raise _unkept(migration, "a value of another type")
    return text


def from_data(text: str) -> Migration:
    """The migration of a JSON text.

    Raises MigrationError where it is no migration: ``where`` is the place, as
    ``ops[2].rule.factor``, or ``line:column`` for what is no JSON. Raises LimitExceeded where
    it is too long, too deep or has too many ops.
    """
    return read(text)


def _flat(ops: Sequence[Op], place: str) -> Iterator[tuple[str, Op]]:
    for index, op in enumerate(ops):
        yield f"{place}[{index}]", op
        if isinstance(op, Within):
            yield from _flat(op.ops, f"{place}[{index}].ops")


def _text(migration: Migration, plain: JsonValue) -> str:
    try:
        text = json.dumps(
            plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        text.encode()
    except (TypeError, ValueError) as error:
        raise _unkept(migration, str(error)) from None
    return text


def _unkept(migration: Migration, why: str) -> MigrationError:
    return MigrationError(
        f"an op holds what JSON does not keep: {why}",
        where=migration.name,
        mend="write values in JSON form, and keys as text",
    )


def _plain(value: object) -> JsonValue:
    match value:
        case Default():
            return value.value
        case msgspec.Struct():
            return _members(value)
        case tuple():
            return [_plain(item) for item in cast("tuple[object, ...]", value)]
        case _:
            return cast("JsonValue", value)


def _members(item: msgspec.Struct) -> dict[str, JsonValue]:
    """The fields that are not at their default, and the tag that says what it is."""
    config = item.__struct_config__
    fields = msgspec.structs.fields(item)
    values: dict[str, Any] = {field.name: getattr(item, field.name) for field in fields}
    usual: dict[str, Any] = {field.name: field.default for field in fields}
    return {
        str(config.tag_field): cast("str", config.tag),
        **{
            name: _plain(value)
            for name, value in values.items()
            if type(value) is not type(usual[name]) or value != usual[name]
        },
    }
