"""The peers that are fit to be timed on one payload: installed, and checked to give it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ...errors import ConfigError, InstarError
from ..catalogue import Entry
from ..measure import Candidate
from ..measures import CLOCK
from ..payload import Chosen
from ..peers import Peer, Versions, check_peer
from ..result import LeftOut, PeerNote
from ..same import same
from .task import TOO_SLOW

_TRIALS: Final = 3


@dataclass(frozen=True, slots=True)
class Contender:
    """A peer on one payload: what it is to dump, and the blob that it is to load."""

    versions: Versions
    entry: Entry
    peer: Peer
    value: Any
    blob: bytes

    def hydrate(self) -> Candidate:
        """Bytes to what the peer gives."""
        return Candidate(self.entry.name, partial(self.peer.load, self.blob))

    def dehydrate(self) -> Candidate:
        """What the peer takes to bytes."""
        return Candidate(self.entry.name, partial(self.peer.dump, self.value))

    def round_trip(self) -> Candidate:
        """Both, one after the other."""
        load, dump, value = self.peer.load, self.peer.dump, self.value
        return Candidate(self.entry.name, lambda: load(dump(value)))

    def note(self) -> PeerNote:
        """What a report says of the peer."""
        entry = self.entry
        return PeerNote(
            name=entry.name,
            gives=self.peer.gives,
            family=entry.family,
            ours=entry.ours,
            note=entry.note,
        )


@dataclass(frozen=True, slots=True)
class Field:
    """Those that are fit on one payload, and those that are not."""

    payload: Chosen
    state: Any
    contenders: tuple[Contender, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class Checks:
    """What has to be checked: nothing, of peers that are ``fit``, where that is known.

    A peer that is ``TOO_SLOW`` is left out, unless ``patient``.
    """

    fit: Sequence[str] | None = None
    patient: bool = False


def field(entries: Iterable[Entry], versions: Versions, payload: Chosen, checks: Checks) -> Field:
    """Make each peer, and check it on the payload."""
    codec = versions.codec("json")

    def states() -> list[Any]:
        return [codec.from_builtins(document) for document in (payload.document, payload.other)]

    _check_differ(payload.label, *states())
    found = list(_each(entries, versions, payload.label, states, checks))
    return Field(
        payload,
        states()[0],
        tuple(one for one in found if isinstance(one, Contender)),
        tuple(one for one in found if isinstance(one, LeftOut)),
    )


def _check_differ(label: str, state: Any, other: Any) -> None:
    if same(state, other):
        raise ConfigError(
            "no peer can be checked with it: no other state was found that differs from it",
            where=label,
            mend="measure states of which there is more than one",
        )


def _each(
    entries: Iterable[Entry],
    versions: Versions,
    label: str,
    states: Callable[[], list[Any]],
    checks: Checks,
) -> Iterator[Contender | LeftOut]:
    for entry in entries:
        if checks.fit is not None and entry.name not in checks.fit:
            continue
        missing = entry.missing()
        if missing:
            yield LeftOut(peer=entry.name, why=missing, payload=label, installed=False)
            continue
        try:
            with entry.circumstances():
                yield _contender(entry, versions, states, checks)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - each has errors of its own
            yield LeftOut(peer=entry.name, why=_reason(error), payload=label)


def _contender(
    entry: Entry, versions: Versions, states: Callable[[], list[Any]], checks: Checks
) -> Contender:
    """The peer, made and used once where its engine is in force. Raises ``ValueMismatch``.

    It gets states of its own, so that one which changes what it is given hurts no other.
    """
    peer = entry.peer(versions)
    value = peer.value(states()[0])
    blob = peer.dump(value)
    took = _quickest(peer, blob)
    check = checks.fit is None
    if check and not checks.patient and took > TOO_SLOW:
        raise TooSlowError(f"one hydration takes {took:.2f} s; name it with --peers to wait")
    if check:
        check_peer(peer, states())
    return Contender(versions, entry, peer, value, blob)


def _quickest(peer: Peer, blob: bytes) -> float:
    """Seconds of the quickest of three loads: the first may compile what the others use."""
    found: list[int] = []
    while len(found) < _TRIALS and (not found or min(found) > TOO_SLOW * 1e9):
        start = CLOCK()
        peer.load(blob)
        found.append(CLOCK() - start)
    return min(found) / 1e9


class TooSlowError(Exception):
    """A peer takes so long that all others would wait for it."""


def _reason(error: Exception | SystemExit) -> str:
    if isinstance(error, InstarError):
        return error.what
    if isinstance(error, TooSlowError):
        return str(error)
    return f"{type(error).__name__}: {error}"
