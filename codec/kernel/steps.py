"""The nodes of scalars that are converted in several steps, or by a rule that is data.

The mirror of :mod:`..library.scalar_steps`. What happens to the symbols of an enum is found
out when the program is made: a rule costs nothing then.
"""

from __future__ import annotations

from typing import Any, Protocol

from ...migrations.conversion import Apply, Conversion, MapSymbols, Maybe, Require, Then
from ...schemas.model import (
    Enum,
    Json,
    Logical,
    Optional,
    Primitive,
    Reference,
    Schema,
    Type,
)
from ..library.scalar_steps import change, member, rule_change
from ..library.source import Scalar
from ..types import SchemaTypes
from .draft import Draft


class Compiler(Protocol):
    """What compiles the values that the steps begin with."""

    schema: Schema
    types: SchemaTypes
    draft: Draft

    def compile(self, conversion: Conversion, kind: Type, target: Type) -> int:
        """The node of a value."""
        ...

    def scalar(self, scalar: Scalar) -> int:
        """The node of a scalar as its Python value."""
        ...

    def symbols(self, enum: Enum, objects: tuple[Any, ...]) -> int:
        """The node of an enum with an object for each symbol."""
        ...

    def optional_of(self, kind: Optional, item: int, *, refused: bool) -> int:
        """The node of an optional scalar; ``refused`` says that null is."""
        ...


def stepped(compiler: Compiler, conversion: Apply | Then, kind: Type, target: Type) -> int:
    """The node of a scalar as the reader's Python value."""
    node = _plain(compiler, conversion, kind)
    return compiler.draft.changed(node, member(compiler.types, target))


def _plain(compiler: Compiler, conversion: Conversion, kind: Type) -> int:
    """The node of a scalar after steps, an enum as the text of its symbol."""
    draft, schema = compiler.draft, compiler.types.schema
    match conversion, kind:
        case Then(), _:
            first = _plain(compiler, conversion.first, kind)
            return draft.changed(first, change(conversion.second, schema))
        case Apply(takes_null=True), Optional():
            optional = compiler.optional_of(kind, _raw(compiler, kind.item), refused=False)
            return draft.changed(optional, rule_change(conversion))
        case Apply(), _:
            return draft.changed(_raw(compiler, kind), rule_change(conversion))
        case MapSymbols(), _:
            return draft.changed(_raw(compiler, kind), change(conversion, schema))
        case ((Maybe() | Require()), Optional()):
            item = _plain(compiler, conversion.item, kind.item)
            refused = isinstance(conversion, Require)
            return compiler.optional_of(kind, item, refused=refused)
        case _:
            return compiler.compile(conversion, kind, kind)


def _raw(compiler: Compiler, kind: Type) -> int:
    """The node of a scalar as Python has it, an enum as the text of its symbol."""
    named = compiler.schema.types[kind.name] if isinstance(kind, Reference) else kind
    if isinstance(named, Enum):
        return compiler.symbols(named, tuple(symbol.name for symbol in named.symbols))
    if not isinstance(kind, Primitive | Logical | Json | Reference):
        raise TypeError(f"{kind} is no scalar")
    return compiler.scalar(kind)
