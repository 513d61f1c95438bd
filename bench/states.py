"""States to measure with: one subject, one size, and a second state to check peers with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from .peers import Peer, Versions, check_peer, instar_peers
from .sample import SIZES, agent_state

LABELS: Final = ("1.5 KB", "30 KB", "600 KB")
"""What the sizes of the sample are called, as JSON."""

REPEATING: Final = 8
"""How many different ids there are where ids repeat."""

Make = Callable[[Versions], Peer]
"""What makes a peer, such as the functions of :mod:`.others`."""


@dataclass(frozen=True, slots=True)
class States:
    """What is measured, ``state``, and another that a peer must give back too.

    ``label`` says how large the state is, and ``place`` which of the three targets of a
    measure holds for it.
    """

    label: str
    place: int
    versions: Versions
    state: Any
    other: Any

    def load(self, make: Make) -> Callable[[], Any]:
        """What hydrates the state once, by a peer that was checked."""
        peer = self._peer(make)
        return partial(peer.load, peer.dump(peer.value(self.state)))

    def dump(self, make: Make) -> Callable[[], bytes]:
        """What dehydrates the state once, by a peer that was checked."""
        peer = self._peer(make)
        return partial(peer.dump, peer.value(self.state))

    def _peer(self, make: Make) -> Peer:
        peer = make(self.versions)
        check_peer(peer, [self.state, self.other])
        return peer


def sample_states(versions: Versions, *, ids: int | None = None) -> list[States]:
    """The sample in its three sizes; ``ids`` is that of ``state_document``."""
    codec = versions.codec("avro")
    other = agent_state(codec, "small", seed=8, ids=ids)
    return [
        States(label, place, versions, agent_state(codec, size, ids=ids), other)
        for place, (label, size) in enumerate(zip(LABELS, SIZES, strict=True))
    ]


def avro_peer(versions: Versions) -> Peer:
    """The Avro of instar: tagged, checked blobs to and from typed objects."""
    return instar_peers(versions, ["avro"])[0]


def protobuf_objects_peer(versions: Versions) -> Peer:
    """The Protobuf of instar: tagged, checked blobs to and from typed objects."""
    return instar_peers(versions, ["protobuf"])[0]


def msgpack_blob_peer(versions: Versions) -> Peer:
    """The MessagePack of instar: tagged, checked blobs to and from typed objects."""
    return instar_peers(versions, ["msgpack"])[0]


def json_blob_peer(versions: Versions) -> Peer:
    """The JSON of instar: tagged, checked blobs to and from typed objects."""
    return instar_peers(versions, ["json"])[0]
