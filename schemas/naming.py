"""The Python names of a schema: classes, attributes, enum members and boxes.

Each rule is a pure function of the schema, so that generated code and types built at
run time agree, on every Python version and in every process. Names are injective: two
types of one schema, or two fields of one record, never share one.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count

from .model import Branch, Enum, Field, Record, Reference, Schema, Type, Union
from .unions import bare_branches, type_unions

# What a generated module calls by name; a type of the schema must not hide it.
_MODULE_NAMES = frozenset(
    {"Codec", "Decimal", "Final", "JsonValue", "Mapping", "Record", "SCHEMA", "TYPES", "UUID"}
)
# Builtins of some Python versions or systems only: names must not depend on which one runs.
_OTHER_BUILTINS = frozenset({"PythonFinalizationError", "WindowsError"})
_CLASS_RESERVED = frozenset(chain(dir(builtins), keyword.kwlist, _MODULE_NAMES, _OTHER_BUILTINS))
# What annotations and defaults inside a class body call by name.
_BODY_NAMES = frozenset(
    {"bool", "bytes", "dict", "dt", "exact", "float", "int", "list", "msgspec", "str"}
)
_ATTRIBUTE_RESERVED = frozenset(chain(keyword.kwlist, _BODY_NAMES, _MODULE_NAMES, ["self"]))
_MEMBER_RESERVED = frozenset(chain(keyword.kwlist, ["mro", "name", "value"]))


@dataclass(frozen=True, slots=True)
class Names:
    """The Python names of one schema; see :func:`names`.

    ``classes`` has the class name of each record and enum by full name; ``attributes`` the
    attribute of each field by record and field name; ``members`` the member of each symbol
    by enum and symbol name, aliases too; ``boxes`` what each box class holds, as label and type;
    ``tagged`` the full names of the records that stand bare in some union.
    """

    classes: Mapping[str, str]
    attributes: Mapping[str, Mapping[str, str]]
    members: Mapping[str, Mapping[str, str]]
    boxes: Mapping[str, Branch]
    tagged: frozenset[str]
    unions: Mapping[Union, tuple[str | None, ...]]

    def box(self, union: Union) -> tuple[str | None, ...]:
        """The box class name of each branch of ``union``, or None where it is bare.

        Raises KeyError for a union that is not part of the schema.
        """
        return self.unions[union]


def names(schema: Schema) -> Names:
    """Give every record, enum, field, symbol and box of ``schema`` its Python name."""
    records = [named for named in schema.types.values() if isinstance(named, Record)]
    enums = [named for named in schema.types.values() if isinstance(named, Enum)]
    bare = {union: bare_branches(union, schema.types) for union in _unions(records)}
    classes = _class_names(
        [name for name, named in schema.types.items() if isinstance(named, Record | Enum)]
    )
    boxes = _box_names(bare, {*_CLASS_RESERVED, *classes.values(), *schema.types})
    reserved = _ATTRIBUTE_RESERVED.union(classes.values(), boxes.values())
    return Names(
        classes=classes,
        attributes={
            record.name: _escape_all([field.name for field in record.fields], reserved)
            for record in records
        },
        members={
            enum.name: _escape_all(
                [name for symbol in enum.symbols for name in (symbol.name, *symbol.aliases)],
                _MEMBER_RESERVED,
            )
            for enum in enums
        },
        boxes={name: Branch(label, type_) for (label, type_), name in boxes.items()},
        tagged=_tagged(bare) & {record.name for record in records},
        unions={union: _boxes_of(union, flags, boxes) for union, flags in bare.items()},
    )


def json_key(field: Field) -> str:
    """The key of ``field`` in JSON form: one more ``$`` where it begins with one."""
    return f"${field.key}" if field.key.startswith("$") else field.key


def camel_case(name: str) -> str:
    """A name as protoc has it in ProtoJSON: each underscore gone, the next letter raised."""
    first, *words = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in words)


def protojson_key(member: Field | Branch) -> str:
    """The key of a field or of a case of a oneof in ProtoJSON."""
    if isinstance(member, Branch):
        return member.protojson or camel_case(member.label)
    return member.protojson or member.json_name or camel_case(member.name)


def pascal(text: str) -> str:
    """``text`` as a class name, capitals kept: ``tool_call`` becomes ``ToolCall``."""
    stem = "".join(word[0].upper() + word[1:] for word in re.findall(r"[^\W_]+", text))
    return stem if stem[:1].isalpha() else f"Type{stem}"


def _unions(records: Iterable[Record]) -> Iterator[Union]:
    return chain.from_iterable(
        type_unions(field.type) for record in records for field in record.fields
    )


def _class_names(full_names: list[str]) -> dict[str, str]:
    """Name each type by the fewest last parts of its full name that no other type shares."""
    found: dict[str, str] = {}
    pending: list[str] = full_names
    for depth in range(1, max((name.count(".") for name in full_names), default=0) + 2):
        candidates = {name: _joined(name, depth) for name in pending}
        shared = Counter(candidates.values())
        taken = _CLASS_RESERVED.union(found.values())
        found |= {
            name: candidate
            for name, candidate in candidates.items()
            if shared[candidate] == 1 and candidate not in taken
        }
        pending = [name for name in pending if name not in found]
    for name in pending:
        found[name] = _numbered(pascal(name), _CLASS_RESERVED.union(found.values()))
    return {name: found[name] for name in full_names}


def _joined(full_name: str, parts: int) -> str:
    return pascal("_".join(full_name.split(".")[-parts:]))


def _numbered(stem: str, taken: Collection[str]) -> str:
    if stem not in taken:
        return stem
    return next(name for number in count(2) if (name := f"{stem}{number}") not in taken)


def _box_names(
    bare: Mapping[Union, tuple[bool, ...]], taken: set[str]
) -> dict[tuple[str, Type], str]:
    boxes: dict[tuple[str, Type], str] = {}
    for union, flags in bare.items():
        for branch, flag in zip(union.branches, flags, strict=True):
            key = (branch.label, branch.type)
            if not flag and key not in boxes:
                stem = f"{pascal(branch.label.rpartition('.')[2])}Value"
                boxes[key] = _numbered(stem, taken)
                taken.add(boxes[key])
    return boxes


def _boxes_of(
    union: Union, flags: tuple[bool, ...], boxes: Mapping[tuple[str, Type], str]
) -> tuple[str | None, ...]:
    return tuple(
        None if flag else boxes[branch.label, branch.type]
        for branch, flag in zip(union.branches, flags, strict=True)
    )


def _tagged(bare: Mapping[Union, tuple[bool, ...]]) -> frozenset[str]:
    """Full names of the named types that are a bare branch somewhere."""
    return frozenset(
        branch.type.name
        for union, flags in bare.items()
        for branch, flag in zip(union.branches, flags, strict=True)
        if flag and isinstance(branch.type, Reference)
    )


def _escape_all(given: list[str], reserved: frozenset[str]) -> dict[str, str]:
    """Escape each name that Python or we reserve; a name that needs no escape keeps its own."""
    taken = {name for name in given if not _needs_escape(name, reserved)}
    escaped: dict[str, str] = {}
    for name in given:
        escaped[name] = _escape(name, taken | reserved) if name not in taken else name
        taken.add(escaped[name])
    return escaped


def _needs_escape(name: str, reserved: frozenset[str]) -> bool:
    return name in reserved or name.startswith("_") or not name.isidentifier()


def _escape(name: str, taken: Collection[str]) -> str:
    # A leading underscore would be mangled in a class body, so it moves to the end.
    stem = re.sub(r"\W", "_", name).strip("_")
    attribute = f"{stem if stem.isidentifier() else f'n{stem}'}_"
    while attribute in taken:
        attribute += "_"
    return attribute
