"""Read-only views of a state, of the reader's shape, decoded where they are touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import index as index_of
from typing import Any, NoReturn, TypeAlias, overload

from ...errors import NoSuchPath
from ..record import Record
from ..types import SchemaTypes
from .built import BuiltPart, root_part
from .part import Part


class Attribute(str):
    """A step to an attribute, which as text is told from the key of an entry."""

    __slots__ = ()


Step: TypeAlias = Any
"""From one part to the next: an attribute, the index of an item, or the key of an entry."""

_SHOWN = 60
"""How many characters of a path a view shows of itself."""


class Origin:
    """The blob behind a view. Where a part is refused, the blob is decoded whole, which either
    says what is wrong or gives the part after all.
    """

    def __init__(
        self, types: SchemaTypes, decode: Callable[[], Record], parts: tuple[type, ...]
    ) -> None:
        """``parts`` are the classes of parts that are not built."""
        self._types = types
        self._decode = decode
        self._parts = (BuiltPart, *parts)
        self._root: BuiltPart | None = None

    def part(self, path: tuple[Step, ...]) -> Any:
        """A part or value of the state, which is built once."""
        if self._root is None:
            self._root = root_part(self._types, self._decode())
        found: Any = self._root
        for step in path:
            found = found.at(step)
        return found

    def view(self, found: Any, above: tuple[Step, ...] = (), *step: Step) -> Any:
        """A view of what stands a step below a path, or at the root; a value as it is."""
        if found is NotImplemented:
            found = self.part((*above, *step))
        if not isinstance(found, self._parts):
            return found
        part: Any = found
        views = {"record": RecordView, "list": ListView, "map": MapView}
        return views[part.kind](self, part, (*above, *step))


class _View:
    """What all views share. Names begin with ``_view``, to leave others to fields."""

    __slots__ = ("_view_kept", "_view_origin", "_view_part", "_view_path")

    _view_kept: dict[Any, Any]
    _view_origin: Origin
    _view_part: Part
    _view_path: tuple[Step, ...]

    def __init__(self, origin: Origin, part: Part, path: tuple[Step, ...]) -> None:
        put = object.__setattr__
        put(self, "_view_origin", origin)
        put(self, "_view_part", part)
        put(self, "_view_path", path)
        put(self, "_view_kept", {})

    def hydrate(self) -> Any:
        """The full object: what decoding gives in this place, new with each call."""
        found = self._view_part.hydrate()
        return self._view_built().hydrate() if found is NotImplemented else found

    def _view_built(self) -> BuiltPart:
        part: BuiltPart = self._view_origin.part(self._view_path)
        return part

    def _view_get(self, step: Step, touch: Callable[[int], Any], index: int) -> Any:
        """What is kept for a step, or else what a touch of an index gives."""
        kept = self._view_kept
        if step not in kept:
            found = self._view_origin.view(touch(index), self._view_path, step)
            # Another thread may have been faster, and all are given one object.
            return kept.setdefault(step, found)
        return kept[step]

    def _view_count(self) -> int:
        found = self._view_part.count()
        if found is NotImplemented:
            object.__setattr__(self, "_view_part", self._view_built())
            found = self._view_part.count()
        count: int = found
        return count

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a view is read-only: {name} cannot be set; change what hydrate gives"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a view is read-only: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        """A view equals what ``hydrate`` gives, which is decoded to compare it."""
        mine, theirs = self.hydrate(), other.hydrate() if isinstance(other, _View) else other
        return bool(mine == theirs)

    __hash__ = None  # type: ignore[assignment]  # as of what it is compared with

    def __copy__(self) -> Any:
        return type(self)(self._view_origin, self._view_part, self._view_path)

    def __deepcopy__(self, _: object) -> Any:
        return self.__copy__()

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise TypeError("a view cannot be pickled: pickle the blob, or what hydrate() gives")

    def __repr__(self) -> str:
        path = _written(self._view_path) or "the whole state"
        short = path if len(path) <= _SHOWN else f"{path[: _SHOWN - 3]}..."
        return f"<{type(self).__name__} of {short}>"


def _written(path: tuple[Step, ...]) -> str:
    """A path as errors write it."""
    steps = (f".{step}" if isinstance(step, Attribute) else f"[{step!r}]" for step in path)
    return "".join(steps).removeprefix(".")


class RecordView(_View):
    """A record. Its attributes are those of the class that decoding gives, which is also its
    ``__class__``, for ``isinstance`` and ``match``. Each is decoded when it is first asked
    for, and kept. ``view["name"]`` is the same as ``view.name``, whatever the name.
    """

    __slots__ = ()

    @property  # type: ignore[misc]  # it cannot be set
    def __class__(self) -> type[Any]:  # pyright: ignore[reportIncompatibleMethodOverride] - same
        return self._view_part.cls

    def __getattr__(self, name: str) -> Any:
        index = self._view_part.names.get(name)
        if index is None:
            raise AttributeError(str(self._view_missing(name)))
        return self._view_get(Attribute(name), self._view_part.field, index)

    def __getitem__(self, name: str) -> Any:
        index = self._view_part.names.get(name)
        if index is None:
            raise self._view_missing(name)
        return self._view_get(Attribute(name), self._view_part.field, index)

    def _view_missing(self, name: object) -> NoSuchPath:
        known = ", ".join(sorted(self._view_part.names))
        mend = f"known are {known}" if known else ""
        return NoSuchPath(f"there is no attribute {name!r}", mend=mend)

    # Otherwise Python would try indexes from 0 on.
    __iter__ = None

    def __dir__(self) -> list[str]:
        return [*self._view_part.names, "hydrate"]


class ListView(_View, Sequence[Any]):
    """A list, whose items are decoded when they are asked for. A slice is a plain list."""

    __slots__ = ()

    def __len__(self) -> int:
        return self._view_count()

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        count = self._view_count()
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(count))]
        at = index_of(index)
        at = at + count if at < 0 else at
        if not 0 <= at < count:
            raise IndexError(f"there is no item {index}: the list has {count}")
        return self._view_get(at, self._view_part.item, at)


class MapView(_View, Mapping[Any, Any]):
    """A map, whose values are decoded when they are asked for."""

    __slots__ = ("_view_keys",)

    _view_keys: dict[Any, int]

    def _view_indexes(self) -> dict[Any, int]:
        """The index of each key."""
        try:
            return self._view_keys
        except AttributeError:
            found = self._view_part.keys()
            if found is NotImplemented:
                object.__setattr__(self, "_view_part", self._view_built())
                found = self._view_part.keys()
            object.__setattr__(self, "_view_keys", found)
            return self._view_keys

    def __len__(self) -> int:
        return len(self._view_indexes())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._view_indexes())

    def __contains__(self, key: object) -> bool:
        return key in self._view_indexes()

    def __getitem__(self, key: Any) -> Any:
        return self._view_get(key, self._view_part.value, self._view_indexes()[key])
