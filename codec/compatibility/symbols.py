"""What changed in an enum."""

from __future__ import annotations

from collections.abc import Iterator

from ...migrations.matching import match_symbols
from ...schemas.model import Enum, Symbol
from .breaks import Pair
from .change import Break, Change, Direction, RawFormat

_BY_NAME: tuple[RawFormat, ...] = ("avro", "json", "msgpack")


def symbol_changes(pair: Pair, old: Enum, new: Enum, path: str) -> Iterator[Change]:
    """The changes of one enum at ``path``."""
    matches = match_symbols(pair.versions, old, new)
    former = {symbol.name: symbol for symbol in old.symbols}
    for symbol in new.symbols:
        if symbol.name not in matches:
            breaks = (*_unknown(old, symbol.name, "forward"), *_aside(old, symbol.name, "forward"))
            yield Change("symbol-added", path, f"the symbol {symbol.name} was added", breaks)
        else:
            yield from _kept(old, new, former[matches[symbol.name]], symbol, path)
    for name in [name for name in former if name not in set(matches.values())]:
        yield Change(
            "symbol-removed",
            path,
            f"the symbol {name} was removed",
            (*_unknown(new, name, "backward"), *_aside(new, name, "backward")),
            f"code that uses {name} fails",
        )
    if old.default != new.default:
        was, is_ = (default or "none" for default in (old.default, new.default))
        what = f"what readers take for a symbol that they do not know was {was} and is {is_}"
        yield Change("enum-default-changed", path, what)


def _kept(old: Enum, new: Enum, before: Symbol, after: Symbol, path: str) -> Iterator[Change]:
    if before.name != after.name:
        yield Change(
            "symbol-renamed",
            path,
            f"the symbol {before.name} was renamed {after.name}",
            (*_unknown(new, before.name, "backward"), *_unknown(old, after.name, "forward")),
            f"code that uses {before.name} fails",
        )
    if before.number != after.number:
        what = f"the number of {after.name} was {before.number} and is {after.number}"
        breaks = (_renumbered(new, before, "backward"), _renumbered(old, after, "forward"))
        yield Change("symbol-renumbered", path, what, breaks)


def _renumbered(reader: Enum, written: Symbol, direction: Direction) -> Break:
    known = {symbol.number: symbol.name for symbol in reader.symbols}
    read = known.get(written.number, "a number without a name")
    return Break("protobuf", direction, "value", f"{written.name} is read as {read}")


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
