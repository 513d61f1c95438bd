"""What changed in an enum."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...migrations.matching import match_symbols
from ...schemas.model import Enum, Symbol
from .breaks import DIRECTIONS, Pair
from .change import Break, Change, Direction, RawFormat

_BY_NAME: tuple[RawFormat, ...] = ("avro", "json", "msgpack")


def symbol_changes(pair: Pair, old: Enum, new: Enum, path: str) -> Iterator[Change]:
    """The changes of one enum at ``path``."""
    matches = match_symbols(pair.versions, old, new)
    former = {symbol.name: symbol for symbol in old.symbols}
    for symbol in new.symbols:
        if symbol.name not in matches:
            breaks = (*_unknown(old, symbol.name, "forward"), *_aside(old, symbol.name, "forward"))
            yield Change("symbol-added", path, f"{symbol.name} was added", breaks)
        else:
            yield from _kept(old, new, former[matches[symbol.name]], symbol, path)
    for name in [name for name in former if name not in set(matches.values())]:
        yield Change(
            "symbol-removed",
            path,
            f"{name} was removed",
            (*_unknown(new, name, "backward"), *_aside(new, name, "backward")),
            f"code that uses {name} fails",
        )
    if old.default != new.default:
        what = f"the default of {new.name} was {old.default} and is {new.default}"
        yield Change("enum-default-changed", path, what)


def _kept(old: Enum, new: Enum, before: Symbol, after: Symbol, path: str) -> Iterator[Change]:
    if before.name != after.name:
        yield Change(
            "symbol-renamed",
            path,
            f"{before.name} was renamed {after.name}",
            (*_unknown(new, before.name, "backward"), *_unknown(old, after.name, "forward")),
            f"code that uses {before.name} fails",
        )
    if before.number != after.number:
        why = f"the number {before.number} of {before.name} became {after.number}"
        breaks = tuple(map(partial(_renumbered, why), DIRECTIONS))
        yield Change("symbol-renumbered", path, why, breaks)


def _renumbered(why: str, direction: Direction) -> Break:
    return Break("protobuf", direction, "value", why)


def _unknown(reader: Enum, name: str, direction: Direction) -> tuple[Break, ...]:
    """What a reader makes of a symbol that it does not know."""
    return tuple(_refusal(format_, reader, name, direction) for format_ in _BY_NAME)


def _refusal(format_: RawFormat, reader: Enum, name: str, direction: Direction) -> Break:
    if format_ == "avro" and reader.default is not None:
        return Break(format_, direction, "value", f"{name} is read as {reader.default}")
    why = f"the reader does not know {name}"
    if format_ == "avro":
        why += ", and its enum has no default"
    return Break(format_, direction, "layout", why)


def _aside(reader: Enum, name: str, direction: Direction) -> tuple[Break, ...]:
    """Protobuf keeps a number that it does not know, unless its enum is closed (proto2)."""
    if not reader.closed:
        return ()
    why = f"{name} is put aside as unknown, and the default is read"
    return (Break("protobuf", direction, "value", why),)
