"""Paths into a state, written as errors write them: ``messages[-1].content.text``."""

from __future__ import annotations

import ast
import re
from array import array
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from ...errors import NoSuchPath
from ...schemas.model import Record as RecordType
from ..record import Record
from ..types import SchemaTypes
from .views import Attribute, ListView, MapView, RecordView, Step

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_STEP = re.compile(
    rf"(?P<dot>\.?)(?P<name>[A-Za-z_]\w*)|\[(?P<key>-?\d+|True|False|{_QUOTED})\]", re.ASCII
)


class Paths:
    """Follows paths into the states of one schema."""

    def __init__(self, types: SchemaTypes) -> None:
        """``types`` are those of the states."""
        self._boxes = frozenset[type](types.boxes.values())
        self._attributes = {
            types.record(name): types.names.attributes[name]
            for name, named in types.schema.types.items()
            if isinstance(named, RecordType)
        }
        self._root = self._attributes[types.root]

    def at_root(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The attributes of the root that paths of one step lead to; others as they are."""
        return tuple(self._root.get(_text(path), path) for path in paths)

    def get(self, view: RecordView, path: str) -> Any:
        """What stands at the path, hydrated; ``None`` where an optional on the way is null.

        Raises ``NoSuchPath`` where the state has no such place.
        """
        found: Any = view
        try:
            for step in parse_path(_text(path)):
                if type(found) in self._boxes:
                    # A box has no step of its own in the paths of errors.
                    found = found.value
                if found is None:
                    return None
                found = self._follow(found, step)
        except NoSuchPath as error:
            error.where = path
            raise
        return found.hydrate() if isinstance(found, RecordView | ListView | MapView) else found

    def _follow(self, found: Any, step: Step) -> Any:
        """One step; within a box or a ``json`` value too, which are plain objects."""
        if isinstance(found, RecordView | Record) and isinstance(step, Attribute):
            attribute = self._attribute(found, step)
            return found[attribute] if isinstance(found, RecordView) else getattr(found, attribute)
        if isinstance(found, ListView | list | array) and type(step) is int:
            return _entry(cast("list[Any]", found), step)
        if isinstance(found, MapView | dict) and not isinstance(step, Attribute):
            return _entry(cast("dict[Any, Any]", found), step)
        raise NoSuchPath(f"there is no {step!r} in {_described(found)}")

    def _attribute(self, found: Any, step: Attribute) -> str:
        """The attribute of a field, which has another name where Python reserves its own."""
        attributes: Mapping[str, str] = self._attributes[found.__class__]
        if step in attributes:
            return attributes[step]
        if step in attributes.values():
            return step
        known = ", ".join(sorted(attributes))
        raise NoSuchPath(f"there is no field {step!r}", mend=f"known are {known}" if known else "")


def _entry(holder: Any, step: Step) -> Any:
    try:
        return holder[step]
    except KeyError:
        raise NoSuchPath(f"there is no key {step!r}") from None
    except IndexError:
        raise NoSuchPath(f"there is no item {step}: the list has {len(holder)}") from None


def _described(found: Any) -> str:
    if isinstance(found, RecordView | Record):
        return "a record"
    return (
        "a list"
        if isinstance(found, ListView | list | array)
        else (
            "a map" if isinstance(found, MapView | dict) else f"a value of {type(found).__name__}"
        )
    )


def _text(path: object) -> str:
    if not isinstance(path, str):
        raise NoSuchPath(f"a path is text, and this is {type(path).__name__}", where=repr(path))
    return path


@lru_cache(maxsize=1024)
def parse_path(path: str) -> tuple[Step, ...]:
    """The steps of a path; raises ``NoSuchPath`` where it does not read."""
    steps: list[Step] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        # A name stands behind a point, except the first.
        if found is None or (found["name"] and bool(found["dot"]) is (at == 0)):
            raise _unreadable(path, at)
        name, key = found["name"], found["key"]
        steps.append(Attribute(name) if name else _key(path, at, key))
        at = found.end()
    if not steps:
        raise _unreadable(path, 0)
    return tuple(steps)


def _key(path: str, at: int, text: str) -> Step:
    """A key as Python writes it."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        raise _unreadable(path, at) from None


def _unreadable(path: str, at: int) -> NoSuchPath:
    return NoSuchPath(
        f"the path does not read from character {at + 1} on",
        where=path,
        mend="write it like messages[-1].content or memory['key']",
    )
