"""What the ops of a migration make of a schema: where each field then comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ..schemas.model import Default, Record, Schema
from .compute import Compute
from .ops import Convert, Head, Wrap, title
from .rules import Split

Path: TypeAlias = tuple[str, ...]
Step: TypeAlias = Convert | Wrap | Head


@dataclass(frozen=True, slots=True)
class Piece:
    """A value of the source record, by the names of the fields that lead to it."""

    path: Path
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """A value that no source has; ``None`` stands for the default of the schema."""

    default: Default | None


@dataclass(frozen=True, slots=True)
class Called:
    """The result ``index`` of the call ``call`` of the record; ``op`` is its op in words."""

    call: int
    index: int
    op: str


@dataclass(frozen=True, slots=True)
class Group:
    """A record made of what stood in ``base``, if anything did, and of further parts."""

    base: Piece | None
    parts: dict[str, Origin]


Origin: TypeAlias = Piece | Added | Called | Group


@dataclass(frozen=True, slots=True)
class FormCall:
    """A call with the pieces that it reads and the names of what it writes."""

    function: Compute | Split
    forward: bool
    reads: tuple[Piece, ...]
    writes: tuple[str, ...]


@dataclass(slots=True)
class RecordForm:
    """The fields of one record type as the ops left them, by name.

    ``touched`` has the names that ops gave, which the target has to know.
    """

    fields: dict[str, Origin]
    calls: list[FormCall] = field(default_factory=list[FormCall])
    touched: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class Form:
    """The record types of a source schema, by full name, that ops name; ``untouched`` are those
    that none does, as far as they were asked for.
    """

    schema: Schema
    records: dict[str, RecordForm] = field(default_factory=dict[str, RecordForm])
    untouched: dict[str, RecordForm] = field(default_factory=dict[str, RecordForm])

    def record(self, record: Record) -> RecordForm:
        """The form of a record type, which is the type itself where no op names it."""
        found = self.records.get(record.name)
        if found is not None:
            return found
        if record.name not in self.untouched:
            self.untouched[record.name] = RecordForm(whole(record))
        return self.untouched[record.name]

    def change(self, record: Record) -> RecordForm:
        """The same, for ops to change."""
        if record.name not in self.records:
            self.records[record.name] = RecordForm(whole(record))
        return self.records[record.name]


def op_words(origin: Origin, name: str) -> str:
    """The op that made a field what it is, in words."""
    match origin:
        case Piece(step=step) if step is not None:
            return title(step)
        case Called():
            return origin.op
        case Added():
            return f"add {name}"
        case _:
            return f"what moved into {name}"


def whole(record: Record) -> dict[str, Origin]:
    """The fields of a record, each from where it stands."""
    return {f.name: Piece((f.name,)) for f in record.fields}
