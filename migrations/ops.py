"""The ops of a migration: what one declarative change says, in both directions.

An op is applied to the names that the ops before it left. Its inverse is an op too, so that
the way down is the inverse ops in reverse order. All but ``compute`` are data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast, get_args

import msgspec

from ..errors import MigrationError
from ..schemas.arguments import wrong_argument
from ..schemas.model import Default, JsonValue
from .arguments import check_json, check_text, names_of
from .compute import Compute
from .rules import Rule, Split, Table
from .rules.rule import BaseRule


class Rename(msgspec.Struct, frozen=True, tag="rename", tag_field="op"):
    """A field gets another name."""

    old: str
    new: str


class Add(msgspec.Struct, frozen=True, tag="add", tag_field="op"):
    """A field is new. ``default`` is its value on the way up, in JSON form; ``None`` stands
    for what the newer schema declares.
    """

    name: str
    default: Default | None = None


class Remove(msgspec.Struct, frozen=True, tag="remove", tag_field="op"):
    """A field goes. ``default`` is its value on the way down, in JSON form; ``None`` stands
    for what the older schema declares.
    """

    name: str
    default: Default | None = None


class Convert(msgspec.Struct, frozen=True, tag="convert", tag_field="op"):
    """Values change by a rule: of one field, or of several that become others.

    ``forward`` is false for the inverse, where the rule runs the other way.
    """

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    rule: Rule
    forward: bool = True


class Wrap(msgspec.Struct, frozen=True, tag="wrap", tag_field="op"):
    """A value becomes the one item of a list; null becomes an empty list."""

    name: str


class Head(msgspec.Struct, frozen=True, tag="head", tag_field="op"):
    """A list becomes its first item; an empty list becomes null."""

    name: str


class Move(msgspec.Struct, frozen=True, tag="move", tag_field="op"):
    """A field goes from one record to another, both reached from the same one by a path."""

    source: str
    target: str


class Within(msgspec.Struct, frozen=True, tag="within", tag_field="op"):
    """Ops on the record type that stands at a path, wherever that type is used."""

    path: str
    ops: tuple[Op, ...]


DataOp: TypeAlias = Rename | Add | Remove | Convert | Wrap | Head | Move | Within
Op: TypeAlias = DataOp | Compute

_MISSING: Any = object()


def rename(old: str, new: str) -> Rename:
    """The field ``old`` is called ``new`` in the newer version."""
    check_text("rename", old=old, new=new)
    return Rename(old, new)


def add(name: str, *, default: JsonValue = _MISSING) -> Add:
    """The newer version has a field ``name`` that the older has not.

    ``default`` (JSON form) is what states of the older version get; the default of the newer
    schema where it is left out.
    """
    check_text("add", name=name)
    return Add(name, _default("add", default))


def remove(name: str, *, default: JsonValue = _MISSING) -> Remove:
    """The older version has a field ``name`` that the newer has not.

    ``default`` (JSON form) is what a state of the newer version gets on its way down; the
    default of the older schema where it is left out.
    """
    check_text("remove", name=name)
    return Remove(name, _default("remove", default))


def _default(op: str, value: JsonValue) -> Default | None:
    if value is _MISSING:
        return None
    check_json(f"default of {op}(...)", value)
    return Default(value)


def convert(
    reads: str | tuple[str, ...],
    rule: Rule | dict[Any, Any],
    *,
    into: str | tuple[str, ...] | None = None,
) -> Convert:
    """Values of the field ``reads`` change by ``rule``, which is data.

    ``into`` names the fields of the newer version, where it is not the same field. A dict is
    short for ``table(...)``. In a list, a map or an optional the rule is for what it holds.
    Raises MigrationError where the rule takes or gives another number of fields.
    """
    found = Table.of(rule) if isinstance(rule, dict) else rule
    if not isinstance(cast("object", found), BaseRule):
        raise MigrationError(f"{rule!r} is no rule", mend="call it: cast(), scale(1000), ...")
    read = names_of("convert", "reads", reads)
    op = Convert(read, read if into is None else names_of("convert", "into", into), found)
    found.check_fields(len(op.reads), len(op.writes))
    return op


def join(reads: tuple[str, ...], rule: Split, *, into: str) -> Convert:
    """Several fields become the one field ``into``: the inverse of ``convert`` by a ``split``."""
    read = names_of("join", "reads", reads)
    check_text("join", into=into)
    if not isinstance(cast("object", rule), Split):
        raise wrong_argument("rule of join(...)", rule, "split(...)", MigrationError)
    rule.check_fields(1, len(read))
    return Convert(read, (into,), rule, forward=False)


def wrap(name: str) -> Wrap:
    """The field ``name`` becomes a list of its one value; null becomes an empty list."""
    check_text("wrap", name=name)
    return Wrap(name)


def head(name: str) -> Head:
    """The list ``name`` becomes its first item; an empty list becomes null."""
    check_text("head", name=name)
    return Head(name)


def move(source: str, target: str) -> Move:
    """The field at the path ``source`` stands at the path ``target`` in the newer version.

    A path leads through records and optional records: ``address.city``.
    """
    check_text("move", source=source, target=target)
    return Move(source, target)


def hoist(path: str, name: str | None = None) -> Move:
    """The field at ``path``, inside a record, becomes a field of the record that holds that one.

    It keeps its name where ``name`` is not given.
    """
    check_text("hoist", path=path, **({} if name is None else {"name": name}))
    outer, _, last = path.rpartition(".")
    above = outer.rpartition(".")[0]
    return Move(path, ".".join(part for part in (above, name or last) if part))


def plunge(name: str, record: str, new: str | None = None) -> Move:
    """The field ``name`` goes into the record ``record``, which may be new.

    It is called ``new`` there, where that is given.
    """
    check_text("plunge", name=name, record=record, **({} if new is None else {"new": new}))
    return Move(name, f"{record}.{new or name.rpartition('.')[2]}")


def within(path: str, *ops: Op) -> Within:
    """Ops on the record at ``path``: ``messages[]``, ``memory[*].source``, ``event<Failed>``.

    They apply to that type of record wherever the schema uses it.
    """
    check_text("within", path=path)
    check_ops(ops, "within")
    return Within(path, ops)


def check_ops(ops: Sequence[object], where: str) -> None:
    """Raise MigrationError for what is no op; ``where`` is what it was given to."""
    for op in ops:
        if not isinstance(op, get_args(Op)):
            raise MigrationError(
                f"{op!r} is not an op", where=where, mend="use rename(...), compute(...), ..."
            )


def inverse(op: Op) -> Op:
    """The op that undoes ``op``."""
    match op:
        case Rename():
            return Rename(op.new, op.old)
        case Add():
            return Remove(op.name, op.default)
        case Remove():
            return Add(op.name, op.default)
        case Convert():
            return Convert(op.writes, op.reads, op.rule, not op.forward)
        case Wrap():
            return Head(op.name)
        case Head():
            return Wrap(op.name)
        case Move():
            return Move(op.target, op.source)
        case Within():
            return Within(op.path, tuple(inverse(inner) for inner in reversed(op.ops)))
        case Compute():
            return op.turned()


def title(op: Op) -> str:
    """An op in a few words, as messages name it."""
    match op:
        case Compute():
            return f"compute {', '.join(op.reads)} -> {', '.join(op.writes)}"
        case Convert():
            return f"convert {', '.join(op.reads)} -> {', '.join(op.writes)}"
        case Rename():
            return f"rename {op.old} -> {op.new}"
        case Move():
            return f"move {op.source} -> {op.target}"
        case Within():
            return f"within {op.path}"
        case _:
            return f"{type(op).__name__.lower()} {op.name}"
