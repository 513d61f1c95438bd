"""Goes through typed states side by side, with the path of each place."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ..record import Record
from ..types import SchemaTypes
from .losses import NOTHING, Announced
from .paths import Path, written


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two states differ, and what stands there in each."""

    path: Path
    expected: Any
    found: Any

    def __str__(self) -> str:
        """For people: ``messages[0].id: expected 'a', found 'b'``."""
        place = f"{written(self.path)}: " if self.path else ""
        return f"{place}expected {_shown(self.expected)}, found {_shown(self.found)}"


@dataclass(slots=True)
class Walk:
    """Walks states of one version. Paths have the names of its schema."""

    types: SchemaTypes
    _fields: Mapping[type, Mapping[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        attributes = self.types.names.attributes
        self._fields = {
            self.types.record(name): {attributes[name][key]: key for key in attributes[name]}
            for name in attributes
        }

    def differences(self, expected: Any, found: Any, path: Path = ()) -> Iterator[Difference]:
        """Every place where two states differ, none inside another."""
        if type(expected) is not type(found):
            yield Difference(path, expected, found)
        elif isinstance(expected, Record):
            for attribute, inner in self._parts(expected, path):
                left, right = getattr(expected, attribute), getattr(found, attribute)
                yield from self.differences(left, right, inner)
        elif isinstance(expected, dict):
            yield from self._entries(_mapping(expected), _mapping(found), path)
        elif isinstance(expected, list | array):
            yield from self._items(list(_sequence(expected)), list(_sequence(found)), path)
        elif not _same_scalar(expected, found):
            yield Difference(path, expected, found)

    def first_difference(
        self, expected: Any, found: Any, lost: Announced = NOTHING
    ) -> Difference | None:
        """The first place where two states differ outside of what is ``lost``."""
        for difference in self.differences(expected, found):
            if not lost.covers(written(difference.path)):
                return difference
        return None

    def records(self, value: Any, path: Path = ()) -> Iterator[tuple[Path, Record]]:
        """Every record of a state with its path, boxes of branches left out."""
        match value:
            case Record():
                if type(value) in self._fields:
                    yield path, value
                for attribute, inner in self._parts(value, path):
                    yield from self.records(getattr(value, attribute), inner)
            case dict():
                for key, item in _mapping(value).items():
                    yield from self.records(item, (*path, f"[{key!r}]"))
            case list():
                for index, item in enumerate(_sequence(value)):
                    yield from self.records(item, (*path, f"[{index}]"))
            case _:
                pass

    def fields(self, record: Record) -> Mapping[str, str]:
        """The name in the schema of each attribute of a record."""
        return self._fields[type(record)]

    def is_record(self, value: Any) -> bool:
        """Whether a value is a record, and no box of a branch."""
        return type(value) in self._fields

    def step(self, value: Any, step: str | int | bool, path: Path) -> Path:
        """The path of a part of ``value``, which is at ``path``: an attribute, index or key."""
        if not isinstance(value, Record):
            return (*path, f"[{step!r}]")
        return (*path, self.fields(value)[str(step)]) if self.is_record(value) else path

    def _parts(self, record: Record, path: Path) -> Iterator[tuple[str, Path]]:
        names = self._fields.get(type(record))
        for attribute in record.__struct_fields__:
            # A box is not seen in a path.
            yield attribute, path if names is None else (*path, names[attribute])

    def _entries(
        self, expected: dict[Any, Any], found: dict[Any, Any], path: Path
    ) -> Iterator[Difference]:
        if expected.keys() != found.keys():
            yield Difference(path, expected, found)
            return
        for key, value in expected.items():
            yield from self.differences(value, found[key], (*path, f"[{key!r}]"))

    def _items(self, expected: list[Any], found: list[Any], path: Path) -> Iterator[Difference]:
        if len(expected) != len(found):
            yield Difference(path, expected, found)
            return
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            yield from self.differences(left, right, (*path, f"[{index}]"))


def bare(value: Any) -> Any:
    """A state made anew from its attributes alone, so that nothing else comes with it."""
    match value:
        case Record():
            return type(value)(**{n: bare(getattr(value, n)) for n in value.__struct_fields__})
        case dict():
            return {key: bare(item) for key, item in _mapping(value).items()}
        case list():
            return [bare(item) for item in _sequence(value)]
        case _:
            return value


_LONGEST = 120
"""Characters of a value that a message shows."""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _same_scalar(left: Any, right: Any) -> bool:
    if isinstance(left, float):
        if math.isnan(left):
            return math.isnan(right)
        return bool(left == right) and math.copysign(1, left) == math.copysign(1, right)
    return bool(left == right)


def _mapping(value: Any) -> dict[Any, Any]:
    return cast("dict[Any, Any]", value)


def _sequence(value: Any) -> list[Any]:
    return cast("list[Any]", value)
