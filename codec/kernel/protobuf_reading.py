"""Compiles a reading into a program that makes the reader's objects of Protobuf payloads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...migrations.conversion import (
    Conversion,
    Graph,
    MapBranches,
    Maybe,
    RecordConversion,
    Require,
)
from ...migrations.derive import identity
from ...schemas.model import (
    Array,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)
from ..checks import check_for
from ..library.format import Reading
from ..library.source import Scalar
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from . import core
from .draft import NotPlainError
from .protobuf_form import (
    DEEPEST_MESSAGE,
    Place,
    Placed,
    block_place,
    coding_of,
    field_place,
    is_wrapped,
    item_place,
    numbers_of,
    oneof_of,
    place,
)
from .protobuf_known import well_known
from .protobuf_oneof import oneof_nodes
from .reading import ReadingCompiler
from .scalars import raw_scalar, read_scalar, vector_node
from .scratch import Inner, Members, Taken

MOST_FIELDS = 512
"""Fields of one message whose presence the kernel tells apart."""


_NO_PLACE = Place(0, 0)
"""Of a field that no message has."""
_NOWHERE = -1
"""The slot of a field that is passed over."""


class _Origin(NamedTuple):
    """A field of the writer's record, and its bit."""

    record: Record
    field: Field
    bit: int


def compile_reading(reading: Reading, limits: Limits) -> core.Program:
    """The program of a reading; raises NotPlainError where a class is out of the ordinary."""
    graph: Graph = reading.graph or identity(reading.schema)
    compiler = _Compiler(graph.records, reading.schema, reading.reader, limits, reading.versions)
    compiler.draft.coding = lambda scalar: coding_of(reading.schema, scalar)
    root = compiler.record(graph.root)
    return core.Program(FORMAT_CODES["protobuf"], compiler.draft.specs, root, DEEPEST_MESSAGE)


def _checked(steps: Iterable[Placed]) -> tuple[tuple[int, int, int], ...]:
    """What a spec has of the steps of a record."""
    if any(step.bit >= MOST_FIELDS for step in steps):
        raise NotPlainError(f"more than {MOST_FIELDS} fields")
    return tuple(step.step for step in steps)


def _names(steps: Iterable[Placed], attributes: Mapping[int, str]) -> dict[str, int]:
    """The index of the step of each attribute; of a oneof, that which says what is missing."""
    return {
        attributes[step.slot]: at
        for at, step in enumerate(steps)
        if step.slot in attributes and not step.place.flags & core.ALSO
    }


