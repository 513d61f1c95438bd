"""Prints every measure of reading old blobs in one table: run it with ``python -m``.

Each row is a ratio within the same run. Nothing fails where a target is missed: a time depends
on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..codec.tag import Format
from .command import Table
from .measures import Ground, Measure
from .migration_kinds import KINDS, Kind
from .migration_peers import dicts_pydantic, fastavro_dicts
from .migration_runs import (
    beside_current,
    beside_current_less_calls,
    beside_reader,
    calls_beside_current,
)
from .migration_states import Chain

FORMATS: Final[tuple[Format, ...]] = ("avro", "protobuf", "msgpack", "json")
"""Those that the kernel reads."""

_STRUCTURAL: Final = (1.10,)
_FORMAT_NAMES: Final = {
    "avro": "Avro",
    "protobuf": "Protobuf",
    "msgpack": "MessagePack",
    "json": "JSON",
}
_KIND_NAMES: Final = {
    "structure": "structure",
    "data": "ops as data",
    "root": "root compute",
    "list": "list compute",
}
_CURRENT, _PYDANTIC, _FASTAVRO = "current blob", "dicts, pydantic", "fastavro, dicts"

NOTES: Final = (
    "Ratios are medians within a round; less is better. All read version 1 at version 10.",
    "1-4 stand beside a blob of version 10 that gives the same state.",
    "1: structure alone; the others have this too.",
    "2: rename, add, convert, wrap and hoist, on every message.",
    "3: one Python function at the root; 4: one on every message.",
    "Calls alone: the function, as often and on the same values.",
    "5: json.loads, a dict function for each hop, Pydantic's validator.",
    "6: fastavro with both schemas, dict functions for the ops, msgspec.convert to classes.",
)


def measures() -> Iterator[Measure]:
    """Every measure, in order."""
    for number, kind in enumerate(KINDS, 1):
        for format_ in FORMATS:
            yield from _own(number, kind, format_)
    for kind in KINDS:
        for format_ in FORMATS:
            entries = beside_reader(kind, format_, dicts_pydantic)
            yield Measure(5, _name(kind, format_), _PYDANTIC, (), entries)
    for kind in KINDS:
        entries = beside_reader(kind, "avro", fastavro_dicts)
        yield Measure(6, _name(kind, "avro"), _FASTAVRO, (), entries)


def _own(number: int, kind: Kind, format_: Format) -> Iterator[Measure]:
    name, whole = _name(kind, format_), beside_current(kind, format_)
    if kind in ("structure", "data"):
        yield Measure(number, name, _CURRENT, _STRUCTURAL, whole)
        return
    alone, rest = calls_beside_current(kind, format_), beside_current_less_calls(kind, format_)
    yield Measure(number, name, _CURRENT, (), whole)
    yield Measure(number, f"{_FORMAT_NAMES[format_]}, calls alone", _CURRENT, (), alone)
    yield Measure(number, f"{_FORMAT_NAMES[format_]}, less calls", _CURRENT, _STRUCTURAL, rest)


def _name(kind: Kind, format_: Format) -> str:
    return f"{_FORMAT_NAMES[format_]}, {_KIND_NAMES[kind]}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table or JSON."""
    table = Table(
        "python -m instar.bench.migrations",
        str(__doc__),
        measures,
        lambda _: Ground((), (), "nothing real is measured"),
        lambda: (_engine_note(), *NOTES),
        lambda: {"engines": engines()},
    )
    table.run(table.options().parse_args(arguments))


def engines() -> dict[Kind, dict[Format, str]]:
    """The engine that reads the oldest blob, by kind and format."""
    chains = [Chain.open(kind) for kind in KINDS]
    return {chain.kind: {name: chain.engine(name) for name in FORMATS} for chain in chains}


def _engine_note() -> str:
    parts = [
        f"{_KIND_NAMES[kind]} {' and '.join(dict.fromkeys(found.values()))}"
        for kind, found in engines().items()
    ]
    return f"The engine that reads the oldest blob: {', '.join(parts)}."


if __name__ == "__main__":
    main()
