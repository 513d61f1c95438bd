"""The measures of reading a part of a large state, beside reading all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import ValueMismatch
from .measures import Entries, Entry, Ground, Skipped, Targets, contest
from .same import same
from .states import States

_MESSAGE = ("id", "role", "content", "created")


@dataclass(frozen=True, slots=True)
class _Part:
    """A method of a codec that reads a part: ``read`` calls it, ``values`` says what it gave."""

    method: str
    read: Callable[[Any, bytes], Any]
    values: Callable[[Any], list[Any]]


def project_beside_decode(*names: str) -> Entries:
    """Projecting these fields of the largest state beside decoding it whole."""

    def read(codec: Any, blob: bytes) -> Any:
        return codec.project(blob, *names)

    part = _Part("project", read, lambda found: _values(found, names))

    def entries(ground: Ground, targets: Targets) -> Iterator[Entry]:
        states = ground.plain[-1]
        yield _row(part, states, targets[0], [getattr(states.state, name) for name in names])

    return entries


def view_beside_decode(ground: Ground, targets: Targets) -> Iterator[Entry]:
    """Status and last message of a view of the largest state beside decoding it whole."""
    states = ground.plain[-1]
    yield _row(_Part("view", _view, list), states, targets[0], _seen(states.state))


def _view(codec: Any, blob: bytes) -> list[Any]:
    return _seen(codec.view(blob))


def _seen(state: Any) -> list[Any]:
    # Every part is asked for, so that a lazy message cannot leave its work undone.
    message = state.messages[-1]
    return [state.status, *(getattr(message, name) for name in _MESSAGE)]


def _values(found: Any, names: Sequence[str]) -> list[Any]:
    if isinstance(found, tuple):
        return [*found]
    return [found[name] if isinstance(found, dict) else getattr(found, name) for name in names]


def _row(part: _Part, states: States, target: float, wanted: list[Any]) -> Entry:
    codec = states.versions.codec("avro")
    if not hasattr(codec, part.method):
        return Skipped(states.label, target, "not built")
    blob, read = codec.encode(states.state), part.read
    if not same(part.values(read(codec, blob)), wanted):
        raise ValueMismatch("it gives other values than the state has", path=f"codec.{part.method}")
    return contest(states.label, target, partial(read, codec, blob), partial(codec.decode, blob))
