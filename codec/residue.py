"""The residue that the records of a state keep: to look at, and to drop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, cast

from .containers import as_dict, as_list
from .engines import uses_kernel
from .mismatch import mismatch
from .record import Record, residue_of, set_residue

Step: TypeAlias = str | int | tuple[str | int | bool]
"""From a record, list or map to what is right inside: an attribute, an index, or a key."""
Way: TypeAlias = tuple[Step, ...]
"""From a state to something within it."""


def read_residue(state: Record) -> dict[str, bytes]:
    """What the records of ``state`` keep of what their version does not know, by path.

    The path of the state itself is empty; others are like ``messages[3]`` or
    ``memory['goal']``. The bytes are fields of Protobuf as they stand on the wire: unknown
    fields and unknown numbers of enums of a Protobuf payload; and, whatever the format, field
    19173 for what a newer version has and this one cannot express.
    """
    _check(state)
    return {path_of(way): residue for way, _, residue in carriers(state)}


def strip_residue(state: Record) -> None:
    """Drop the residue of ``state`` and of all records within it, in place."""
    _check(state)
    for _, record, _ in list(carriers(state)):
        set_residue(record, b"")


def _check(state: object) -> None:
    if not isinstance(state, Record):
        raise mismatch("a record, as a codec decodes it", state)


def carriers(state: Record, *, repeats: bool = False) -> Iterator[tuple[Way, Record, bytes]]:
    """The records with residue, in the order of the state, and the way to each.

    Without recursion. What stands in several places is met once, unless ``repeats`` says that
    each counts: only a state that does not hold itself ends then.
    """
    pending: list[tuple[Way, Any]] = [((), state)]
    seen: set[int] = set()
    while pending:
        way, value = pending.pop()
        if not repeats:
            if id(value) in seen:
                continue
            seen.add(id(value))
        if isinstance(value, Record):
            residue = residue_of(value)
            if residue is not None:
                yield way, value, residue
        inside = [((*way, step), item) for step, item in _parts(value) if _is_container(item)]
        pending += reversed(inside)


def checked_carriers(state: Any) -> list[tuple[Way, Record, bytes]]:
    """The same, with repeats, of a state or value that was read or checked: it nests only so
    deep, and all of its lists and maps are plain ones.
    """
    if uses_kernel():
        from .kernel import core  # noqa: PLC0415 - there may be no kernel
        from .kernel.format import DEEPEST  # noqa: PLC0415

        found = core.carriers_of(state, Record, DEEPEST)
        if found is not None:
            return cast("list[tuple[Way, Record, bytes]]", found)
    return list(carriers(state, repeats=True))


def has_residue(state: Any) -> bool:
    """Whether any record of such a state has residue."""
    if uses_kernel():
        from .kernel import core  # noqa: PLC0415 - there may be no kernel
        from .kernel.format import DEEPEST  # noqa: PLC0415

        found = core.has_carriers(state, Record, DEEPEST)
        if found is not None:
            return found
    return next(carriers(state), None) is not None


def path_of(way: Way) -> str:
    """A way as errors write it."""
    return "".join(_segment(step) for step in way).removeprefix(".")


def _segment(step: Step) -> str:
    match step:
        case str():
            return f".{step}"
        case (key,):
            return f"[{key!r}]"
        case int():
            return f"[{step}]"


def _is_container(value: Any) -> bool:
    return isinstance(value, Record | list | dict)


def _parts(value: Any) -> Iterable[tuple[Step, Any]]:
    if isinstance(value, Record):
        return [(name, getattr(value, name, None)) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return [((key,), item) for key, item in as_dict(value).items()]
    return list(enumerate(as_list(value))) if isinstance(value, list) else ()
