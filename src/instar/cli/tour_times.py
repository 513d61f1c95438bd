"""The last scene of the tour: sizes and times of the formats, JSON included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..bench.others import json_peer, msgspec_json_peer
from ..bench.peers import FORMATS, Peer, Versions, instar_peers
from ..bench.sample import agent_state
from ..bench.table import Row, cells, columns, compare
from ..codec.engines import engine
from ..errors import MissingExtra
from .output import heading, line, table
from .tour_folder import SUBJECT
from .tour_stage import KEY, Stage, say

_ROUNDS: Final = 25
_BASE: Final = "json"


def show_times(stage: Stage) -> None:
    """Sizes and times of the state in each format, measured now, and what they say."""
    heading(f"7. Size and time of {KEY} at version {stage.new.version}, in each format")
    versions = Versions.latest(stage.registry, SUBJECT)
    state = stage.new.decode(stage.old.encode(stage.state))
    other = agent_state(stage.new, "small", seed=8)
    peers = [json_peer(versions), msgspec_json_peer(versions), *_ours(versions, state)]
    rows = compare(peers, [state, other], rounds=_ROUNDS, base=_BASE)
    headings = columns(_BASE)
    table(headings, [cells(row) for row in rows], right=headings[1:])
    line()
    say(
        f"Hydrate: bytes to Python objects; dehydrate: back. Medians of {_ROUNDS} interleaved"
        " rounds after a warm-up, garbage collection off; ± is half the interquartile range,"
        " [] the 95% interval of the ratio. Every row was first checked to give back the whole"
        " state."
    )
    line()
    say(_verdict(rows))
    line()
    say(_other_ratios(peers, agent_state(stage.new), other))


def _ours(versions: Versions, state: object) -> list[Peer]:
    """The formats of instar, without one whose library is not installed."""
    peers: list[Peer] = []
    for peer in instar_peers(versions, FORMATS):
        try:
            peer.load(peer.dump(state))
        except MissingExtra as error:
            say(f"{peer.name} is left out: {error}")
        else:
            peers.append(peer)
    return peers


def _verdict(rows: Sequence[Row]) -> str:
    """What the numbers say, for us or against us."""
    ours = [row for row in rows if row.name.startswith("instar")]
    fastest = min(rows, key=_hydrate)
    our_fastest, smallest = min(ours, key=_hydrate), min(rows, key=lambda row: row.bytes)
    share = smallest.bytes / next(row.bytes for row in rows if row.name == _BASE)
    return (
        f"Smallest: {smallest.name}, {share:.0%} of {_BASE}. Fastest to hydrate: {fastest.name};"
        f" of instar's formats, {our_fastest.name}."
        f" {_BASE} makes dicts and checks nothing; msgspec json makes the same objects but"
        " knows no versions and no damage. instar's rows pay for the tag, the checksum and the"
        f" checks. The engine is the {_engine()}."
    )


def _engine() -> str:
    """The engine, and what it means for the rows above."""
    found = engine()
    slow = "" if found.name == "kernel" else ": avro and protobuf are mapped in Python"
    return f"{found.name}, because {found.why}{slow}"


def _other_ratios(peers: Sequence[Peer], state: object, other: object) -> str:
    """The ratios on a state that is less kind to the formats that msgspec reads."""
    # yaml would take most of the time, and tells nothing new.
    fast = [peer for peer in peers if peer.name != "instar yaml"]
    rows = compare(fast, [state, other], rounds=_ROUNDS, base=_BASE)
    found = ", ".join(
        f"{row.name} {row.hydrate.ratio.median:.2f}" for row in rows if row.name != _BASE
    )
    return (
        "This state comes from version 1, so its messages are all text. With tool calls and"
        f" their results among 100 messages, the ratios to {_BASE} are: {found}."
    )


def _hydrate(row: Row) -> float:
    return row.hydrate.seconds.median
