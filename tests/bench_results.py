"""A result of the bench with something of everything, in which names are hostile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from instar.bench.measure import Spread
from instar.bench.result import (
    ColdStart,
    Environment,
    LeftOut,
    Memory,
    Method,
    Payload,
    PeerNote,
    Phase,
    Point,
    Result,
    Row,
    Scale,
    Size,
    Subject,
    Tie,
    Work,
)

HOSTILE = "</script><script>alert('x')</script>&<b>\""
"""What a subject, a file or a peer of the user's own may be called."""
LABELS = ("2 items, 2.1 KB", "100 items, 31 KB", HOSTILE)
OURS = ("instar avro, kernel", "instar avro, library")
PEERS = (
    PeerNote(name=OURS[0], gives="objects", family="avro", ours=True),
    PeerNote(name=OURS[1], gives="objects", family="avro", ours=True),
    PeerNote(name="msgspec json", gives="objects", family="json", ours=False, note="no versions"),
    PeerNote(name="pickle", gives="objects", family="pickle", ours=False, note="UNSAFE: runs code"),
    PeerNote(name="json, dicts", gives="dicts", family="json", ours=False, note="to dicts"),
    PeerNote(name=HOSTILE, gives="models", family=HOSTILE, ours=False, note=HOSTILE),
)

WORKS: tuple[Work, ...] = ("hydrate", "dehydrate", "round trip")
PHASES = ("python", "import instar", "open the registry", "codec", "first hydrate")
ENVIRONMENT = Environment(
    cpu="A processor",
    cores=4,
    system="Linux",
    python="CPython 3.11",
    engine="kernel",
    why="it is installed",
    versions={"msgspec": "0.20", "fastavro": "1.12"},
    taken="2026-03-02T09:00:00+00:00",
)
METHOD = Method(
    processes=5,
    rounds=9,
    sample=0.001,
    clock="thread time",
    warm_up="3 runs",
    collector="off while timing",
    base="msgspec json",
    overhead=2.3e-8,
    left_over=2e-9,
    command="instar bench agent_state --html page.html",
)


def spread(middle: float) -> Spread:
    return Spread(middle, middle * 0.96, middle * 1.07)


def make_row(work: Work, peer: PeerNote, payload: str, took: float, ratio: float) -> Row:
    """A row without a rank."""
    return Row(
        work=work,
        peer=peer.name,
        gives=peer.gives,
        payload=payload,
        base="msgspec json",
        seconds=spread(took),
        ratio=spread(ratio),
    )


def make_rows() -> Iterator[Row]:
    """Rows whose numbers are all different, so that none can stand for another."""
    for size, payload in enumerate(LABELS):
        for place, peer in enumerate(PEERS):
            rank = (1, 2) if peer.ours else (place + 1, place + 1)
            for step, work in enumerate(WORKS):
                took = 2.1e-6 * 17**size * (1 + place * 1.31) * (1 + step / 7)
                yield replace(make_row(work, peer, payload, took, took * 1e5), rank=rank)
            if peer.ours:
                yield from own_rows(peer, payload, place + size / 9)


def own_rows(peer: PeerNote, payload: str, number: float) -> Iterator[Row]:
    """What only instar does: reading old blobs, and a few fields."""
    for version in (1, 2):
        row = make_row(
            "migrate", peer, payload, 3e-6 * (version + number), 1 + version / 3 + number
        )
        yield replace(row, version=version, base=f"{peer.name}, version 3")
    row = make_row("project", peer, payload, 1.3e-6 * (number + 1), 0.2 + number / 5)
    yield replace(row, paths=("id", "x"), base=f"{peer.name}, whole")


def make_sizes() -> Iterator[Size]:
    """Sizes; one peer's are not compressed."""
    for size, payload in enumerate(LABELS):
        for place, peer in enumerate(PEERS):
            zstd = None if place == 3 else 300 * 17**size + 7 * place
            yield Size(peer=peer.name, payload=payload, raw=900 * 17**size + 13 * place, zstd=zstd)


def make_memory() -> Iterator[Memory]:
    """Memory, in the order of the sizes."""
    for number, size in enumerate(make_sizes()):
        yield Memory(
            peer=size.peer,
            payload=size.payload,
            held=3000 + number,
            extra=70 + number,
            blocks=50 + number,
        )


def make_cold() -> Iterator[ColdStart]:
    """A cold start of each of ours."""
    for number, name in enumerate(OURS):
        phases = tuple(
            Phase(name=phase, seconds=spread(0.01 * (place + 1 + number / 9)))
            for place, phase in enumerate(PHASES)
        )
        total = spread(0.21 + number / 50)
        yield ColdStart(peer=name, payload=LABELS[0], phases=phases, total=total)


def make_scale(peer: str, time: float, memory: float, *, worse: bool) -> Scale:
    """A scale from one item to ten thousand."""
    points = tuple(
        Point(
            items=10**power,
            size=700 * 10**power,
            seconds=spread(time * 1e-6 * 11**power),
            held=2000 * 10**power,
            peak=int(2300 * time) * 10**power,
        )
        for power in range(5)
    )
    return Scale(
        work="hydrate", peer=peer, points=points, time=spread(time), memory=memory, worse=worse
    )


def make_result() -> Result:
    """All of it."""
    return Result(
        environment=ENVIRONMENT,
        method=METHOD,
        subject=Subject(name=HOSTILE, version=3, versions=(1, 2, 3), source="made up"),
        payloads=tuple(
            Payload(label=label, origin="made up", size=2061 * 17**size, items=size)
            for size, label in enumerate(LABELS)
        ),
        peers=PEERS,
        left_out=(
            LeftOut(peer="langgraph, dicts", why="it is not installed", installed=False),
            LeftOut(peer="yaml", why="one hydration takes 0.9 s", payload=LABELS[1]),
        ),
        rows=tuple(make_rows()),
        sizes=tuple(make_sizes()),
        memory=tuple(make_memory()),
        cold=tuple(make_cold()),
        scales=(
            make_scale(OURS[0], 1.04, 0.99, worse=False),
            make_scale("msgspec json", 1.24, 1.01, worse=True),
        ),
        ties=(Tie(work="hydrate", payload=LABELS[0], gives="objects", peers=OURS),),
        findings=("msgspec json: hydrate grows worse than the state",),
        notes=("instar avro, library: an old blob takes longer", HOSTILE),
    )
