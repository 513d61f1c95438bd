"""Follows the ops of a migration over a schema, to where each field then comes from.

Only the way up has rules of its own: the way down follows the inverse ops, last first, over
the newer schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..errors import MigrationError
from ..schemas.model import Array, Optional, Record, Schema, Type
from .aliases import alias_hint
from .compute import Compute
from .form import Added, Called, Form, FormCall, Group, Origin, Piece, RecordForm, op_words
from .ops import (
    Add,
    Convert,
    Head,
    Move,
    Op,
    Remove,
    Rename,
    Within,
    Wrap,
    inverse,
    title,
)
from .paths import record_at, segments, step_inside, type_at
from .rules import Split


def trace(
    ops: Sequence[Op], source: Schema, *, upwards: bool, newer: Schema
) -> tuple[Form, list[str]]:
    """The form that the ops give to ``source``, and what is wrong with them, in words.

    On the way down ``source`` is the newer schema.
    """
    tracer = _Tracer(Form(source), newer)
    wanted = ops if upwards else [inverse(op) for op in reversed(ops)]
    for op in wanted:
        tracer.apply(op, source.record, source.subject)
    return tracer.form, tracer.problems


FieldOp: TypeAlias = Rename | Add | Remove | Convert | Wrap | Head
"""The ops that know nothing but fields of one record."""


def _reads(op: FieldOp) -> tuple[str, ...]:
    match op:
        case Rename():
            return (op.old,)
        case Convert():
            return op.reads
        case _:
            return (op.name,)


class _Refusal(Exception):
    """An op that cannot be followed."""


@dataclass(slots=True)
class _Tracer:
    form: Form
    newer: Schema
    problems: list[str] = field(default_factory=list[str])

    def apply(self, op: Op, record: Record, path: str) -> None:
        try:
            self._apply(op, record, path)
        except _Refusal as refusal:
            self.problems.append(f"{path}: {title(op)}: {refusal}")
        except MigrationError as error:
            self.problems.append(f"{path}: {title(op)}: {error.what}; {error.mend}")

    def _apply(self, op: Op, record: Record, path: str) -> None:
        form = self.form.change(record)
        match op:
            case Move():
                self._move(op, form, record)
            case Within():
                self._within(op, record, path)
            case Compute():
                self._compute(op, form, record)
            case _:
                self._change_fields(op, form)

    def _change_fields(self, op: FieldOp, form: RecordForm) -> None:
        """What an op does to fields of one record."""
        match op:
            case Rename():
                origin = _taken(form, op.old)
                _put(form, op.new, origin)
            case Add():
                _put(form, op.name, Added(op.default))
            case Remove():
                _taken(form, op.name)
            case Convert() if isinstance(op.rule, Split):
                self._split(op, op.rule, form)
            case Convert():
                self._change(form, op.reads[0], op.writes[0], op)
            case Wrap() | Head():
                self._change(form, op.name, op.name, op)

    def _change(self, form: RecordForm, old: str, new: str, step: Convert | Wrap | Head) -> None:
        """A field whose values change."""
        origin = _taken(form, old)
        _put(form, new, Piece(_plain(origin, old).path, step))

    def _split(self, op: Convert, rule: Split, form: RecordForm) -> None:
        reads = tuple(_plain(_taken(form, name), name) for name in op.reads)
        self._call(form, FormCall(rule, op.forward, reads, op.writes), op)

    def _compute(self, op: Compute, form: RecordForm, record: Record) -> None:
        """Its names are those of the two versions, whatever the ops before it did."""
        if op.up is None:
            return
        known = record.by_name
        unknown = sorted(set(op.reads) - known.keys())
        if unknown:
            raise _Refusal(
                f"version {self.form.schema.version} has no field {', '.join(unknown)};"
                f" its fields are {', '.join(sorted(known))}"
            )
        reads = tuple(Piece((name,)) for name in op.reads)
        for name in op.writes:
            form.fields.pop(name, None)
        self._call(form, FormCall(op, forward=True, reads=reads, writes=op.writes), op)

    def _call(self, form: RecordForm, call: FormCall, op: Convert | Compute) -> None:
        form.calls.append(call)
        for index, name in enumerate(call.writes):
            _put(form, name, Called(len(form.calls) - 1, index, title(op)))

    def _move(self, op: Move, form: RecordForm, record: Record) -> None:
        source, target = _names(op.source), _names(op.target)
        origin = self._lift(form, record, source)
        *groups, last = target
        fields = form.fields
        for name in groups:
            fields = self._open(fields, name)
        if last in fields:
            raise _Refusal(f"there is a field {op.target} already")
        fields[last] = origin
        form.touched.add(target[0])

    def _lift(self, form: RecordForm, record: Record, path: Sequence[str]) -> Origin:
        """Take the field at a path out."""
        first, *rest = path
        if not rest:
            return _taken(form, first)
        piece = _plain(_known(form, first), first)
        for at, name in enumerate(rest, 1):
            inner = self._record(record, piece, name)
            form = self.form.record(inner)
            found = _known(form, name)
            if at < len(rest) or not isinstance(found, Piece):
                found = _plain(found, name)
            form.touched.discard(name)  # It need not stay a field of that record.
            piece = Piece((*piece.path, *found.path), found.step)
        return piece

    def _record(self, record: Record, piece: Piece, name: str) -> Record:
        inner = record_at(self.form.schema, type_at(self.form.schema, record, piece.path))
        if inner is None:
            raise _Refusal(f"{name} stands in {'.'.join(piece.path)}, which is no record")
        return inner

    def _open(self, fields: dict[str, Origin], name: str) -> dict[str, Origin]:
        """The parts of the record ``name``, which a field is moved into."""
        found = fields.get(name)
        if not isinstance(found, Group):
            base = None if found is None or isinstance(found, Added) else _plain(found, name)
            found = fields[name] = Group(base, {})
        return found.parts

    def _within(self, op: Within, record: Record, path: str) -> None:
        parts = self._parts(record, op.path)
        for inner in op.ops:
            if isinstance(inner, FieldOp) and not parts.keys().isdisjoint(_reads(inner)):
                self._within_group(inner, parts, f"{path}.{op.path}")
            else:
                self.apply(inner, self._resolve(record, op.path), f"{path}.{op.path}")

    def _parts(self, record: Record, path: str) -> dict[str, Origin]:
        """What ops before moved into the record at a path."""
        fields: dict[str, Origin] = self.form.record(record).fields
        for name, signs in segments(path):
            found = fields.get(name)
            if signs or not isinstance(found, Group):
                return {}
            fields = found.parts
        return fields

    def _within_group(self, op: FieldOp, parts: dict[str, Origin], path: str) -> None:
        """An op on what was moved there, which is no part of the record type itself."""
        if isinstance(op, Convert) and isinstance(op.rule, Split):
            raise _Refusal(f"{title(op)} of what an op before it moved; do it before the move")
        try:
            self._change_fields(op, RecordForm(parts))
        except _Refusal as refusal:
            self.problems.append(f"{path}: {title(op)}: {refusal}")

    def _resolve(self, record: Record, path: str) -> Record:
        """The record type at a path."""
        at = record
        for name, signs in segments(path):
            kind = self._kind(at, name)
            for sign in signs:
                kind = step_inside(kind, sign) if kind is not None else None
            inner = None if kind is None else record_at(self.form.schema, kind)
            if inner is None:
                raise _Refusal(
                    f"no record stands at {name}{''.join(signs)};"
                    " [] leads into a list, [*] into a map, <label> into a union"
                )
            at = inner
        return at

    def _kind(self, record: Record, name: str) -> Type | None:
        """The type of a field, as the op left it that made a list of it or took one apart."""
        form = self.form.record(record)
        hint = alias_hint(self.newer, record, name) if name not in form.fields else ""
        if hint:
            raise _Refusal(hint)
        origin = _known(form, name)
        step = origin.step if isinstance(origin, Piece) else None
        if not isinstance(origin, Piece) or isinstance(step, Convert):
            origin = _plain(origin, name)
        kind = type_at(self.form.schema, record, origin.path)
        match step:
            case Wrap():
                return Array(kind.item if isinstance(kind, Optional) else kind)
            case Head():
                return step_inside(kind, "[]")
            case _:
                return kind


def _names(path: str) -> list[str]:
    found = segments(path)
    if any(signs for _, signs in found):
        raise _Refusal(f"{path} leads into a list, a map or a union; use within(...)")
    return [name for name, _ in found]


def _known(form: RecordForm, name: str) -> Origin:
    if name not in form.fields:
        raise _Refusal(f"there is no field {name}; fields are {', '.join(sorted(form.fields))}")
    return form.fields[name]


def _taken(form: RecordForm, name: str) -> Origin:
    origin = _known(form, name)
    del form.fields[name]
    form.touched.discard(name)
    return origin


def _put(form: RecordForm, name: str, origin: Origin) -> None:
    if name in form.fields:
        raise _Refusal(f"there is a field {name} already")
    form.fields[name] = origin
    form.touched.add(name)


def _plain(origin: Origin, name: str) -> Piece:
    """A field that no op has changed yet."""
    if not isinstance(origin, Piece) or origin.step is not None:
        before = op_words(origin, name)
        raise _Refusal(
            f"an op before it has changed {name}, {before}; make the two one op, or one compute"
        )
    return origin
