"""What samples need of a schema that they outgrew: the fields that it lacks, as optional."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from ..model import (
    Array,
    Default,
    Enum,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from .words import unused

_NUMBERS = ("int", "long", "float", "double")


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the samples do not fit: what the schema has, and what the samples have."""

    path: str
    have: Type
    samples: Type


@dataclass(frozen=True, slots=True)
class Extension:
    """A schema with the paths of what was added, and what was left for a person to decide."""

    schema: Schema
    added: tuple[str, ...]
    differences: tuple[Difference, ...]


def extend_schema(latest: Schema, samples: Schema) -> Extension:
    """The next version of ``latest``, with every field that ``samples`` has and it lacks.

    ``samples`` is what :func:`infer_schema` proposes for them, ``narrow``, so that an int of
    the schema is held against numbers that it may hold. Each new field is optional, null by
    default, with 64 bits for whole numbers. No type of a field that is there is changed.
    """
    work = _Work(latest, samples, dict(latest.types))
    work.record(latest.root, samples.root, "")
    schema = replace(latest, version=latest.version + 1, types=work.types)
    return Extension(schema, tuple(work.added), tuple(work.differences))


@dataclass(slots=True)
class _Work:
    """One walk over both schemas, side by side."""

    latest: Schema
    samples: Schema
    types: dict[str, NamedType]
    added: list[str] = field(default_factory=list[str])
    differences: list[Difference] = field(default_factory=list[Difference])
    taken_over: dict[str, str] = field(default_factory=dict[str, str])
    met: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def record(self, name: str, sample: str, path: str) -> None:
        if (name, sample) in self.met:
            return
        self.met.add((name, sample))
        for seen in self._fields(self.samples.types[sample]):
            known = {field.key: field for field in self._fields(self.types[name])}
            place = f"{path}{seen.key}"
            if seen.key in known:
                self.compare(known[seen.key].type, seen.type, place)
            else:
                self._add(name, seen)
                self.added.append(place)

    def _fields(self, named: NamedType) -> tuple[Field, ...]:
        return named.fields if isinstance(named, Record) else ()

    def _add(self, name: str, seen: Field) -> None:
        # What is taken over may lead back to this record, so it is looked up afterwards.
        type_ = self._taken(seen.type)
        fields = self._fields(self.types[name])
        added = Field(
            unused(seen.name, {field.name for field in fields}),
            type_ if isinstance(type_, Optional) else Optional(type_),
            default=Default(None),
            doc=seen.doc,
            absent=seen.absent or not isinstance(seen.type, Optional),
        )
        if added.name != seen.key:
            added = replace(added, json_name=seen.key)
        self.types[name] = Record(
            name, (*fields, added), aliases=self.types[name].aliases, doc=self.types[name].doc
        )

    def _taken(self, type_: Type) -> Type:
        """A type of the samples as one of this schema; the types that it names come along."""
        match type_:
            case Primitive(kind="int"):
                return Primitive("long")
            case Reference():
                return Reference(self._taken_name(type_.name))
            case Array():
                return replace(type_, items=self._taken(type_.items))
            case Map():
                return replace(type_, values=self._taken(type_.values))
            case Optional():
                return replace(type_, item=self._taken(type_.item))
            case Union():
                branches = [(branch, self._taken(branch.type)) for branch in type_.branches]
                return Union(
                    tuple(
                        replace(branch, label=_label(branch.label, new), type=new)
                        for branch, new in branches
                    )
                )
            case _:
                return type_

    def _taken_name(self, name: str) -> str:
        if name not in self.taken_over:
            namespace, dot, _ = self.latest.root.rpartition(".")
            full = unused(f"{namespace}{dot}{name.rpartition('.')[2]}", self.types, "")
            self.taken_over[name] = full
            named = self.samples.types[name]
            self.types[full] = replace(named, name=full)
            if isinstance(named, Record):
                fields = tuple(replace(f, type=self._taken(f.type)) for f in named.fields)
                self.types[full] = Record(full, fields, doc=named.doc)
        return self.taken_over[name]

    def compare(self, have: Type, samples: Type, path: str) -> None:
        """Go on below a place that both have, and note where the samples do not fit."""
        if isinstance(samples, Optional):
            if not isinstance(have, Optional | Json):
                self.differences.append(Difference(path, have, samples))
            samples = samples.item
        if isinstance(have, Optional):
            have = have.item
        for item in _alternatives(samples):
            self._compare_item(have, item, path)

    def _compare_item(self, have: Type, samples: Type, path: str) -> None:
        fitting = [option for option in _alternatives(have) if self._fits(option, samples)]
        # Among several records only a tag tells which one a sample is.
        if len(fitting) != 1:
            self.differences.append(Difference(path, have, samples))
            return
        match fitting[0], samples:
            case Reference(name), Reference(sample):
                self.record(name, sample, f"{path}.")
            case Array(), Array():
                self.compare(fitting[0].items, samples.items, f"{path}[]")
            case Map(), Map():
                self.compare(fitting[0].values, samples.values, f"{path}{{}}")
            case Map(), Reference(sample):
                for seen in self._fields(self.samples.types[sample]):
                    self.compare(fitting[0].values, seen.type, f"{path}{{}}")
            case _:
                pass

    def _fits(self, have: Type, samples: Type) -> bool:
        """Whether a value of the samples may be one of ``have``, by its outermost type."""
        match have, samples:
            case Json(), _:
                return True
            case Primitive(), Primitive():
                return _fits_primitive(have, samples)
            case Primitive(kind="string"), Logical():
                return True  # a time or a UUID is told by its text
            case Logical(), Logical():
                return have.kind == samples.kind
            case Reference(), _:
                return self._fits_named(self.types[have.name], samples)
            case (Array(), Array()) | (Map(), Map()):
                return True
            case Map(), Reference():
                return isinstance(self.samples.types[samples.name], Record)
            case _:
                return False

    def _fits_named(self, named: NamedType, samples: Type) -> bool:
        of_record = isinstance(samples, Reference) and isinstance(
            self.samples.types[samples.name], Record
        )
        match named:
            case Record():
                return of_record
            case Enum():
                return samples == Primitive("string")
            case Fixed():
                return False


def _label(former: str, type_: Type) -> str:
    """The label of a branch whose type was taken over."""
    match type_:
        case Reference():
            return type_.name
        case Primitive():
            return type_.kind
        case _:
            return former


def _fits_primitive(have: Primitive, samples: Primitive) -> bool:
    if have.kind in _NUMBERS and samples.kind in _NUMBERS:
        return _NUMBERS.index(samples.kind) <= _NUMBERS.index(have.kind)
    return have.kind == samples.kind


def _alternatives(type_: Type) -> Iterator[Type]:
    if isinstance(type_, Union):
        yield from (branch.type for branch in type_.branches)
    else:
        yield type_
