"""Finds what a result says of one peer or one payload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..peers import Gives
from ..result import PeerNote, Result, Row, Work
from .words import is_unsafe


@dataclass(frozen=True, slots=True)
class Findings:
    """A result with its rows and peers at hand."""

    result: Result

    def peer(self, name: str) -> PeerNote:
        """What is known of a peer, and no more than its name where nothing is."""
        for peer in self.result.peers:
            if peer.name == name:
                return peer
        return PeerNote(name=name, gives="objects", family="", ours=False)

    def rows(self, work: Work, payload: str, gives: Gives | None = None) -> list[Row]:
        """The rows of one kind of work on one payload, by the median of their ratio."""
        found = [
            row
            for row in self.result.rows
            if (row.work, row.payload) == (work, payload) and gives in (None, row.gives)
        ]
        return sorted(found, key=lambda row: row.ratio.median)

    def label(self, name: str) -> str:
        """The name of a peer, with a warning where it needs one."""
        return f"{name} (unsafe)" if is_unsafe(self.peer(name)) else name

    def is_ours(self, name: str) -> bool:
        """Whether a peer is instar itself."""
        return self.peer(name).ours

    def role(self, name: str) -> str:
        """The class of a peer's marks; labels say the same, so that no colour has to."""
        peer = self.peer(name)
        return "ours" if peer.ours else "unsafe" if is_unsafe(peer) else "other"

    def families(self, names: Iterable[str]) -> list[str]:
        """The families of some peers, in the order of the result."""
        return list(dict.fromkeys(self.peer(name).family for name in names))


def common_name(names: Sequence[str]) -> str:
    """One name for peers that store the same: what they share, or the first and how many more."""
    before = {name.partition(", ")[0] for name in names}
    if len(names) == 1:
        return names[0]
    if len(before) == 1:
        return before.pop()
    return f"{names[0]} +{len(names) - 1}"
