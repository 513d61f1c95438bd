"""The findings as one table of text, at most 100 columns wide, and as plain values for JSON."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from textwrap import fill
from typing import Any, Final

from .measure import Spread
from .measures import Finding

HEADINGS: Final = ("#", "measure", "beside", "size", "ratio [95 %]", "target", "met")
WIDTH: Final = 100
"""The most columns that anything printed has."""
_WIDTHS: Final = (2, 25, 19, 10, 22, 6, 3)
_RIGHT: Final = (0, 4, 5)
_LIBRARIES: Final = ("msgspec", "fastavro", "protobuf", "pydantic")


def print_table(rows: Iterable[Finding], facts: Mapping[str, str], notes: Iterable[str]) -> None:
    """Print each row as it is found, then the circumstances, notes, and what was skipped."""
    reasons: dict[str, None] = {}  # in order, each once
    print(line(HEADINGS))
    for row in rows:
        print(line(cells(row)), flush=True)
        if not is_short(row):
            reasons[f"{row.measure.number}: {row.why}"] = None
    print()
    for text in (", ".join(f"{name} {value}" for name, value in facts.items()), *notes, *reasons):
        print(fill(text, WIDTH, subsequent_indent="   "))


def line(cells: tuple[str, ...]) -> str:
    """One line of the table. Its columns are fixed, so that a row can be shown at once."""
    padded = [
        cell.rjust(width) if place in _RIGHT else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    ]
    return "  ".join(padded).rstrip()


def cells(finding: Finding) -> tuple[str, ...]:
    """The row as text; a reason that is too long for it is only called skipped."""
    measure, met = finding.measure, finding.met
    return (
        str(measure.number),
        measure.ours,
        measure.peer,
        finding.size,
        ratio_text(finding.found.ratio) if finding.found else short_reason(finding),
        "-" if finding.target is None else f"{finding.target:g}",
        "-" if met is None else "yes" if met else "no",
    )


def short_reason(finding: Finding) -> str:
    """Why nothing was measured, where that fits in a cell."""
    return finding.why if is_short(finding) else "skipped, see below"


def is_short(finding: Finding) -> bool:
    """Whether the reason fits in its cell."""
    return len(finding.why) <= _WIDTHS[4]


def ratio_text(ratio: Spread) -> str:
    """A ratio with its interval, of three digits each: ``0.801 [0.790-0.812]``."""
    middle, lower, upper = map(_digits, (ratio.median, ratio.lower, ratio.upper))
    return f"{middle} [{lower}-{upper}]"


def _digits(number: float) -> str:
    for least, decimals in ((100, 0), (10, 1), (1, 2), (0.01, 3)):
        if number >= least:
            return f"{number:.{decimals}f}"
    return f"{number:.4f}"


def plain(finding: Finding) -> dict[str, Any]:
    """The row as plain values; seconds are of one run, and null where no time was taken."""
    found = finding.found
    ratio = None if found is None else found.ratio
    return {
        "measure": finding.measure.number,
        "ours": finding.measure.ours,
        "peer": finding.measure.peer,
        "size": finding.size,
        "ratio": ratio and {"median": ratio.median, "lower": ratio.lower, "upper": ratio.upper},
        "target": finding.target,
        "met": finding.met,
        "seconds": found and found.ours,
        "peer_seconds": found and found.peer,
        "why": finding.why or None,
    }


def circumstances(engine: str) -> dict[str, str]:
    """What the numbers depend on: the engine, Python, the machine and the libraries."""
    return {
        "engine": engine,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        **{name: version(name) for name in _LIBRARIES},
    }
