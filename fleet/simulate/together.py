"""Which fields of a newer version one op makes together, of the same older ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...codec.subject import Subject
from ...migrations.compute import Compute
from ...migrations.ops import Convert, Op, Within


@dataclass(frozen=True, slots=True)
class Together:
    """Groups of names; ``any_`` where an op before the last step makes several.

    Those may have other names by now, so any two fields of a record may be of one group.
    """

    groups: tuple[frozenset[str], ...]
    any_: bool

    @classmethod
    def of(cls, subject: Subject, low: int, high: int) -> Together:
        """What the migrations from ``low`` to ``high`` make together."""
        steps = [step for step in subject.chain.migrations if low < step.target <= high]
        last = tuple(group for step in steps if step.target == high for group in _groups(step.ops))
        return cls(last, any(any(_groups(step.ops)) for step in steps if step.target < high))

    def are(self, first: str, second: str) -> bool:
        """Whether one op may make both fields."""
        return self.any_ or any({first, second} <= group for group in self.groups)


def _groups(ops: Sequence[Op]) -> Iterator[frozenset[str]]:
    for op in ops:
        match op:
            case Within():
                yield from _groups(op.ops)
            case Compute() | Convert() if len(op.writes) > 1:
                yield frozenset(op.writes)
            case _:
                pass
