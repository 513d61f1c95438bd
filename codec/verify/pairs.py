"""Every reader gets the same from every format, by every engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from .lab import Lab, Refused, Way, attempt
from .law import Broken, Case, Law, Settings
from .totals import case


def _cases(lab: Lab, settings: Settings) -> Sequence[Case]:
    del settings
    ways, _ = lab.ways()
    formats = ", ".join(dict.fromkeys(format_ for format_, _ in ways))
    routes = [(writer, reader) for writer in lab.versions for reader in lab.versions]
    routes.sort(key=lambda route: (abs(route[0] - route[1]), route))
    return [case(lab, route, partial(_trial, lab, ways, *route), formats) for route in routes]


def _trial(lab: Lab, ways: Sequence[Way], writer: int, reader: int, state: Any) -> Broken | None:
    first: tuple[Way, Any] | None = None
    for way in ways:
        payload = attempt(lab.encoder(writer, way), state)
        if isinstance(payload, Refused):
            continue  # a format may have no form of a value; another one then says what it is
        found = attempt(lab.decoder(writer, reader, way), payload)
        if first is None:
            first = way, found
            continue
        what = _difference(lab, reader, first[1], found)
        if what:
            known, other = _named(first[0]), _named(way)
            return Broken(
                f"{other} gives something else than {known}: {what}",
                lab.to_json(writer, state),
                lab.to_json(reader, first[1]),
                lab.to_json(reader, found),
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
