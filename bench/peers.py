"""What is measured: instar in its five formats, and other ways to store the same state.

A peer is checked before it is timed. It has to give back the whole state, of more than one
state, afresh each time: a peer that does less work than it claims is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from ..codec.codec import Codec
from ..codec.registry import Registry
from ..codec.tag import Format
from ..errors import InstarError, ValueMismatch
from .same import same, share_parts

Gives: TypeAlias = Literal["objects", "models", "dicts", "message"]
"""What hydrating gives: typed objects of our classes, typed objects of a library's own,
plain dicts, or a Protobuf message nobody has read.
"""

FORMATS: Final[tuple[Format, ...]] = get_args(Format)


def _itself(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Peer:
    """One way to store a state.

    ``dump`` and ``load`` are what is timed. ``value`` makes what ``dump`` takes out of a
    state, and ``state`` makes a state out of what ``load`` gives; neither is timed.
    """

    name: str
    gives: Gives
    dump: Callable[[Any], bytes]
    load: Callable[[bytes], Any]
    value: Callable[[Any], Any] = _itself
    state: Callable[[Any], Any] = _itself


@dataclass(frozen=True, slots=True)
class Versions:
    """Makes codecs of one version of one subject, in any format."""

    registry: Registry
    subject: str
    version: int

    @classmethod
    def latest(cls, registry: Registry, subject: str) -> Versions:
        """Those of the latest version."""
        return cls(registry, subject, registry.subject(subject).latest)

    def codec(self, format_: Format) -> Codec[Any]:
        """The codec that writes ``format_``."""
        return self.registry.codec(self.subject, format=format_, version=self.version)


def instar_peers(versions: Versions, formats: Sequence[Format] = FORMATS) -> list[Peer]:
    """Those of instar itself: tagged, checked blobs to and from typed objects."""
    codecs = [versions.codec(name) for name in formats]
    return [Peer(f"instar {c.format}", "objects", c.encode, c.decode) for c in codecs]


def check_peer(peer: Peer, states: Sequence[Any]) -> None:
    """Raise ``ValueMismatch`` where a peer does not do the work that it is to be timed for.

    ``states`` are at least two different ones, so that an answer learnt by heart shows.
    """
    if len(states) < 2 or same(states[0], states[1]):  # noqa: PLR2004 - one and another
        raise _refused(peer, "it has to be checked with two different states")
    for state in states:
        _check_state(peer, state)


def _check_state(peer: Peer, state: Any) -> None:
    before = deepcopy(state)
    value = peer.value(state)
    blob = peer.dump(value)
    if type(blob) is not bytes:
        raise _refused(peer, f"it stores {type(blob).__name__}, not bytes")
    first, second = peer.load(blob), peer.load(blob)
    _check_kind(peer, state, first)
    if first is second or share_parts(first, second) or share_parts(first, value):
        raise _refused(peer, "it gives an object that it gave before")
    if not same(state, before):
        raise _refused(peer, "it changes the state that it is to store")
    if not same(_read(peer, first), state):
        raise _refused(peer, "it does not give the whole state back")


def _check_kind(peer: Peer, state: Any, found: Any) -> None:
    typed = peer.gives != "objects" or _kind(found) is _kind(state)
    plain = (peer.gives == "dicts") == (_kind(found) is dict)
    if not (typed and plain):
        raise _refused(peer, f"it gives {_kind(found).__name__}, and claims {peer.gives}")


def _kind(value: object) -> type[object]:
    return type(value)


def _read(peer: Peer, found: Any) -> Any:
    try:
        return peer.state(found)
    except InstarError as error:
        raise _refused(peer, f"what it gives is no state: {error}") from error


def _refused(peer: Peer, what: str) -> ValueMismatch:
    return ValueMismatch(what, path=peer.name, mend="a peer is timed only for the whole work")
