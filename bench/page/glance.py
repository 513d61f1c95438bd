"""What a reader in a hurry should take home: who is first on each payload, and who is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..payload.chosen import size_text
from ..result import Payload, Row, Work
from ..table import time_text
from .findings import Findings, common_name
from .markup import Markup, element
from .words import times_text

_WORKS: Final[tuple[tuple[Work, str], ...]] = (
    ("hydrate", "Fastest to hydrate"),
    ("dehydrate", "Fastest to dehydrate"),
    ("round trip", "Fastest there and back"),
)


def glance(found: Findings) -> Markup:
    """A card for each payload, on peers that give typed objects alone."""
    cards = (_card(found, payload) for payload in found.result.payloads)
    return element("div", *cards, class_="cards")


def _card(found: Findings, payload: Payload) -> Markup:
    facts = [fact for work, name in _WORKS for fact in _fastest(found, payload, work, name)]
    return element(
        "section",
        element("h3", payload.label),
        element("p", f"{payload.size:,} bytes as JSON, {payload.origin}", class_="quiet"),
        element("dl", *facts, *_smallest(found, payload)),
        class_="card",
    )


def _fastest(found: Findings, payload: Payload, work: Work, name: str) -> Iterator[Markup]:
    rows = found.rows(work, payload.label, "objects")
    firsts = [row for row in rows if row.rank is not None and row.rank[0] == 1]
    if not firsts:
        return
    yield element("dt", name)
    yield element("dd", *_winners(found, firsts))
    if rest := _not_first(found, rows, firsts):
        yield element("dd", rest, class_="behind")


def _winners(found: Findings, firsts: Sequence[Row]) -> Iterator[Markup]:
    times = [row.seconds.median for row in firsts]
    span = time_text(times[0])
    if len(firsts) > 1:
        span = f"{time_text(min(times))} to {time_text(max(times))}"
        yield element("span", "No difference shown: ", class_="quiet")
    yield element("b", "; ".join(found.label(row.peer) for row in firsts))
    yield Markup(" ")
    yield element("span", span, class_="figure")


def _not_first(found: Findings, rows: Sequence[Row], firsts: Sequence[Row]) -> str:
    """That instar is not among the first, where it is not, and by how much."""
    ours = [row for row in rows if found.is_ours(row.peer)]
    if not ours or any(found.is_ours(row.peer) for row in firsts):
        return ""
    ratio = ours[0].ratio.median / firsts[0].ratio.median
    return (
        f"instar is not the fastest: {ours[0].peer} takes {times_text(ratio)} times as long"
        f" ({time_text(ours[0].seconds.median)})"
    )


def _smallest(found: Findings, payload: Payload) -> Iterator[Markup]:
    sizes = [one for one in found.result.sizes if one.payload == payload.label]
    yield from _least(found, "Smallest", {one.peer: one.raw for one in sizes})
    packed = {one.peer: one.zstd for one in sizes if one.zstd is not None}
    yield from _least(found, "Smallest with zstd", packed)


def _least(found: Findings, name: str, sizes: dict[str, int]) -> Iterator[Markup]:
    if not sizes:
        return
    least = min(sizes.values())
    names = [peer for peer, size in sizes.items() if size == least]
    figure = element("span", size_text(least), class_="figure")
    yield element("dt", name)
    yield element("dd", element("b", common_name(names)), Markup(" "), figure)
    ours = {peer: size for peer, size in sizes.items() if found.is_ours(peer)}
    if ours and min(ours.values()) > least:
        own = min(ours.values())
        best = common_name([peer for peer, size in ours.items() if size == own])
        more = f"instar is not the smallest: {best} takes {own - least:,} bytes more"
        yield element("dd", more, class_="behind")
