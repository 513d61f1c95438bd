"""The measures of reading a part of a large state, beside reading all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ..codec.tag.header import Format
from ..errors import ValueMismatch
from .measures import Entries, Entry, Ground, Targets, contest
from .same import same
from .states import States


def project_beside_decode(*names: str, verify: bool = True, format_: Format = "avro") -> Entries:
    """Projecting these fields of the largest state beside decoding it whole; without
    ``verify`` the checksum of what is passed over is left alone.
    """

    def read(codec: Any, blob: bytes) -> Any:
        return codec.project(blob, *names, verify=verify)

    def entries(ground: Ground, targets: Targets) -> Iterator[Entry]:
        states = ground.plain[-1]
        wanted = [getattr(states.state, name) for name in names]
        yield _row(read, states, targets[0], wanted, format_)

    return entries


def view_beside_decode(format_: Format = "avro") -> Entries:
    """Status and last message of a view of the largest state beside decoding it whole."""

    def entries(ground: Ground, targets: Targets) -> Iterator[Entry]:
        states = ground.plain[-1]
        wanted = [states.state.status, states.state.messages[-1]]
        yield _row(_view, states, targets[0], wanted, format_)

    return entries


def _view(codec: Any, blob: bytes) -> list[Any]:
    view = codec.view(blob)
    # All of the message is asked for, so that none of its work is left undone.
    return [view.status, view.messages[-1].hydrate()]


def _row(
    read: Callable[[Any, bytes], Sequence[Any]],
    states: States,
    target: float,
    wanted: list[Any],
    format_: Format,
) -> Entry:
    codec = states.versions.codec(format_)
    blob = codec.encode(states.state)
    if not same([*read(codec, blob)], wanted):
        raise ValueMismatch("it gives other values than the state has", path="codec")
    return contest(states.label, target, partial(read, codec, blob), partial(codec.decode, blob))
