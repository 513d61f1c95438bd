"""Reads typed objects of one version, to turn them into those of another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from ...errors import ValueMismatch
from ...schemas.model import Array, Enum, Field, Map, Optional, Record, Type, Union
from ..checks import check_for
from ..containers import exact_dict, exact_list
from ..mismatch import mismatch
from ..record import residue_of
from ..types import SchemaTypes
from ..vectors import typecode, vector_check
from .python_union import split_by_class
from .source import Getter, Raw, Scalar


class ObjectSource:
    """The source whose raw values are the Python objects of ``types``."""

    def __init__(self, types: SchemaTypes) -> None:
        self._types = types

    def open_record(self, record: Record) -> Getter | None:
        cls = self._types.record(record.name)

        def check(raw: Raw) -> Raw:
            if type(raw) is not cls:
                raise mismatch(cls.__name__, raw)
            return raw

        return check

    def residue(self, record: Record) -> Callable[[Raw], bytes | None] | None:
        del record
        return residue_of

    def field(self, record: Record, field: Field) -> Getter:
        return attrgetter(self._types.names.attributes[record.name][field.name])

    def item(self, inner: Type) -> Getter | None:
        del inner
        return None

    def scalar(self, scalar: Scalar) -> Getter | None:
        return check_for(scalar, self._types.schema)

    def symbols(self, enum: Enum) -> Mapping[Any, str]:
        members = self._types.enum(enum.name)
        return {members(symbol.name): symbol.name for symbol in enum.symbols}

    def optional(self, optional: Optional) -> Getter | None:
        del optional
        return None

    def union(self, union: Union) -> Callable[[Raw], tuple[int, Raw]]:
        return split_by_class(union, self._types)

    def array(self, array: Array) -> Callable[[Raw], Iterable[Raw]] | None:
        del array
        return exact_list

    def vector(self, vector: Array) -> Callable[[Raw], Any]:
        return vector_check(typecode(vector))

    def map(self, map_: Map) -> Callable[[Raw], Iterable[tuple[Any, Raw]]]:
        check = check_for(map_.keys, self._types.schema)

        def entries(raw: Raw) -> Iterable[tuple[Any, Raw]]:
            for key, value in exact_dict(raw).items():
                yield _checked_key(check, key), value

        return entries


def _checked_key(check: Callable[[Any], Any], key: Any) -> Any:
    try:
        return check(key)
    except ValueMismatch as error:
        raise ValueMismatch(f"a key is wrong: {error.what}") from None
