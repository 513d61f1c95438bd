"""Reading blobs of older versions, beside current ones that give the same state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...codec.codec import Codec
from ...errors import InstarError, ValueMismatch
from ..measure import Candidate
from ..payload.made import MadeUp
from ..peers import Versions
from ..same import same
from .contenders import Contender, Field
from .rounds import seconds
from .task import Key, Task, Timed


@dataclass(frozen=True, slots=True)
class _Pair:
    """An old blob and a current one of one contender, and the codec that reads both."""

    contender: Contender
    codec: Codec[Any]
    old: bytes
    current: bytes

    @property
    def name(self) -> str:
        return self.contender.entry.name


def migrations(task: Task, found: Field) -> Iterator[Timed]:
    """Hydrating from each older version, by instar in each format."""
    ours = [one for one in found.contenders if one.entry.ours]
    for version in task.older:
        pairs = [_pair(one, found, version) for one in ours]
        candidates = [
            candidate
            for pair in pairs
            for candidate in (
                Candidate(f"old {pair.name}", partial(pair.codec.decode, pair.old)),
                Candidate(f"new {pair.name}", partial(pair.codec.decode, pair.current)),
            )
        ]
        times = seconds(task, candidates) if candidates else {}
        for pair in pairs:
            yield Timed(
                key=Key(
                    work="migrate", peer=pair.name, payload=found.payload.label, version=version
                ),
                gives="objects",
                base=f"{pair.name}, version {task.version}",
                seconds=times[f"old {pair.name}"],
                base_seconds=times[f"new {pair.name}"],
            )


def _pair(contender: Contender, found: Field, version: int) -> _Pair:
    """The blobs, read once each where the engine is in force. Raises ``ValueMismatch``."""
    versions: Versions = contender.versions
    entry = contender.entry
    format_ = entry.format
    assert format_ is not None  # it is one of ours
    with entry.circumstances():
        codec = versions.codec(format_)
        writer = Versions(versions.registry, versions.subject, version)
        old = writer.codec(format_).encode(old_state(versions, writer, found))
        state = codec.decode(old)
        current = codec.encode(state)
        if not same(codec.decode(current), state):
            raise ValueMismatch("the old blob gives another state", path=entry.name)
    return _Pair(contender, codec, old, current)


def old_state(versions: Versions, writer: Versions, found: Field) -> Any:
    """The payload as the older version has it, or one that is made up where it cannot hold it."""
    codec = writer.codec("json")
    try:
        blob = versions.codec("json").encode(found.state)
        # By way of builtins, so that no residue comes along: an old program wrote none.
        return codec.from_builtins(codec.to_builtins(codec.decode(blob)))
    except InstarError:
        return codec.from_builtins(MadeUp.of(writer).document(max(found.payload.items, 1)))
