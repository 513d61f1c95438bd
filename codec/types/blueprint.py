"""What the Python types of a schema look like, before there is a class or a file.

Types built at run time, generated modules and the check that both agree all read it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ...errors import SchemaError
from ...schemas.model import Branch, Enum, Field, Record, Schema
from ...schemas.naming import Names, json_key, names
from ...schemas.singles import field_default
from .hints import Hint, hint
from .literals import Literals
from .scalars import Literal


class FieldSpec(msgspec.Struct, frozen=True):
    """An attribute of a class: ``key`` is its name in JSON form, the encoded name."""

    attribute: str
    key: str
    hint: Hint
    default: Literal | None = None
    doc: str = ""


class StructSpec(msgspec.Struct, frozen=True):
    """A record or a box. ``key`` finds its class in ``TYPES``: full name, or box class name.

    ``tag`` is its value of ``$type``, or None where it never stands in a union.
    """

    name: str
    key: str
    doc: str
    tag: str | None
    fields: tuple[FieldSpec, ...]


class MemberSpec(msgspec.Struct, frozen=True):
    """A member of an enum, whose value is the symbol; an alias has that of its symbol."""

    name: str
    symbol: str
    doc: str = ""


class EnumSpec(msgspec.Struct, frozen=True):
    """An enum. ``key`` is its full name."""

    name: str
    key: str
    doc: str
    members: tuple[MemberSpec, ...]


class Blueprint(msgspec.Struct, frozen=True):
    """Every class of one schema, in order of definition; boxes in order of first use."""

    schema: Schema
    names: Names
    enums: tuple[EnumSpec, ...]
    records: tuple[StructSpec, ...]
    boxes: tuple[StructSpec, ...]

    @property
    def structs(self) -> tuple[StructSpec, ...]:
        """Records, then boxes."""
        return self.records + self.boxes

    @property
    def specs(self) -> tuple[EnumSpec | StructSpec, ...]:
        """Every class."""
        return self.enums + self.structs


def blueprint(schema: Schema) -> Blueprint:
    """Describe the Python types of ``schema``.

    Raises SchemaError where a default does not fit its field, or two fields of a record
    share a key.
    """
    draft = _Draft(schema)
    named = schema.types.values()
    return Blueprint(
        schema,
        draft.names,
        tuple(draft.enum(type_) for type_ in named if isinstance(type_, Enum)),
        tuple(draft.record(type_) for type_ in named if isinstance(type_, Record)),
        tuple(draft.box(name, held) for name, held in draft.names.boxes.items()),
    )


class _Draft:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.names = names(schema)
        self._literals = Literals(schema, self.names)

    def enum(self, enum: Enum) -> EnumSpec:
        members = self.names.members[enum.name]
        return EnumSpec(
            self.names.classes[enum.name],
            enum.name,
            enum.doc or f"The enum {enum.name}.",
            tuple(
                MemberSpec(members[name], s.name, s.doc if name == s.name else "")
                for s in enum.symbols
                for name in (s.name, *s.aliases)
            ),
        )

    def record(self, record: Record) -> StructSpec:
        name = self.names.classes[record.name]
        return StructSpec(
            name,
            record.name,
            record.doc or f"The record {record.name}.",
            name if record.name in self.names.tagged else None,
            tuple(self._fields(record)),
        )

    def box(self, name: str, held: Branch) -> StructSpec:
        value = FieldSpec("value", "value", hint(held.type, self.schema, self.names))
        return StructSpec(name, name, f"The branch {held.label} of a union.", name, (value,))

    def _fields(self, record: Record) -> Iterator[FieldSpec]:
        keys: set[str] = set()
        for field in record.fields:
            where = f"{record.name}.{field.name}"
            if field.key in keys:
                raise SchemaError(f"another field has the JSON key {field.key!r} too", where=where)
            keys.add(field.key)
            yield FieldSpec(
                self.names.attributes[record.name][field.name],
                json_key(field),
                hint(field.type, self.schema, self.names),
                self._default(field, where),
                f"{field.doc} Deprecated.".strip() if field.deprecated else field.doc,
            )

    def _default(self, field: Field, where: str) -> Literal | None:
        if field.default is None:
            return None
        value = field_default(self.schema, self.names, field)
        return self._literals.read(field.type, value, where)
