"""What a proposal is: ops with their text, and functions that are still to be written."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ops import Op


@dataclass(frozen=True, slots=True)
class Stub:
    """A function that somebody has to write: its name, arguments and result, as text."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    returns: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """One op on the record at ``path``, empty for the root.

    ``text`` is its Python. ``confirm`` says what it was guessed from; nothing where the
    schemas leave no choice. ``stubs`` are the functions that it needs.
    """

    path: str
    op: Op
    text: str
    confirm: str = ""
    stubs: tuple[Stub, ...] = ()


@dataclass(slots=True)
class Proposal:
    """The ops for one step, in their order, and what they leave open.

    ``derived`` says in words what needs no op; ``open`` are the problems that are left.
    """

    subject: str
    source: int
    target: int
    ops: list[Proposed] = field(default_factory=list[Proposed])
    derived: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.ops or self.open)

    @property
    def stubs(self) -> list[Stub]:
        """The functions that are to be written."""
        return [stub for op in self.ops for stub in op.stubs]
