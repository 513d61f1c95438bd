"""A comparison of two results as a table of 80 columns."""

from __future__ import annotations

from ..bench.table import ratio_text
from ..bench.verdicts import Comparison, Verdict
from .output import count, heading, line, table, warn


def tell(found: Comparison) -> None:
    """Print a row for each verdict, then sizes that changed, and how many of each there are."""
    for note in found.notes:
        warn(note)
    for payload in dict.fromkeys(one.payload for one in found.verdicts):
        heading(payload)
        rows = [_cells(one) for one in found.verdicts if one.payload == payload]
        table(("work", "peer", "after/before", "verdict"), rows, right=("after/before",))
    if found.sizes:
        heading("Sizes that changed")
        sizes = [(s.payload, s.peer, f"{s.before:,}", f"{s.after:,}") for s in found.sizes]
        table(("payload", "peer", "before", "after"), sizes, right=("before", "after"))
    for one in found.only:
        warn(f"only one of the results has {one}")
    line()
    line(_summary(found))


def _cells(one: Verdict) -> tuple[str, ...]:
    work = one.work if one.version is None else f"{one.work} {one.version}"
    verdict = f"{one.change}, beyond" if one.beyond else one.change
    return work, one.peer, ratio_text(one.ratio), verdict


def _summary(found: Comparison) -> str:
    changes = [one.change for one in found.verdicts]
    return (
        f"{count(len(changes), 'row')}: {changes.count('slower')} slower,"
        f" {changes.count('faster')} faster, {changes.count('no difference shown')} with no"
        f" difference shown; {found.count_beyond} beyond {found.margin:.0%}"
    )
