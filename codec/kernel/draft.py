"""Puts a program together: nodes by index, records before their fields are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..library.source import Scalar
from ..types import SchemaTypes
from . import core
from .spec import Spec


class NotPlainError(Exception):
    """A class cannot be written in place, so the library engine has to make its objects."""


def _no_coding(_: Scalar) -> int:
    return core.NO_NUMBER


@dataclass(slots=True)
class Draft:
    """The nodes so far. ``coding`` says how a format writes a scalar that is a number."""

    specs: list[Spec] = field(default_factory=list[Spec])
    coding: Callable[[Scalar], int] = _no_coding

    def add(self, op: int, *nodes: int, **parts: Any) -> int:
        """A node, and its index."""
        self.specs.append(Spec(op, nodes, **parts))
        return len(self.specs) - 1

    def fill(self, index: int, op: int, *nodes: int, **parts: Any) -> None:
        """Say what a reserved node is."""
        self.specs[index] = Spec(op, nodes, **parts)

    def reserve(self) -> int:
        """The index of a node that is filled later: it may be among its own parts."""
        return self.add(core.NEVER)

    def called(self, node: int, function: Callable[[Any], Any] | None) -> int:
        """A node whose value goes through a Python function, if there is one."""
        return node if function is None else self.add(core.CALL, node, object=function)


def record_slots(cls: type, names: tuple[str, ...]) -> tuple[int, ...]:
    """Where the attributes of ``cls`` are; raises NotPlainError where it is not so simple."""
    found = None if hasattr(cls, "__post_init__") else core.slots_of(cls, names)
    if found is None:
        raise NotPlainError(cls.__qualname__)
    return found


def box_of(types: SchemaTypes, name: str) -> dict[str, Any]:
    """The class and the slot of a box, as parts of its node."""
    cls = types.boxes[name]
    return {"object": cls, "slots": record_slots(cls, ("value",))}
