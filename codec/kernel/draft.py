"""Puts a program together: nodes by index, records before their fields are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...errors import ValueMismatch
from ..library.source import Scalar
from ..types import SchemaTypes
from . import core
from .spec import Spec


class NotPlainError(Exception):
    """A class cannot be written in place, so the library engine has to make its objects."""


_AROUND = frozenset({core.BOX, core.CALL, core.TO_ITEM, core.FIRST_ITEM})
_NULL: Any = object()


def _changed(value: Any, function: Callable[[Any], Any]) -> Any:
    """What a symbol becomes: ``None`` where the function refuses it."""
    try:
        found = function(value)
    except ValueMismatch:
        return None
    return _NULL if found is None else found


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

    def called(
        self, node: int, function: Callable[[Any], Any] | None, *, flat: bool = False
    ) -> int:
        """A node whose value goes through a Python function, if there is one.

        ``flat`` says that what it gives holds nothing else.
        """
        if function is None:
            return node
        return self.add(core.CALL, node, object=function, extra=core.FLAT if flat else 0)

    def changed(self, node: int, function: Callable[[Any], Any] | None) -> int:
        """The same for a scalar and a function that depends on nothing but its value: symbols
        are changed here and now.
        """
        spec = self.specs[node]
        if function is None or spec.op != core.ENUM:
            return self.called(node, function, flat=True)
        # In JSON and MessagePack, the bytes of each object stand behind all of them.
        count = spec.size or len(spec.objects)
        objects, spelled = spec.objects[:count], spec.objects[count:]
        changed = [None if held is None else _changed(held, function) for held in objects]
        if any(held is _NULL for held in changed) or (spelled and None in objects):
            return self.called(node, function, flat=True)
        if spelled:
            known = [at for at, held in enumerate(changed) if held is not None]
            changed = [changed[at] for at in known] + [spelled[at] for at in known]
            spec = spec._replace(size=len(known))
        self.specs.append(spec._replace(objects=tuple(changed)))
        return len(self.specs) - 1

    def innermost(self, node: int) -> int:
        """The node that this one changes the value of, or the node itself."""
        while self.specs[node].op in _AROUND:
            node = self.specs[node].nodes[0]
        return node


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
