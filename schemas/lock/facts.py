"""The facts of a lock, each one line of text.

=========  =======================  ==========================================
kind       example                  says
=========  =======================  ==========================================
version    ``version s 3 <hex>``    version 3 was released with this fingerprint
field      ``field s R.f 9 2``      from version 2 on, this field has number 9
symbol     ``symbol s E.A 0 1``     the same of a symbol
branch     ``branch s R.f(x) 1 1``  the same of a branch of a union
removed    ``removed s R.f 3``      version 3 no longer has this part
=========  =======================  ==========================================
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..numbered import Part, PartKind

_NUMBERS: Mapping[PartKind, range] = {
    "branch": range(1, 2**29),
    "field": range(1, 2**29),
    "symbol": range(-(2**31), 2**31),
}
_VERSIONS = range(1, 2**31)


@dataclass(frozen=True, slots=True)
class Release:
    """A version was released with this fingerprint."""

    subject: str
    version: int
    fingerprint: int


@dataclass(frozen=True, slots=True)
class Number:
    """From version ``since`` on, ``part`` has this Protobuf number."""

    subject: str
    part: Part
    number: int
    since: int


@dataclass(frozen=True, slots=True)
class Removal:
    """``version`` no longer has the part whose text is ``part``."""

    subject: str
    part: str
    version: int


Fact: TypeAlias = Release | Number | Removal


def fact_line(fact: Fact) -> str:
    """``fact`` as its line, without the line's end."""
    match fact:
        case Release():
            return f"version {fact.subject} {fact.version} {fact.fingerprint:016x}"
        case Number():
            return f"{fact.part.kind} {fact.subject} {fact.part} {fact.number} {fact.since}"
        case Removal():
            return f"removed {fact.subject} {fact.part} {fact.version}"


def read_fact(line: str) -> Fact | None:
    """The fact that ``line`` states, or None where it states none."""
    match line.split(" "):
        case ["version", subject, version, fingerprint]:
            return _release(subject, version, fingerprint)
        case ["field" | "symbol" | "branch" as kind, subject, part, number, since]:
            return _number(kind, subject, part, number, since)
        case ["removed", subject, part, version]:
            gone = _whole(version, _VERSIONS)
            return Removal(subject, part, gone) if subject and part and gone else None
        case _:
            return None


def _release(subject: str, version: str, fingerprint: str) -> Release | None:
    number = _whole(version, _VERSIONS)
    if not (subject and number and re.fullmatch(r"[0-9a-f]{16}", fingerprint)):
        return None
    return Release(subject, number, int(fingerprint, 16))


def _number(kind: PartKind, subject: str, text: str, number: str, since: str) -> Number | None:
    part, value, version = (
        _part(kind, text),
        _whole(number, _NUMBERS[kind]),
        _whole(since, _VERSIONS),
    )
    if not subject or part is None or value is None or version is None:
        return None
    return Number(subject, part, value, version)


def _part(kind: PartKind, text: str) -> Part | None:
    pattern = r"(.+)\((.+)\)" if kind == "branch" else r"(.+)\.([^.]+)"
    found = re.fullmatch(pattern, text)
    return Part(kind, found[1], found[2]) if found else None


def _whole(text: str, allowed: range) -> int | None:
    """A number as we write it, without a leading zero, where it is one that can be."""
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,9}", text) or int(text) not in allowed:
        return None
    return int(text)
