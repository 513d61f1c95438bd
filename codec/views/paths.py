"""Paths into a state, written as errors write them: ``messages[-1].content.text``."""

from __future__ import annotations

import ast
import re
from array import array
from dataclasses import dataclass, field
from typing import Any, cast

from ...errors import NoSuchPath
from .views import ListView, MapView, RecordView, Step

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_STEP = re.compile(rf"(?P<dot>\.?)(?P<name>[^\W\d]\w*)|\[(?P<key>-?\d+|True|False|{_QUOTED})\]")


@dataclass(slots=True)
class Paths:
    """Follows paths into views, and remembers how they read."""

    _read: dict[str, tuple[Step, ...]] = field(default_factory=dict[str, tuple[Step, ...]])

    def get(self, view: RecordView, path: str) -> Any:
        """What stands at the path, hydrated; ``None`` where an optional on the way is null.

        Raises ``NoSuchPath`` where the state has no such place.
        """
        if path not in self._read:
            self._read[path] = parse_path(path)
        found: Any = view
        for step in self._read[path]:
            if found is None:
                return None
            found = _follow(found, step, path)
        if isinstance(found, RecordView | ListView | MapView):
            return found.hydrate()
        return found


def parse_path(path: str) -> tuple[Step, ...]:
    """The steps of a path; raises ``NoSuchPath`` where it does not read."""
    steps: list[Step] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        # A name stands behind a point, except the first.
        if found is None or (found["name"] and bool(found["dot"]) is (at == 0)):
            raise _unreadable(path, at)
        steps.append(found["name"] or ast.literal_eval(found["key"]))
        at = found.end()
    if not steps:
        raise _unreadable(path, 0)
    return tuple(steps)


def _unreadable(path: str, at: int) -> NoSuchPath:
    return NoSuchPath(
        f"the path does not read from character {at + 1} on",
        where=path,
        mend="write it like messages[-1].content or memory['key']",
    )


def _follow(found: Any, step: Step, path: str) -> Any:
    """One step; within a ``json`` value too, which is made of plain lists and dictionaries."""
    fits = isinstance(found, RecordView) is isinstance(step, str)
    if not isinstance(found, RecordView | ListView | MapView | list | dict | array):
        raise NoSuchPath(f"{type(found).__name__} has no {step!r}", where=path)
    if not fits and not isinstance(found, MapView | dict):
        raise NoSuchPath(f"there is no {step!r}", where=path)
    holder = cast("Any", found)
    try:
        return holder[step]
    except (KeyError, IndexError):
        raise NoSuchPath(f"there is no {step!r}", where=path) from None
    except NoSuchPath as error:
        error.where = path
        raise
