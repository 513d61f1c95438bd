"""Compiles records of formats that have the fields of the writer in its order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from ...migrations.conversion import RecordConversion
from ...schemas.model import Record
from . import core
from .reading import ReadingCompiler
from .scratch import Inner, Members, Taken


class _Step(NamedTuple):
    """A node of a record and its slot, as ``core.RECORD`` has them."""

    node: int
    slot: int


@dataclass(slots=True)
class OrderedCompiler(ReadingCompiler):
    """Reads each field to its places, one after the other, and then the defaults."""

    def frame(self, record: Record) -> tuple[bytes, ...]:
        """What stands around the fields of a record of the writer, if anything does."""
        del record
        return ()

    def plain_record(self, node: int, members: Members, conversion: RecordConversion) -> None:
        """The writer's fields in order, each to its places, and then the defaults."""
        slots, steps = self.slots(conversion), self._steps(members)
        steps += [_Step(made, slots[name]) for made, name in self.fills(conversion)]
        attributes = self.types.names.attributes[conversion.target]
        names = {slots[name]: attributes[name] for name in slots}
        self.draft.fill(
            node,
            core.RECORD,
            *(step.node for step in steps),
            slots=tuple(step.slot for step in steps),
            object=self.types.record(conversion.target),
            objects=self.frame(members.record),
            names={names[abs(step.slot)]: at for at, step in enumerate(steps) if step.slot},
        )

    @property
    def reads_apart(self) -> bool:
        """Fields go to the record itself as they come, but for those of the scratch."""
        return True

    def scratch(self, members: Members) -> int:
        """The node of the scratch of a record."""
        steps = self._steps(members)
        return self.draft.add(
            core.SCRATCH,
            *(step.node for step in steps),
            slots=tuple(step.slot for step in steps),
            objects=self.frame(members.record),
            size=members.size,
        )

    def _steps(self, members: Members) -> list[_Step]:
        steps: list[_Step] = []
        by_source: defaultdict[str, list[Taken | Inner]] = defaultdict(list)
        for taken in members.taken:
            by_source[taken.source].append(taken)
        for origin in members.record.fields:
            found = by_source[origin.name]
            if not found:
                steps.append(_Step(self.raw(origin.type), 0))
                continue
            made = [_Step(self.value(taken, origin.type), taken.slot) for taken in found]
            # All but the last leave the cursor where it was.
            steps += [_Step(step.node, -step.slot) for step in made[:-1]]
            steps.append(made[-1])
        return steps
