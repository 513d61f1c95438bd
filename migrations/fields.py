"""Matches the fields of a record, as the ops of a migration left them, with its target's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias, cast

from msgspec.structs import replace

from ..errors import MigrationError
from ..schemas.model import Default, Field, Optional, Primitive, Record, Schema, Type
from .conversion import (
    Call,
    Conversion,
    DefaultToNull,
    Fill,
    Gather,
    Later,
    Made,
    NullToDefault,
    RecordConversion,
    Take,
    ToRecord,
)
from .form import Added, Called, Form, FormCall, Group, Origin, Piece, Step, op_words
from .matching import Versions, is_oneof, match_fields, numbered, numbers
from .null_rules import fits_null, is_endless
from .ops import Convert
from .paths import record_at, type_at, unwrapped
from .rules import NullRule, OrElse, Scalar, Split
from .rules.values import Constant
from .stepped import Converter, convert_step, scalar_of

Same: TypeAlias = tuple[Conversion, Mapping[ToRecord, RecordConversion]]
"""The conversion of a type to itself, and of the records of its schema."""


class Derivation(Converter, Protocol):
    """What this needs of the derivation that it is a part of."""

    form: Form
    records: dict[ToRecord, RecordConversion]

    @property
    def pair(self) -> Versions:
        """The two versions, the older first."""
        ...

    def same(self, schema: Schema, kind: Type) -> Same:
        """The conversion of a type of ``schema``, one of the two, to itself."""
        ...


def derive_fields(
    derivation: Derivation, source: Record, target: Record, path: str
) -> RecordConversion:
    """The conversion of the fields of ``source``, at ``path``, to those of ``target``."""
    form = derivation.form.record(source)
    fields = _Fields(derivation, source, target, path, form.fields)
    fields.match(form.touched)
    for index, call in enumerate(form.calls):
        fields.call(index, call)
    return fields.conversion()


_NO_TYPE: Final = Primitive("null")
"""Of a field that has no source yet: only its name is matched."""


@dataclass(slots=True)
class _Fields:
    """The fields of one target record: ``origins`` are relative to ``source``.

    ``results`` are the fields that a call makes, by its index and theirs among its results.
    """

    derivation: Derivation
    source: Record
    target: Record
    path: str
    origins: Mapping[str, Origin]
    takes: list[Take] = field(default_factory=list[Take])
    fills: list[Fill] = field(default_factory=list[Fill])
    gathers: list[Gather] = field(default_factory=list[Gather])
    calls: list[Call] = field(default_factory=list[Call])
    made: list[Made] = field(default_factory=list[Made])
    results: dict[int, dict[int, str]] = field(default_factory=dict[int, "dict[int, str]"])

    def conversion(self) -> RecordConversion:
        return RecordConversion(
            self.source.name,
            self.target.name,
            tuple(self.takes),
            tuple(self.fills),
            tuple(self.gathers),
            tuple(self.calls),
            tuple(self.made),
        )

    def match(self, touched: set[str]) -> None:
        """Find where each field of the target comes from."""
        traced = Record(self.source.name, tuple(map(self._traced, self.origins)))
        matches = self._matches(traced)
        if self.derivation.upwards and self.derivation.pair.by_number:
            self._check_moves(traced, matches)
        for new in self.target.fields:
            here = f"{self.path}.{new.name}"
            if new.name in matches:
                self._place(new, self.origins[matches[new.name]], here)
            elif new.default is not None:
                self.fills.append(Fill(new.name, new.default))
            else:
                self._missing(new, here)
        for name in sorted(touched - set(matches.values())):
            self._problem(f"{self.path}.{name}", self._unknown())

    def _traced(self, name: str) -> Field:
        """A field as the ops left it, for matching."""
        origin = self.origins[name]
        if not isinstance(origin, Piece):
            return Field(name, _NO_TYPE)
        first, *rest = origin.path
        if rest:
            return Field(name, self._type_at(origin))
        found = self.source.by_name[first]
        return found if found.name == name else replace(found, name=name, aliases=())

    def _type_at(self, piece: Piece) -> Type:
        return type_at(self.derivation.source, self.source, piece.path)

    def _matches(self, traced: Record) -> dict[str, str]:
        """The traced field for each target field."""
        pair = self.derivation.pair
        if self.derivation.upwards:
            return match_fields(pair, traced, self.target)
        return {old: new for new, old in match_fields(pair, self.target, traced).items()}

    def _check_moves(self, traced: Record, matches: Mapping[str, str]) -> None:
        """A field that moved into or out of a oneof has its number there, and its value not."""
        by_number = numbered(traced.fields)
        order = {old.name: place for place, old in enumerate(traced.fields)}
        for new in self.target.fields:
            olds = {old.name: old for number in numbers(new) for old in by_number.get(number, ())}
            for old in sorted(olds.values(), key=lambda old: order[old.name]):
                moved = is_oneof(old) != is_oneof(new)
                if moved and matches.get(new.name) != old.name:
                    self._problem(
                        f"{self.path}.{old.name}",
                        f"moved into or out of a oneof, {new.name}: compute it",
                    )

    def _place(self, new: Field, origin: Origin, here: str) -> None:
        match origin:
            case Piece():
                kind = self._type_at(origin)
                step = origin.step or self._presence(kind, new)
                found = self._about_null(origin, step, new, here) or convert_step(
                    self.derivation, step, kind, new.type, here
                )
                self.takes.append(_take(new.name, origin, found))
            case Added():
                self._fill(new, origin, here)
            case Called():
                self.made.append(Made(new.name, origin.call, origin.index))
                self.results.setdefault(origin.call, {})[origin.index] = new.name
            case Group():
                self._gather(new, origin, here)

    def _presence(self, kind: Type, new: Field) -> Step | None:
        """Protobuf reads a field that is not there as its default, where presence is not kept."""
        if not (self.derivation.pair.by_number and isinstance(kind, Optional)):
            return None
        scalars = (
            scalar_of(self.derivation.source, kind.item),
            scalar_of(self.derivation.target, new.type),
        )
        if new.default is None or None in scalars:
            return None
        rule = OrElse(cast("Constant", new.default.value))
        try:
            rule.bind(*cast("tuple[Scalar, Scalar]", scalars), forward=True)
        except MigrationError:
            return None
        return Convert((new.name,), (new.name,), rule)

    def _about_null(
        self, origin: Piece, step: Step | None, new: Field, here: str
    ) -> Conversion | None:
        """A rule about null for a type that is no scalar, which only the default of a field
        can be a value of.
        """
        kind = self._type_at(origin)
        if not isinstance(step, Convert) or not isinstance(step.rule, NullRule):
            return None
        scalars = (
            scalar_of(self.derivation.source, unwrapped(kind)),
            scalar_of(self.derivation.target, unwrapped(new.type)),
        )
        fits = fits_null(step.rule, kind, new.type, forward=step.forward)
        if None not in scalars or not fits:
            return None
        item, default = (
            self.derivation.convert(unwrapped(kind), unwrapped(new.type), here),
            Default(step.rule.value),
        )
        if step.rule.takes_null(step.forward):
            return NullToDefault(item, self._own_default(new, default))
        if not step.rule.gives_null(step.forward):
            return item
        return DefaultToNull(item, self._default_before(origin, item, default))

    def _default_before(self, origin: Piece, item: Conversion, default: Default) -> Later:
        """A default that the migration gives, as if the source declared it."""
        schema, (*path, name) = self.derivation.source, origin.path
        record = record_at(schema, type_at(schema, self.source, path)) if path else self.source
        assert record is not None  # noqa: S101 - the path leads to a field of it
        field = record.by_name[name]
        if is_endless(schema, record, field.type, default.value):
            words = "is of a record that holds itself, and only an empty value of it can be null"
            self._problem(f"{self.path}.{name}", f"{words}: compute it")
        return Later(schema, record.name, name, item, self.derivation.records, default)

    def _fill(self, new: Field, origin: Added, here: str) -> None:
        if origin.default is None and new.default is None:
            self._missing(new, here)
        elif origin.default is None or origin.default == new.default:
            self.fills.append(Fill(new.name, cast("Default", new.default)))
        else:
            later = self._own_default(new, origin.default)
            self.fills.append(Fill(new.name, origin.default, later))

    def _own_default(self, new: Field, default: Default) -> Later:
        """A default that the migration gives, as if the target declared it."""
        schema = self.derivation.target
        conversion, records = self.derivation.same(schema, new.type)
        return Later(schema, self.target.name, new.name, conversion, records, default)

    def _gather(self, new: Field, group: Group, here: str) -> None:
        inner = record_at(self.derivation.target, new.type)
        if inner is None:
            self._problem(here, "is moved into, and is no record")
            return
        key = ToRecord(self.source.name, inner.name, (here,))
        fields = _Fields(self.derivation, self.source, inner, here, self._members(group, here))
        fields.match(set(group.parts))
        self.derivation.records[key] = fields.conversion()
        self.gathers.append(Gather(new.name, key, isinstance(new.type, Optional)))

    def _members(self, group: Group, here: str) -> dict[str, Origin]:
        """What a group is made of, by the names of the source record."""
        if group.base is None:
            return dict(group.parts)
        record = record_at(self.derivation.source, self._type_at(group.base))
        if record is None:
            self._problem(here, "was no record, and is moved into")
            return dict(group.parts)
        found: dict[str, Origin] = {}
        for name, origin in self.derivation.form.record(record).fields.items():
            if not isinstance(origin, Piece):
                words = f"is changed by {op_words(origin, name)}, and a move into what it stands in"
                self._problem(f"{here}.{name}", f"{words}: compute it")
                continue
            found[name] = Piece((*group.base.path, *origin.path), origin.step)
        return {**found, **group.parts}

    def call(self, index: int, call: FormCall) -> None:
        """Add a call, with what it reads, and what its results are called in the target."""
        schema = self.derivation.source
        same = [self.derivation.same(schema, self._type_at(piece)) for piece in call.reads]
        reads = tuple(
            _take(".".join(piece.path), piece, conversion)
            for piece, (conversion, _) in zip(call.reads, same, strict=True)
        )
        found = self.results.get(index, {})
        writes = tuple(found.get(result, "") for result in range(len(call.writes)))
        if isinstance(call.function, Split):
            self._check_split(call, call.function, writes)
        elif writes != call.writes:
            self._problem(
                f"{self.path}.{', '.join(call.writes)}",
                f"is what compute writes, and version {self.derivation.target.version} has not"
                " all of these fields: name those of that version, and rename none of them",
            )
        self.calls.append(
            Call(
                call.function,
                call.forward,
                reads,
                same[0][1],
                schema,
                self.source.name,
                self.derivation.target,
                self.target.name,
                writes,
            )
        )

    def _check_split(self, call: FormCall, rule: Split, writes: tuple[str, ...]) -> None:
        where = f"{self.path}.{', '.join(call.writes)}"
        if "" in writes:
            self._problem(where, "are made by one rule, and each has to stay a field")
            return
        old = [scalar_of(self.derivation.source, self._type_at(piece)) for piece in call.reads]
        new = [scalar_of(self.derivation.target, self.target.by_name[name].type) for name in writes]
        if None in old or None in new:
            self._problem(where, "a rule changes scalars and enums: compute it")
            return
        try:
            sources, targets = cast("list[Scalar]", old), cast("list[Scalar]", new)
            rule.bind_fields(tuple(sources), tuple(targets), call.forward)
        except MigrationError as error:
            self._problem(where, f"{error.what}; {error.mend}")

    def _missing(self, new: Field, here: str) -> None:
        self._problem(
            here,
            f"has no default and version {self.derivation.source.version} has no such field: "
            f"give it a default, an alias, add({new.name!r}, default=...), or"
            f" compute(writes={new.name!r})",
        )

    def _unknown(self) -> str:
        names = ", ".join(sorted(f.name for f in self.target.fields))
        version = self.derivation.target.version
        return f"is what the ops lead to, and version {version} has no such field, but {names}"

    def _problem(self, where: str, words: str) -> None:
        self.derivation.problems.append(f"{where} {words}")


def _take(target: str, piece: Piece, conversion: Conversion) -> Take:
    first, *rest = piece.path
    return Take(target, first, conversion, tuple(rest))
