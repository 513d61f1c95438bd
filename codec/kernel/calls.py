"""Compiles the calls of a record: their arguments, and where their results stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...migrations.conversion import Call, Fill, Made, Take
from ...schemas.model import Schema, Type
from ..library.calls import argument_type
from ..library.load import carried_result
from ..types import SchemaTypes
from . import core
from .defaults import argument_default
from .draft import Draft
from .functions import check_node, function_of, is_flat
from .scalars import is_same
from .scratch import PLACE, Compiler, Places, Versions


def held(draft: Draft, place: int, flags: int = 0, missing: int | None = None) -> int:
    """The node of what stands at a place, or ``missing`` where nothing does."""
    nodes = () if missing is None else (missing,)
    return draft.add(core.HELD, *nodes, size=place, extra=flags)


def flat(schema: Schema, kind: Type) -> int:
    """The flag of a value that holds no other."""
    return core.FLAT if is_flat(schema, kind) else 0


@dataclass(slots=True)
class Calls:
    """The functions that run on one scratch. ``take`` gives the node of a value of it."""

    compiler: Compiler
    places: Places
    take: Callable[[Compiler, Take, Type], int]
    functions: list[int] = field(default_factory=list[int])
    results: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, call: Call, beside: Sequence[Call]) -> None:
        """Add a call, unless a record around this one has it already; ``beside`` are all of the
        record.
        """
        if id(call) in self.results:
            return
        types = self._version(call.results)
        function = function_of(call, types)
        arguments = [self._argument(call, read, beside) for read in call.reads]
        checks = [check_node(self.compiler.draft, types, kind) for kind in function.kinds]
        place = self.places.reserve(len(function.kinds))
        self.results[id(call)] = place
        node = self.compiler.draft.add(
            core.FUNCTION,
            *arguments,
            *checks,
            object=function.run,
            objects=function.accepts,
            size=place,
            extra=function.several,
        )
        self.functions.append(node)

    def _argument(self, call: Call, read: Take | Fill | Made, beside: Sequence[Call]) -> int:
        types = self._version(call.arguments)
        kind = argument_type(call, read.target)
        match read:
            case Take():
                return self.take(self.compiler.beside(call.records, types), read, kind)
            case Fill():
                return argument_default(
                    self.compiler.draft, types, read, kind, self.compiler.versions
                )
            case Made():
                return self.made(read, beside, types, kind)

    def made(self, made: Made, calls: Sequence[Call], types: SchemaTypes, target: Type) -> int:
        """A result of one of the calls of the record."""
        call, draft = calls[made.call], self.compiler.draft
        place = self.results[id(call)] + made.index * PLACE
        if made.later is None or is_same(made.later.conversion):
            return held(draft, place, flat(types.schema, target))
        change = carried_result(types, made.later, target, self._versions)
        return draft.called(held(draft, place), change, flat=is_flat(types.schema, target))

    @property
    def _versions(self) -> Versions:
        if self.compiler.versions is None:
            raise TypeError("a graph with calls is compiled with the types of its versions")
        return self.compiler.versions

    def _version(self, schema: Schema) -> SchemaTypes:
        return self._versions(schema.version)
