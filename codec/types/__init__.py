"""The Python types of a schema: described once, then built, generated or checked."""

from .classes import SchemaTypes, bind_types, build_types

__all__ = ["SchemaTypes", "bind_types", "build_types"]
