"""Reading a few fields of a blob, beside hydrating all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ...codec.codec import Codec
from ...codec.types import SchemaTypes
from ...errors import ValueMismatch
from ...schemas.model import Array, Json, Map, Record, Reference, Type, Union
from ..measure import Candidate
from ..peers import Versions
from ..same import same
from .contenders import Contender, Field
from .rounds import seconds
from .task import Key, Task, Timed


def simple_paths(types: SchemaTypes) -> tuple[str, ...]:
    """The first and the last field of the root that hold one value; any, where none does."""
    fields = types.schema.record.fields
    simple = [field.name for field in fields if _is_simple(field.type, types)]
    names = simple or [field.name for field in fields]
    return tuple(dict.fromkeys((names[0], names[-1]))) if names else ()


def _is_simple(kind: Type, types: SchemaTypes) -> bool:
    if isinstance(kind, Reference):
        return not isinstance(types.schema.types[kind.name], Record)
    return not isinstance(kind, Array | Map | Union | Json)


def projections(task: Task, found: Field) -> Iterator[Timed]:
    """Projecting ``task.paths``, by instar in each format."""
    ours = [one for one in found.contenders if one.entry.ours]
    if not task.paths or not ours:
        return
    reads = {one.entry.name: _read(one, task.paths, found) for one in ours}
    whole = [Candidate(f"whole {one.entry.name}", one.hydrate().run) for one in ours]
    parts = [Candidate(f"part {name}", run) for name, run in reads.items()]
    times = seconds(task, [*whole, *parts])
    for one in ours:
        name = one.entry.name
        yield Timed(
            key=Key(work="project", peer=name, payload=found.payload.label, paths=task.paths),
            gives="objects",
            base=f"{name}, whole",
            seconds=times[f"part {name}"],
            base_seconds=times[f"whole {name}"],
        )


def _read(contender: Contender, paths: Sequence[str], found: Field) -> Any:
    """What projects once, checked against the state. Raises ``NoSuchPath``, ``ValueMismatch``."""
    entry, versions = contender.entry, contender.versions
    assert entry.format is not None  # it is one of ours
    with entry.circumstances():
        codec = versions.codec(entry.format)
        read = partial(codec.project, contender.blob, *paths)
        given = list(read())
    if not same(given, _wanted(versions, found, paths)):
        raise ValueMismatch("it gives other values than the state has", path=entry.name)
    return read


def _wanted(versions: Versions, found: Field, paths: Sequence[str]) -> list[Any]:
    # JSON is decoded whole, so this looks the values up in the state itself.
    codec: Codec[Any] = versions.codec("json")
    return list(codec.project(codec.encode(found.state), *paths))
