"""Pydantic models of a schema: what a user of Pydantic would write for the same state."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, get_args

from ..codec import exact
from ..codec.types import SchemaTypes
from ..codec.types.blueprint import FieldSpec, StructSpec, blueprint
from ..errors import MissingExtra

TYPE_KEY = "$type"
_KIND = "type_"
"""The attribute that holds what ``$type`` says."""
# As Any: checkers take only what is written out within the brackets.
_LITERAL: Any = Literal


def import_pydantic() -> Any:
    """The package ``pydantic``. Raises MissingExtra where it is not installed."""
    try:
        return import_module("pydantic")
    except ImportError as error:
        raise MissingExtra("comparing with Pydantic needs it", extra="bench") from error


def pydantic_model(types: SchemaTypes) -> Any:
    """The model of the root record; enums are the very classes of ``types``.

    Unions of records are told by ``$type``, which is the fastest way that Pydantic has.
    """
    models = _Models(types)
    return models[types.names.classes[types.schema.root]]


class _Models(dict[str, Any]):
    """Classes by name; a model is made when it is first asked for."""

    def __init__(self, types: SchemaTypes) -> None:
        plan = blueprint(types.schema)
        super().__init__({spec.name: types.enum(spec.key) for spec in plan.enums})
        self._specs = {spec.name: spec for spec in plan.structs}
        self._pydantic = import_pydantic()

    def __missing__(self, name: str) -> Any:
        self[name] = made = self._model(self._specs[name])
        return made

    def _model(self, spec: StructSpec) -> Any:
        fields = {field.attribute: self._field(field) for field in spec.fields}
        if spec.tag is not None:
            fields[_KIND] = (_LITERAL[spec.tag], self._pydantic.Field(alias=TYPE_KEY))
        return self._pydantic.create_model(spec.name, **fields)

    def _field(self, spec: FieldSpec) -> tuple[Any, Any]:
        hint = spec.hint.build(self)
        is_vector = hint in (exact.FloatVector, exact.DoubleVector)
        options: dict[str, Any] = {"alias": spec.key}
        if all(_KIND in getattr(part, "model_fields", ()) for part in get_args(hint) or (None,)):
            options["discriminator"] = _KIND
        default = spec.default
        if default is not None:
            options["default_factory"] = lambda: default.build(self)
        if is_vector and default is not None:
            options["default_factory"] = lambda: default.build(self).tolist()
        return list[float] if is_vector else hint, self._pydantic.Field(**options)
