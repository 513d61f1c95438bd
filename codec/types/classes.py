"""The Python types of a schema, built at run time or taken from a generated module."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NoReturn, cast

import msgspec
from msgspec.structs import FieldInfo

from ...errors import ConfigError, SchemaError
from ...schemas.model import Schema
from ...schemas.naming import Names
from ..other_class import remember
from ..record import Record
from .blueprint import Blueprint, EnumSpec, FieldSpec, StructSpec, blueprint
from .scalars import Literal

TAG_KEY = "$type"


@dataclass(frozen=True, slots=True)
class SchemaTypes:
    """The classes of one schema.

    ``classes`` has records and enums by full name, ``boxes`` the boxes by class name.
    """

    schema: Schema
    names: Names
    classes: Mapping[str, type]
    boxes: Mapping[str, type[Record]]
    _fields: dict[str, Mapping[str, FieldInfo]] = field(
        default_factory=dict[str, Mapping[str, "FieldInfo"]], init=False, repr=False, compare=False
    )

    @property
    def root(self) -> type[Record]:
        """The class of the root record."""
        return self.record(self.schema.root)

    def record(self, name: str) -> type[Record]:
        """The class of the record with this full name; SchemaError where there is none."""
        found = self.classes.get(name)
        if found is None or not issubclass(found, Record):
            raise SchemaError(f"there is no record {name}", where=self.schema.subject)
        return found

    def fields(self, name: str) -> Mapping[str, FieldInfo]:
        """What msgspec knows of the fields of a record, by attribute."""
        if name not in self._fields:
            # It evaluates every annotation of the class, whatever field is asked for.
            found = msgspec.structs.fields(self.record(name))
            self._fields[name] = {each.name: each for each in found}
        return self._fields[name]

    def enum(self, name: str) -> type[enum.Enum]:
        """The class of the enum with this full name; SchemaError where there is none."""
        found = self.classes.get(name)
        if found is None or not issubclass(found, enum.Enum):
            raise SchemaError(f"there is no enum {name}", where=self.schema.subject)
        return found


def build_types(schema: Schema, *, lenient: bool = False) -> SchemaTypes:
    """Make the classes of ``schema`` at run time; each call makes new ones.

    ``lenient`` lets msgspec pass over keys that the schema does not name. Raises SchemaError
    where the schema contradicts itself.
    """
    plan = blueprint(schema)
    module = f"{schema.subject}.v{schema.version}"
    classes: dict[str, type] = {spec.name: _enum(spec, module) for spec in plan.enums}
    structs = {spec.name: _struct(spec, module, classes, lenient) for spec in plan.structs}
    classes.update(structs)
    for spec in plan.structs:
        # Only now is there a class for every name; msgspec reads this at first use.
        structs[spec.name].__annotations__ = {
            field.attribute: field.hint.build(classes) for field in spec.fields
        }
    return _schema_types(plan, classes)


def _schema_types(plan: Blueprint, classes: Mapping[str, type]) -> SchemaTypes:
    """``classes`` are by class name."""
    remember(classes.values(), plan.schema)
    return SchemaTypes(
        plan.schema,
        plan.names,
        {key: classes[name] for key, name in plan.names.classes.items()},
        {spec.name: cast("type[Record]", classes[spec.name]) for spec in plan.boxes},
    )


def _enum(spec: EnumSpec, module: str) -> type[enum.Enum]:
    members = [(member.name, member.symbol) for member in spec.members]
    # The functional call is the documented way; the checkers only know it with literals.
    make = cast("Callable[..., type[enum.Enum]]", enum.Enum)
    made = make(spec.name, members, module=module)
    made.__doc__ = spec.doc
    setattr(made, "__reduce_ex__", _refuse_pickling)  # noqa: B010 - checkers take it for a method
    return made


def _refuse_pickling(value: object, protocol: int = 0) -> NoReturn:
    # Pickle names a class by its module, and this one has none that could be imported.
    del protocol
    cls = type(value)
    raise ConfigError(
        "what pickle writes of a class that was made at run time cannot be read",
        where=f"{cls.__module__}.{cls.__qualname__}",
        mend="pickle what codec.encode() gives, or use the classes that instar generate writes",
    )


def _struct(
    spec: StructSpec, module: str, classes: Mapping[str, type], lenient: bool
) -> type[Record]:
    made = msgspec.defstruct(
        spec.name,
        [_field(field, classes) for field in spec.fields],
        bases=(Record,),
        module=module,
        namespace={"__doc__": spec.doc, "__reduce__": _refuse_pickling},
        kw_only=True,
        tag_field=None if spec.tag is None else TAG_KEY,
        tag=spec.tag,
        forbid_unknown_fields=not lenient,
    )
    return cast("type[Record]", made)


def _field(spec: FieldSpec, classes: Mapping[str, type]) -> tuple[str, Any, Any]:
    if spec.default is None:
        return spec.attribute, Any, msgspec.field(name=spec.key)
    if not spec.default.mutable:
        default = spec.default.build(classes)
        return spec.attribute, Any, msgspec.field(name=spec.key, default=default)
    factory = _factory(spec.default, classes)
    return spec.attribute, Any, msgspec.field(name=spec.key, default_factory=factory)


def _factory(default: Literal, classes: Mapping[str, type]) -> Callable[[], Any]:
    return default.empty[1] if default.empty else (lambda: default.build(classes))


def bind_types(schema: Schema, module: ModuleType | Mapping[str, type]) -> SchemaTypes:
    """Take the classes of a generated module, or of its ``TYPES``, for ``schema``.

    Raises ConfigError where a class is missing or is not the one the schema asks for.
    """
    types = module if isinstance(module, Mapping) else cast("Mapping[str, type]", module.TYPES)
    plan = blueprint(schema)
    for spec in plan.specs:
        problem = _problem(spec, types.get(spec.key))
        if problem:
            raise ConfigError(
                f"generated code is stale: {problem}",
                where=f"{schema.subject} v{schema.version}, class {spec.name}",
                mend="run instar generate",
            )
    return _schema_types(plan, {spec.name: types[spec.key] for spec in plan.specs})


def _problem(spec: EnumSpec | StructSpec, found: type | None) -> str:
    """What is wrong with a generated class, or nothing."""
    if found is None:
        return "the class is missing"
    if isinstance(spec, EnumSpec):
        return _enum_problem(spec, found)
    return _struct_problem(spec, found)


def _enum_problem(spec: EnumSpec, found: type) -> str:
    if not issubclass(found, enum.Enum):
        return "not an enum"
    members = {member.name: member.symbol for member in spec.members}
    if {name: member.value for name, member in found.__members__.items()} != members:
        return "other members"
    return ""


def _struct_problem(spec: StructSpec, found: type) -> str:
    if not issubclass(found, Record):
        return "not a record"
    if found.__struct_fields__ != tuple(field.attribute for field in spec.fields):
        return "other attributes"
    if found.__struct_encode_fields__ != tuple(field.key for field in spec.fields):
        return "other keys"
    config = found.__struct_config__
    if (config.tag, config.tag_field) != (spec.tag, spec.tag and TAG_KEY):
        return "another $type"
    if found.__annotations__ != {field.attribute: field.hint.text for field in spec.fields}:
        return "other types"
    return ""
