"""The nodes of a program as plain values, as the kernel is given them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Spec(NamedTuple):
    """One node: what its parts mean for each ``op`` is said in ``nodes.pxi``.

    ``nodes`` are indexes into the list that this spec is part of, ``slots`` offsets into a
    record in bytes, and ``names`` has the index of the node of each attribute.

    The rest is for Protobuf alone: ``coding`` says how a number is written, ``steps`` have the
    tag, flags and bit of each node of a message, and ``numbers`` are those of symbols.
    """

    op: int
    nodes: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()
    objects: tuple[Any, ...] = ()
    object: Any = None
    size: int = 0
    extra: int = 0
    names: Mapping[str, int] | None = None
    coding: int = 0
    steps: tuple[tuple[int, int, int], ...] = ()
    numbers: tuple[int, ...] = ()
