"""YAML text to plain values, with nothing in it that JSON could not say.

Anchors, aliases, explicit tags, several documents and repeated keys are refused. A plain
scalar is a number, a boolean or null only where YAML 1.1 and 1.2 agree on it; ``yes``,
``1e5``, ``0777`` and ``2024-01-01`` are text. Keys are always text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isinf
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import CorruptPayload
from ..extras import import_yaml
from ..limits import DEFAULT_LIMITS, Limits, check_depth

if TYPE_CHECKING:
    from types import ModuleType

_Events: TypeAlias = Iterator[Any]  # PyYAML's events carry no types of their own.

_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+][0-9]+)?")
_SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def load_yaml(data: bytes, limits: Limits = DEFAULT_LIMITS) -> Any:
    """The one value of a YAML document.

    Raises CorruptPayload with the line where it does not read, LimitExceeded where it nests
    too deep, MissingExtra without PyYAML.
    """
    yaml = import_yaml()
    try:
        events = _events(yaml, data.decode())
        return _load(events, limits)
    except UnicodeDecodeError as error:
        raise CorruptPayload(f"the text is not UTF-8: {error.reason} at {error.start}") from error
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise CorruptPayload(f"the text is not YAML: {reason}") from error


def _events(yaml: ModuleType, text: str) -> _Events:
    # Events rather than PyYAML's composer: that one recurses, in C without a guard.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return iter(yaml.parse(text, Loader=loader))


def _load(events: _Events, limits: Limits) -> Any:
    document = _Document()
    top: _Node = document
    parents: list[_Node] = []
    for event in events:
        kind = type(event).__name__
        if kind in _OPENED:
            _check_plain(event)
            parents.append(top)
            check_depth(len(parents), limits)
            top = _OPENED[kind]()
        elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
            done, top = top, parents.pop()
            top.add(done.value, event)
        elif kind == "ScalarEvent":
            _check_plain(event)
            top.add_scalar(event)
        elif kind == "AliasEvent":
            raise _refused(event, "an alias")
    return document.value


class _Document:
    """What is around the one value of a document."""

    def __init__(self) -> None:
        self.value: Any = None
        self.full = False

    def add(self, item: Any, event: Any) -> None:
        if self.full:
            raise _refused(event, "a second document")
        self.value = item
        self.full = True

    def add_scalar(self, event: Any) -> None:
        self.add(_scalar(event), event)


class _List:
    """A list that is being filled."""

    def __init__(self) -> None:
        self.value: list[Any] = []

    def add(self, item: Any, event: Any) -> None:
        del event
        self.value.append(item)

    def add_scalar(self, event: Any) -> None:
        self.value.append(_scalar(event))


class _Mapping:
    """A mapping that is being filled; ``key`` waits for its value."""

    def __init__(self) -> None:
        self.value: dict[str, Any] = {}
        self.key: str | None = None

    def add(self, item: Any, event: Any) -> None:
        if self.key is None:
            raise _refused(event, "a key that is not text")
        if self.key in self.value:
            raise _refused(event, f"the key {self.key!r} twice")
        self.value[self.key] = item
        self.key = None

    def add_scalar(self, event: Any) -> None:
        if self.key is None:
            self.key = event.value
        else:
            self.add(_scalar(event), event)


_Node: TypeAlias = _Document | _List | _Mapping
_OPENED: dict[str, type[_List | _Mapping]] = {
    "MappingStartEvent": _Mapping,
    "SequenceStartEvent": _List,
}


def _check_plain(event: Any) -> None:
    if event.anchor is not None:
        raise _refused(event, "an anchor")
    if event.tag is not None:
        raise _refused(event, f"the tag {event.tag}")


def _scalar(event: Any) -> Any:
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INT.fullmatch(text):
        return _integer(event, text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    if _FLOAT.fullmatch(text):
        return _finite(event, text)
    return text


def _integer(event: Any, text: str) -> int:
    try:
        return int(text)
    except ValueError as error:  # Python bounds the digits it converts.
        raise _refused(event, f"a number of {len(text)} digits") from error


def _finite(event: Any, text: str) -> float:
    number = float(text)
    if isinf(number):
        raise _refused(event, f"the number {text}, too large for a double,")
    return number


def _refused(event: Any, what: str) -> CorruptPayload:
    return CorruptPayload(
        f"line {event.start_mark.line + 1} holds {what}, which the yaml format does not",
        mend="write plain YAML: no anchors, aliases or tags, each key once",
    )
