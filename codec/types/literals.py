"""Default values: from JSON form to Python, as source text and as a value factory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...errors import SchemaError
from ...schemas.model import (
    Array,
    Branch,
    Enum,
    Fixed,
    Json,
    JsonValue,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ...schemas.naming import Names, json_key
from ...schemas.unions import group
from .. import exact
from .scalars import (
    FLOAT_WORDS,
    Literal,
    constant,
    expect,
    from_base64,
    json_literal,
    logical,
    map_key,
    misfit,
    primitive,
)
from .source import call, dict_of, flat, list_of, prefixed

_VECTORS = {"float": exact.float_vector, "double": exact.double_vector}


class Literals:
    """Reads the default values of one schema."""

    def __init__(self, schema: Schema, names: Names) -> None:
        self._schema = schema
        self._names = names

    def read(self, type_: Type, value: JsonValue, where: str) -> Literal:
        """The default ``value``, in JSON form, of a field of type ``type_`` at ``where``.

        Raises SchemaError where the value does not fit the type.
        """
        match type_:
            case Primitive():
                return primitive(type_, value, where)
            case Logical():
                return logical(type_, value, where)
            case Json():
                return json_literal(value)
            case Array():
                return self._array(type_, value, where)
            case Map():
                return self._map(type_, value, where)
            case Optional():
                no_value = constant("None", None)
                return no_value if value is None else self.read(type_.item, value, where)
            case Union():
                return self._union(type_, value, where)
            case Reference():
                return self._named(type_, value, where)

    def _array(self, array: Array, value: JsonValue, where: str) -> Literal:
        items = [
            self.read(array.items, item, f"{where}[{index}]")
            for index, item in enumerate(_list(value, where))
        ]
        code = list_of([item.code for item in items])
        if array.vector_kind is None:
            return Literal(
                code, lambda classes: [item.build(classes) for item in items], mutable=True
            )
        make = _VECTORS[array.vector_kind]
        return Literal(
            call(f"exact.{make.__name__}", *([code] if items else [])),
            lambda classes: make([item.build(classes) for item in items]),
            mutable=True,
        )

    def _map(self, map_: Map, value: JsonValue, where: str) -> Literal:
        entries = [
            (map_key(map_.keys, key, where), self.read(map_.values, item, f"{where}.{key}"))
            for key, item in _dict(value, where).items()
        ]
        return Literal(
            dict_of([(flat(key.code), item.code) for key, item in entries]),
            lambda classes: {key.build(classes): item.build(classes) for key, item in entries},
            mutable=True,
        )

    def _named(self, reference: Reference, value: JsonValue, where: str) -> Literal:
        match self._schema.types[reference.name]:
            case Record() as record:
                return self._record(record, _dict(value, where), where)
            case Enum() as enum:
                return self._enum(enum, value, where)
            case Fixed() as fixed:
                literal = from_base64(value, where)
                if len(literal.build({})) != fixed.size:
                    raise misfit(f"{fixed.size} bytes", value, where)
                return literal

    def _enum(self, enum: Enum, value: JsonValue, where: str) -> Literal:
        class_name = self._names.classes[enum.name]
        member = self._names.members[enum.name].get(expect(str, value, where))
        if member is None:
            raise misfit(f"a symbol of {enum.name}", value, where)
        return Literal(
            f"{class_name}.{member}", lambda classes: getattr(classes[class_name], member)
        )

    def _record(self, record: Record, value: Mapping[str, JsonValue], where: str) -> Literal:
        unknown = value.keys() - {json_key(field) for field in record.fields} - {"$type"}
        if unknown:
            raise misfit(f"a field of {record.name}", min(unknown), where)
        values = dict(self._arguments(record, value, where))
        class_name = self._names.classes[record.name]
        return Literal(
            call(class_name, *(prefixed(f"{name}=", item.code) for name, item in values.items())),
            lambda classes: classes[class_name](
                **{name: item.build(classes) for name, item in values.items()}
            ),
            mutable=True,
        )

    def _arguments(
        self, record: Record, value: Mapping[str, JsonValue], where: str
    ) -> Iterator[tuple[str, Literal]]:
        for field in record.fields:
            key = json_key(field)
            if key in value:
                attribute = self._names.attributes[record.name][field.name]
                yield attribute, self.read(field.type, value[key], f"{where}.{field.name}")
            elif field.default is None:
                raise SchemaError(f"the default has no value for {field.name}", where=where)

    def _union(self, union: Union, value: JsonValue, where: str) -> Literal:
        if isinstance(value, dict) and "$type" in value:
            return self._tagged(union, value, where)
        for branch, box in zip(union.branches, self._names.box(union), strict=True):
            if box is None and self._fits(branch, value, union):
                return self.read(branch.type, value, where)
        raise misfit("a value of any branch", value, where)

    def _tagged(self, union: Union, value: dict[str, JsonValue], where: str) -> Literal:
        tag = value["$type"]
        for branch, box in zip(union.branches, self._names.box(union), strict=True):
            if box is not None and box == tag:
                return self._box(box, branch, value, where)
            named = branch.type.name if isinstance(branch.type, Reference) else ""
            if box is None and self._names.classes.get(named) == tag:
                return self.read(branch.type, value, where)
        raise misfit("the class of a branch as $type", tag, where)

    def _box(self, box: str, branch: Branch, value: dict[str, JsonValue], where: str) -> Literal:
        if value.keys() != {"$type", "value"}:
            raise misfit("an object of $type and value", value, where)
        item = self.read(branch.type, value["value"], where)
        return Literal(
            call(box, prefixed("value=", item.code)),
            lambda classes: classes[box](value=item.build(classes)),
            mutable=True,
        )

    def _fits(self, branch: Branch, value: JsonValue, union: Union) -> bool:
        match group(branch.type, self._schema.types):
            case "null":
                return value is None
            case "boolean":
                return isinstance(value, bool)
            case "int":
                return isinstance(value, int) and not isinstance(value, bool)
            case "float":
                return self._fits_float(value, union)
            case "text":
                return isinstance(value, str)
            case "list":
                return isinstance(value, list)
            case "dict":
                return isinstance(value, dict)
            case "record":
                return False

    def _fits_float(self, value: JsonValue, union: Union) -> bool:
        groups = {group(branch.type, self._schema.types) for branch in union.branches}
        if isinstance(value, str):
            return value in FLOAT_WORDS and "text" not in groups
        if isinstance(value, int):
            return not isinstance(value, bool) and "int" not in groups
        return isinstance(value, float)


def _list(value: JsonValue, where: str) -> list[JsonValue]:
    if not isinstance(value, list):
        raise misfit("a list", value, where)
    return value


def _dict(value: JsonValue, where: str) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise misfit("an object", value, where)
    return value
