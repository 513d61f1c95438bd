"""What a run of the bench found: immutable, and the same in memory as in its JSON file.

All times are seconds of one piece of work, and all sizes are bytes. A time is that of the
processor where its clock is fine enough; ``method.clock`` says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from .measure import Spread
from .peers import Gives

FORM: Final = 1
"""The form of the file, so that a later bench can tell what it reads."""

Work: TypeAlias = Literal["hydrate", "dehydrate", "round trip", "migrate", "project"]
"""What is timed: bytes to objects, back, both, an older version's bytes to objects, some fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What the numbers depend on. ``versions`` are those of the libraries, by name; ``engine``
    is the one that instar takes on its own, and ``why`` the reason.
    """

    cpu: str
    cores: int
    system: str
    python: str
    engine: str
    why: str
    versions: dict[str, str]
    taken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How it was measured: ``processes``, one after the other, of ``rounds`` rounds each.

    ``sample`` is the least that one reading of the clock spans, in seconds. ``overhead`` is
    what calling a candidate takes by itself, in seconds, as measured; it was taken off all
    times, but for ``left_over``, by which one call may differ from another.
    """

    processes: int
    rounds: int
    sample: float
    clock: str
    warm_up: str
    collector: str
    base: str
    overhead: float
    left_over: float
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What the states are: ``versions`` lists all there are, ``version`` is the one measured."""

    name: str
    version: int
    versions: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """One state: ``size`` is that of instar's JSON of it, and ``items`` how many the list that
    makes it long has; 0 where there is none.
    """

    label: str
    origin: str
    size: int
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerNote:
    """One way to store a state. ``family`` groups what writes the same kind of bytes; ``note``
    says what must be known before it is chosen, such as that it is unsafe.
    """

    name: str
    gives: Gives
    family: str
    ours: bool
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A peer that has no rows, or none for ``payload``, and why."""

    peer: str
    why: str
    payload: str = ""
    installed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one piece of work took one peer on one payload.

    ``times`` are the seconds of every round of every process. ``seconds`` has the quartiles of
    all rounds; ``ratio`` is to ``base`` in the same round, with a 95 % interval that allows
    for what differs from process to process. ``rank`` is the best and the worst place that the
    peer can have among those that give the same: one place only where its interval meets no
    other. ``logs`` has the logarithm of each process's median ratio, by which two runs are
    compared. ``version`` is that of the bytes in ``migrate``, and ``paths`` are what
    ``project`` reads.
    """

    work: Work
    peer: str
    gives: Gives
    payload: str
    base: str
    seconds: Spread
    ratio: Spread
    rank: tuple[int, int] | None = None
    version: int | None = None
    paths: tuple[str, ...] = ()
    times: tuple[tuple[float, ...], ...] = ()
    logs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The bytes of a payload as a peer stores it; ``zstd`` where zstandard is installed."""

    peer: str
    payload: str
    raw: int
    zstd: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What hydrating once takes, as tracemalloc sees it: ``held`` is what the result keeps,
    ``extra`` the peak beyond that, and ``blocks`` how many allocations the result keeps.
    """

    peer: str
    payload: str
    held: int
    extra: int
    blocks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One part of a cold start, with the quartiles of the new processes that were timed."""

    name: str
    seconds: Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class ColdStart:
    """A new process up to its first state: Python itself, import, registry, codec, hydrate."""

    peer: str
    payload: str
    phases: tuple[Phase, ...]
    total: Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One size of a scale: a state whose longest list has ``items``."""

    items: int
    size: int
    seconds: Spread
    held: int
    peak: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How time and memory grow with the state.

    ``time`` and ``memory`` are exponents of the bytes, fitted to the larger points: 1 is
    linear. ``worse`` says whether either is shown to be above what counts as linear.
    """

    work: Work
    peer: str
    points: tuple[Point, ...]
    time: Spread
    memory: float
    worse: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A ranking that is refused: the intervals of neighbouring peers overlap."""

    work: Work
    payload: str
    gives: Gives
    peers: tuple[str, ...]
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """All that a run found. ``findings`` are sentences on what is wrong, and ``notes`` on what a
    reader should not have to find in the numbers, such as where instar is not the fastest.
    """

    form: int = FORM
    environment: Environment
    method: Method
    subject: Subject
    payloads: tuple[Payload, ...]
    peers: tuple[PeerNote, ...]
    left_out: tuple[LeftOut, ...] = ()
    rows: tuple[Row, ...] = ()
    sizes: tuple[Size, ...] = ()
    memory: tuple[Memory, ...] = ()
    cold: tuple[ColdStart, ...] = ()
    scales: tuple[Scale, ...] = ()
    ties: tuple[Tie, ...] = ()
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
