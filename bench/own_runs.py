"""The measures that set a part of instar's work beside the whole of it, or old beside new."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from ..codec.tag import read_tag
from ..errors import ValueMismatch
from .measures import Entries, Entry, Found, Ground, Targets, Trial, contest
from .memory import peaks
from .peer_runs import target_at
from .same import same
from .states import LABELS, Make
from .ten_versions import MESSAGES, SUBJECT, first_document, ten_versions
from .vectors import vector_codec, vector_numbers


def old_beside_current(ground: Ground, targets: Targets) -> Iterator[Entry]:
    """A blob of version 1 beside one of version 10 that gives the same state."""
    del ground
    registry = ten_versions()
    first, latest = registry.codec(SUBJECT, version=1), registry.codec(SUBJECT)
    for place, (label, messages) in enumerate(zip(LABELS, MESSAGES, strict=True)):
        old = first.encode(first.from_builtins(first_document(messages)))
        state = latest.decode(old)
        new = latest.encode(state)
        _check("the old blob gives another state", latest.decode(new), state)
        decode = latest.decode
        yield contest(label, target_at(place, targets), partial(decode, old), partial(decode, new))


def tag_beside_decode(ground: Ground, targets: Targets) -> Iterator[Entry]:
    """Reading and checking the tag beside the whole decode, on the smallest state."""
    states = ground.plain[0]
    codec = states.versions.codec("avro")
    blob = codec.encode(states.state)
    _check("the tag has another fingerprint", read_tag(blob).fingerprint, codec.fingerprint)
    yield contest(states.label, targets[0], partial(read_tag, blob), partial(codec.decode, blob))


def vector_beside_list(ground: Ground, targets: Targets) -> Iterator[Entry]:
    """A state that is one vector beside the same numbers as a list, by msgspec's MessagePack."""
    del ground
    codec, numbers = vector_codec(), vector_numbers()
    plain: Any = {"values": numbers}
    blob = codec.encode(codec.from_builtins(plain))
    listed = msgspec.msgpack.encode(numbers)
    read_list = msgspec.msgpack.Decoder(list[float]).decode
    _check("the vector has other numbers", list(codec.decode(blob).values), numbers)
    _check("the list has other numbers", read_list(listed), numbers)
    yield contest("6 KB", targets[0], partial(codec.decode, blob), partial(read_list, listed))


def memory_of(make: Make) -> Entries:
    """The memory that hydrating the largest state takes beyond the objects it gives, in KiB."""

    def entries(ground: Ground, targets: Targets) -> Iterator[Entry]:
        states = ground.plain[-1]
        load = states.load(make)
        yield Trial(states.label, targets[0], lambda effort: Found(peaks(load, effort.rounds)))

    return entries


def _check(what: str, found: object, wanted: object) -> None:
    if not same(found, wanted):
        raise ValueMismatch(what, path="bench")
