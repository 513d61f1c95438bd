"""The nodes of oneofs of Protobuf, whose branches are fields of the message."""

from __future__ import annotations

from ...migrations.conversion import Maybe, NullToDefault, Require, ToItem
from ...schemas.model import Array, Optional, Union
from . import core
from .draft import NotPlainError
from .scratch import Taken


def oneof_nodes(taken: Taken, oneof: Union) -> list[int] | None:
    """A node for each branch of a oneof; ``None`` where it is no oneof to the conversion."""
    conversion, target, compiler = taken.conversion, taken.target, taken.compiler
    draft = compiler.draft
    inner = target.item if isinstance(target, Optional) else target
    match conversion, inner:
        case Require(), _:
            return compiler.branches(conversion.item, oneof, inner)
        case Maybe(), _:
            nodes = compiler.branches(conversion.item, oneof, inner)
            return [draft.add(core.OPTIONAL, node) for node in nodes]
        case ToItem(optional=True), Array():
            nodes = compiler.branches(conversion.item, oneof, inner.items)
            nodes = [draft.add(core.OPTIONAL, node) for node in nodes]
            return [compiler.listed(node, inner, optional=True) for node in nodes]
        case NullToDefault(), _:
            raise NotPlainError("a default in the place of a oneof")
        case _:
            return None
