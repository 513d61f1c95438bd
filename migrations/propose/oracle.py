"""Asks the derivation itself what ops would still leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import MigrationMismatch
from ...schemas.model import Schema
from ..derive import derive
from ..ops import Op, within
from .proposal import Proposed


@dataclass(frozen=True, slots=True)
class Oracle:
    """The two versions, the older first."""

    older: Schema
    newer: Schema

    def problems(self, ops: Sequence[Proposed]) -> list[str]:
        """What keeps the versions from being linked by these ops, up and then down, in words."""
        real = arranged(ops)
        return [
            *_problems(self.older, self.newer, real),
            *_problems(self.newer, self.older, real),
        ]

    def improves(self, ops: Sequence[Proposed], candidate: Sequence[Proposed]) -> bool:
        """Whether some problems go, and none comes, with further ops."""
        before, after = set(self.problems(ops)), set(self.problems([*ops, *candidate]))
        return after < before

    def fits(self, ops: Sequence[Proposed], candidate: Sequence[Proposed]) -> bool:
        """Whether no problem comes with further ops."""
        return set(self.problems([*ops, *candidate])) <= set(self.problems(ops))


def arranged(ops: Sequence[Proposed]) -> list[Op]:
    """Ops on nested records first, since their paths have the older names."""
    paths = dict.fromkeys(op.path for op in ops if op.path)
    inner = [within(path, *(op.op for op in ops if op.path == path)) for path in paths]
    return [*inner, *(op.op for op in ops if not op.path)]


def _problems(source: Schema, target: Schema, ops: Sequence[Op]) -> list[str]:
    try:
        derive(source, target, ops)
    except MigrationMismatch as error:
        return [f"{target.version}: {line}" for line in error.what.split("\n  ")[1:]]
    return []
