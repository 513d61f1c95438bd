"""Read-only views of a state, of the reader's shape, decoded where they are touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, overload

from ...errors import NoSuchPath
from ..record import Record
from ..types import SchemaTypes
from .built import BuiltPart, root_part
from .part import Part

Step: TypeAlias = str | int
"""From one part to the next: an attribute, or the index of an item or entry."""


class Origin:
    """The blob behind a view. Where a part is refused, the blob is decoded whole, which either
    says what is wrong or gives the part after all.
    """

    def __init__(
        self, types: SchemaTypes, decode: Callable[[], Record], parts: tuple[type, ...]
    ) -> None:
        """``parts`` are the classes of parts."""
        self._types = types
        self._decode = decode
        self._parts = parts
        self._root: BuiltPart | None = None

    def root(self) -> BuiltPart:
        """The whole state, built once."""
        if self._root is None:
            self._root = root_part(self._types, self._decode())
        return self._root

    def part(self, path: tuple[Step, ...]) -> Any:
        """A part or value of the built state."""
        found: Any = self.root()
        for step in path:
            if isinstance(step, str):
                found = found.field(found.names[step])
            else:
                found = found.item(step) if found.kind == "list" else found.value(step)
        return found

    def view(self, found: Any, path: tuple[Step, ...]) -> Any:
        """A view of a part; a value is given as it is."""
        if found is NotImplemented:
            found = self.part(path)
        if not isinstance(found, self._parts):
            return found
        part: Any = found
        views = {"record": RecordView, "list": ListView, "map": MapView}
        return views[part.kind](self, part, path)


class _View:
    """What all views share."""

    __slots__ = ("_kept", "_origin", "_part", "_path")

    def __init__(self, origin: Origin, part: Part, path: tuple[Step, ...]) -> None:
        self._origin = origin
        self._part = part
        self._path = path
        self._kept: dict[Step, Any] = {}

    def hydrate(self) -> Any:
        """The full object: what decoding gives in this place."""
        found = self._part.hydrate()
        return self._origin.part(self._path).hydrate() if found is NotImplemented else found

    def _count(self) -> int:
        found = self._part.count()
        if found is NotImplemented:
            self._part = self._origin.part(self._path)
            found = self._part.count()
        count: int = found
        return count


class RecordView(_View):
    """A record. Its attributes are those of the class that decoding gives; each is decoded
    when it is first asked for, and kept. ``view["name"]`` is the same as ``view.name``.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except NoSuchPath as error:
            raise AttributeError(str(error)) from None

    def __getitem__(self, name: str) -> Any:
        if name not in self._kept:
            index = self._part.names.get(name)
            if index is None:
                raise NoSuchPath(
                    f"there is no attribute {name!r}",
                    mend=f"known are {', '.join(sorted(self._part.names))}",
                )
            self._kept[name] = self._origin.view(self._part.field(index), (*self._path, name))
        return self._kept[name]

    def __dir__(self) -> list[str]:
        return [*self._part.names, "hydrate"]

    def __repr__(self) -> str:
        return f"<view of a record: {', '.join(self._part.names)}>"


class ListView(_View, Sequence[Any]):
    """A list, whose items are decoded when they are asked for. A slice is a plain list."""

    __slots__ = ()

    def __len__(self) -> int:
        return self._count()

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        count = self._count()
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(count))]
        at = index + count if index < 0 else index
        if not 0 <= at < count:
            raise IndexError(f"there is no item {index}: the list has {count}")
        if at not in self._kept:
            self._kept[at] = self._origin.view(self._part.item(at), (*self._path, at))
        return self._kept[at]

    def __repr__(self) -> str:
        return f"<view of a list of {len(self)}>"


class MapView(_View, Mapping[Any, Any]):
    """A map, whose values are decoded when they are asked for."""

    __slots__ = ("_indexes",)

    _indexes: dict[Any, int]

    def _index(self) -> dict[Any, int]:
        """The index of each key; the last one counts where a key stands twice."""
        if not hasattr(self, "_indexes"):
            count = self._count()
            keys = [self._part.item(at) for at in range(count)]
            if any(key is NotImplemented for key in keys):
                self._part = self._origin.part(self._path)
                keys = [self._part.item(at) for at in range(self._part.count())]
            self._indexes = {key: at for at, key in enumerate(keys)}
        return self._indexes

    def __len__(self) -> int:
        return len(self._index())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._index())

    def __getitem__(self, key: Any) -> Any:
        at = self._index()[key]
        if at not in self._kept:
            self._kept[at] = self._origin.view(self._part.value(at), (*self._path, at))
        return self._kept[at]

    def __repr__(self) -> str:
        return f"<view of a map of {len(self)}>"
