"""What the numbers rest on: the peers, those left out, the method and the environment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..result import LeftOut, PeerNote, Result
from ..table import time_text
from .findings import Findings
from .grid import Cell, Column, grid, grid_row
from .markup import Markup, element, join
from .words import GIVES, is_unsafe

_SHOWN: Final = 8
_PEERS: Final = (Column("peer"), Column("bytes of"), Column("hydrating gives"), Column("to know"))


def listed(sentences: Iterable[str], class_: str) -> Markup:
    """Sentences as a list."""
    return element("ul", *(element("li", one) for one in sentences), class_=class_)


def notes(sentences: Sequence[str]) -> Markup:
    """The first few sentences, and the others where they can be unfolded."""
    shown = listed(sentences[:_SHOWN], "notes")
    if len(sentences) <= _SHOWN:
        return shown
    rest = sentences[_SHOWN:]
    more = element("summary", f"{len(rest)} more")
    return join((shown, element("details", more, listed(rest, "notes"))))


def peers(found: Findings) -> Markup:
    """Every peer that was measured, with what must be known before it is chosen."""
    rows = map(_peer_row, found.result.peers)
    return grid("The peers", _PEERS, rows, id_="peers")


def _peer_row(peer: PeerNote) -> Markup:
    cells = (Cell(peer.name), Cell(peer.family), Cell(GIVES[peer.gives]), Cell(peer.note or "-"))
    return grid_row(_PEERS, cells, class_="warned" if is_unsafe(peer) else None)


def left_out(found: Findings) -> Markup:
    """Peers that are not installed, and those that were not timed for another reason."""
    absent = [one for one in found.result.left_out if not one.installed]
    others = [one for one in found.result.left_out if one.installed]
    return join(
        (
            *_reasons("Not installed", absent),
            *_reasons("Not timed", others),
        )
    )


def _reasons(heading: str, found: list[LeftOut]) -> Iterator[Markup]:
    if found:
        yield element("h3", heading)
        yield listed((_reason(one) for one in found), "plain")


def _reason(one: LeftOut) -> str:
    where = f" on {one.payload}" if one.payload else ""
    return f"{one.peer}{where}: {one.why}"


def method(result: Result) -> Markup:
    """How it was measured, and the command that does it again."""
    used = result.method
    return join(
        (
            element("pre", element("code", used.command), tabindex="0"),
            _pairs(
                {
                    "processes": f"{used.processes}, one after the other",
                    "rounds": f"{used.rounds} in each, all peers in turns within a round",
                    "one reading": f"spans at least {time_text(used.sample)}",
                    "clock": used.clock,
                    "warm-up": used.warm_up,
                    "collector": used.collector,
                    "ratios": f"to {used.base}, in the same round",
                    "bench itself": f"the {used.overhead * 1e9:,.0f} ns of a call are taken off,"
                    f" give or take {used.left_over * 1e9:,.0f} ns",
                }
            ),
        )
    )


def environment(result: Result) -> Markup:
    """The machine, Python, the engine and the libraries."""
    used = result.environment
    return _pairs(
        {
            "taken": used.taken,
            "processor": f"{used.cpu}, {used.cores} cores",
            "system": used.system,
            "Python": used.python,
            "engine": f"{used.engine}: {used.why}" if used.why else used.engine,
            **used.versions,
        }
    )


def _pairs(facts: dict[str, str]) -> Markup:
    rows = (
        element("div", element("dt", name), element("dd", value)) for name, value in facts.items()
    )
    return element("dl", *rows, class_="facts")
