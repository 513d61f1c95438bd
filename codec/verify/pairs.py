"""Every reader gets the same from every format, by every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .lab import Lab, Refused, Way, attempt
from .law import Broken, Case, Law, Settings
from .totals import case


def _cases(lab: Lab, settings: Settings) -> Sequence[Case]:
    """One case for each writer: a state is written once in each format, for all readers."""
    del settings
    ways, missing = lab.ways()
    formats = ", ".join(dict.fromkeys(format_ for format_, _ in ways))
    return [
        replace(
            case(lab, (writer,), partial(_trial, lab, ways, writer), formats),
            left_out=tuple(missing),
        )
        for writer in lab.versions
    ]


def _trial(lab: Lab, ways: Sequence[Way], writer: int, state: Any) -> Broken | None:
    payloads = {way: attempt(lab.encoder(writer, way), state) for way in ways}
    # A format may have no form of a value; another one then says what it is.
    held = {way: found for way, found in payloads.items() if not isinstance(found, Refused)}
    for reader in lab.versions:
        broken = _read(lab, held, (writer, reader), state)
        if broken is not None:
            return broken
    return None


def _read(
    lab: Lab, payloads: Mapping[Way, bytes], route: tuple[int, int], state: Any
) -> Broken | None:
    writer, reader = route
    found = {
        way: attempt(lab.decoder(writer, reader, way), payload) for way, payload in payloads.items()
    }
    first = next(iter(found), None)
    for way, read in found.items():
        what = "" if first is None else _difference(lab, reader, found[first], read)
        if first is not None and what:
            return Broken(
                f"{_named(way)} gives something else than {_named(first)}: {what}",
                lab.to_json(writer, state),
                lab.to_json(reader, found[first]),
                lab.to_json(reader, read),
                route,
            )
    return None


def _difference(lab: Lab, reader: int, expected: Any, found: Any) -> str:
    if isinstance(expected, Refused) and isinstance(found, Refused):
        same = type(expected.error) is type(found.error)
        return "" if same else f"expected {expected}, found {found}"
    if isinstance(expected, Refused) or isinstance(found, Refused):
        refusal = expected if isinstance(expected, Refused) else found
        return f"only one of them refuses: {refusal}"
    return str(lab.walk(reader).first_difference(expected, found) or "")


def _named(way: Way) -> str:
    return f"{way[0]} ({way[1]})"


PAIRS = Law(
    "pairs",
    "A reader gets the same state whichever format and engine wrote and read it.",
    _cases,
)