class _Compiler(ReadingCompiler):
    def scalar(self, scalar: Scalar) -> int:
        found = self._well_known(scalar)
        return read_scalar(self.draft, scalar, self.schema) if found is None else found

    def _well_known(self, kind: Type) -> int | None:
        """The node of a scalar that is a message of its own, if it is one."""
        if isinstance(kind, Primitive) and kind.well_known is not None:
            return self._wrapper(Primitive(kind.kind, kind.wire))
        if isinstance(kind, Logical | Json) and kind.well_known is not None:
            return well_known(self.draft, kind, self.schema)
        return None

    def _wrapper(self, kind: Primitive, node: int | None = None) -> int:
        """A message of google.protobuf around a scalar: a zero is left out of it."""
        inner = read_scalar(self.draft, kind, self.schema) if node is None else node
        return self._message([Placed(place(self.schema, 1, kind), inner)])

    def _message(self, steps: Iterable[Placed], op: int = core.WRAP) -> int:
        """A message of which one value is made."""
        found = sorted(steps)
        parts = tuple(placed.step for placed in found)
        return self.draft.add(op, *(placed.node for placed in found), steps=parts)

    def _wrapped(self, kind: Type, node: int) -> int:
        """The node of an item, which may need a message around it."""
        if not is_wrapped(kind):
            return node
        return self._message([self._placed(place(self.schema, 1, kind), node)])

    def _placed(self, found: Place, node: int, slot: int = 0, bit: int = 0) -> Placed:
        """A node at its place. Where null has no value, an optional is required to be there."""
        if self._is_vector(node):
            found = block_place(found)
        flags = found.flags
        if flags & core.MAYBE:
            flags = 0 if self._is_maybe(node) else core.REQUIRED
        return Placed(Place(found.tag, flags), node, slot, bit)

    def _is_maybe(self, node: int) -> bool:
        """Whether null has a value, as what stands in the node at last."""
        return self.draft.specs[self.draft.innermost(node)].op == core.OPTIONAL

    def _is_vector(self, node: int) -> bool:
        """Whether the node is a vector, in a box or not, or is made of one."""
        spec = self.draft.specs[node]
        around = spec.op in {core.BOX, core.CALL}
        return spec.op == core.VECTOR or (around and self._is_vector(spec.nodes[0]))

    def is_block(self, kind: Array) -> bool:
        # Each number of a list of a .proto may have a tag of its own.
        return self.schema.language == "avro" and super().is_block(kind)

    def item(self, conversion: Conversion, kind: Type, target: Type) -> int:
        return self._wrapped(kind, self.compile(conversion, kind, target))

    def raw(self, kind: Type) -> int:
        match kind:
            case Reference():
                return self._raw_named(kind)
            case Optional():
                return self.draft.add(core.OPTIONAL, self._inside(kind, self.raw(kind.item)))
            case Union():
                nodes = [self._raw_item(branch.type) for branch in kind.branches]
                return self._union_of(kind, nodes)
            case Array() if self.is_block(kind):
                return vector_node(self.draft, replace(kind, vector=True))
            case Array():
                return self.draft.add(core.ARRAY, self._raw_item(kind.items))
            case Map():
                return self.map(kind, kind, self._raw_item(kind.values))
            case _:
                found = self._well_known(kind)
                return raw_scalar(self.draft, kind, self.schema) if found is None else found

    def _raw_item(self, kind: Type) -> int:
        return self._wrapped(kind, self.raw(kind))

    def _raw_named(self, kind: Reference) -> int:
        named = self.schema.types[kind.name]
        if isinstance(named, Enum):
            return self.symbols(named, tuple(symbol.name for symbol in named.symbols))
        if not isinstance(named, Record):
            return self.draft.add(core.BYTES)
        if kind.name not in self.passed:
            node = self.passed[kind.name] = self.draft.reserve()
            fields = enumerate(named.fields)
            origins = [_Origin(named, member, bit) for bit, member in fields]
            self._fill_record(
                node, [step for origin in origins for step in self._passed(origin)], None
            )
        return self.passed[kind.name]

    def _passed(self, origin: _Origin) -> list[Placed]:
        """The steps of a field that goes nowhere."""
        kind, oneof = origin.field.type, oneof_of(origin.field.type)
        if oneof is None:
            found = field_place(self.schema, origin.record, origin.field)
            return [self._placed(found, self.raw(kind), _NOWHERE, origin.bit)]
        nodes = [self._raw_item(branch.type) for branch in oneof.branches]
        return self._cases(oneof, nodes, _NOWHERE, origin.bit)

    def plain_record(self, node: int, members: Members, conversion: RecordConversion) -> None:
        slots, steps = self.slots(conversion), self._steps(members)
        for bit, (made, name) in enumerate(self.fills(conversion), len(members.record.fields)):
            steps.append(Placed(_NO_PLACE, made, slots[name], bit))
        attributes = self.types.names.attributes[conversion.target]
        names = {slots[name]: attributes[name] for name in slots}
        self._fill_record(node, steps, self.types.record(conversion.target), names)

    def scratch(self, members: Members) -> int:
        steps = sorted(self._steps(members))
        parts = _checked(steps)
        return self.draft.add(
            core.SCRATCH,
            *(step.node for step in steps),
            slots=tuple(step.slot for step in steps),
            steps=parts,
            size=members.size,
        )

    def _steps(self, members: Members) -> list[Placed]:
        """The steps of all fields of the writer."""
        steps: list[Placed] = []
        by_source: defaultdict[str, list[Taken | Inner]] = defaultdict(list)
        for taken in members.taken:
            by_source[taken.source].append(taken)
        for bit, member in enumerate(members.record.fields):
            origin, found = _Origin(members.record, member, bit), by_source[member.name]
            for taken in found:
                steps += self._taken(origin, taken)
            if not found:
                steps += self._passed(origin)
        return steps

    def _taken(self, origin: _Origin, taken: Taken | Inner) -> list[Placed]:
        """The steps of a field that goes to a slot."""
        kind, oneof = origin.field.type, oneof_of(origin.field.type)
        if oneof is not None and isinstance(taken, Taken):
            nodes = oneof_nodes(taken, oneof)
            if nodes is not None:
                return self._cases(oneof, nodes, taken.slot, origin.bit)
        found = field_place(self.schema, origin.record, origin.field)
        return [self._placed(found, self.value(taken, kind), taken.slot, origin.bit)]

    def _cases(self, union: Union, nodes: list[int], slot: int, bit: int) -> list[Placed]:
        """The steps of the branches of a oneof; the first says what is where none of them is."""
        steps: list[Placed] = []
        for index, (branch, node) in enumerate(zip(union.branches, nodes, strict=True)):
            found = item_place(self.schema, branch.number or 0, branch.type, branch.encoding)
            flags = core.ALSO if index else 0 if self._is_maybe(node) else core.REQUIRED
            steps.append(Placed(Place(found.tag, flags), node, slot, bit))
        return steps

    def _fill_record(
        self,
        node: int,
        steps: list[Placed],
        cls: type | None,
        attributes: Mapping[int, str] | None = None,
    ) -> None:
        """Fill the node of a record with these steps; ``attributes`` go by their slots."""
        steps.sort()
        self.draft.fill(
            node,
            core.RECORD,
            *(step.node for step in steps),
            slots=tuple(step.slot for step in steps),
            steps=_checked(steps),
            object=cls,
            names=_names(steps, attributes or {}),
        )

    def optional(self, conversion: Maybe | Require, kind: Optional, target: Type) -> int:
        inner = target.item if isinstance(target, Optional) else target
        item = self.compile(conversion.item, kind.item, inner)
        return self.optional_of(kind, item, refused=isinstance(conversion, Require))

    def optional_of(self, kind: Optional, item: int, *, refused: bool) -> int:
        node = self._inside(kind, item)
        return node if refused else self.draft.add(core.OPTIONAL, node)

    def _inside(self, kind: Optional, node: int) -> int:
        """What stands for the item of an optional."""
        if kind.well_known is None:
            return self._wrapped(kind.item, node)
        if not isinstance(kind.item, Primitive):
            raise TypeError(f"{kind.well_known} is around no scalar")
        return self._wrapper(kind.item, node)

    def union(self, conversion: MapBranches, kind: Union, target: Type) -> int:
        return self._union_of(kind, self.branches(conversion, kind, target))

    def _union_of(self, union: Union, nodes: list[int]) -> int:
        """A message with the branches in a oneof, of which one must be there."""
        steps: list[Placed] = []
        for index, (branch, node) in enumerate(zip(union.branches, nodes, strict=True)):
            found = item_place(self.schema, branch.number or index + 1, branch.type)
            flags = core.ALSO if index else core.REQUIRED
            steps.append(Placed(Place(found.tag, flags), node))
        return self._message(steps, core.UNION)

    def array(self, kind: Array, item: int) -> int:
        del kind
        return self.draft.add(core.ARRAY, item)

    def map(self, kind: Map, target: Map, value: int) -> int:
        key = read_scalar(self.draft, kind.keys, self.schema)
        if kind.keys != target.keys:
            key = self.draft.called(key, check_for(target.keys, self.types.schema))
        steps = (
            Placed(item_place(self.schema, 1, kind.keys), key).step,
            Placed(item_place(self.schema, 2, kind.values), value).step,
        )
        return self.draft.add(core.MAP, key, value, steps=steps)

    def symbols(self, enum: Enum, objects: tuple[Any, ...]) -> int:
        coding, numbers = core.VARINT_32, numbers_of(enum)
        return self.draft.add(core.ENUM, objects=objects, numbers=numbers, coding=coding)
