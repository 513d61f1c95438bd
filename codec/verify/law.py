"""What a law is, one case of it, and what running a case gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from ..subject import Subject
from .lab import Lab

EXAMPLES: Final = 40
"""States that hypothesis makes for each case, unless the caller says otherwise."""


class GoldenFinding(Protocol):
    """What is wrong with one golden blob: where it is, what is wrong, how to mend it."""

    @property
    def where(self) -> str:
        """The file of the blob."""
        ...

    @property
    def what(self) -> str:
        """What is wrong, in one clause."""
        ...

    @property
    def mend(self) -> str:
        """What to do about it; empty where nothing can be said."""
        ...


Replay: TypeAlias = Callable[[Subject], Iterable[GoldenFinding]]
"""Hydrates every recorded blob of a subject, and gives what is wrong."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How laws are run.

    ``examples`` states are generated for each case, from ``seed``. ``replay`` hydrates the
    recorded blobs; without it the law of goldens has nothing to run.
    """

    examples: int = EXAMPLES
    seed: int = 0
    replay: Replay | None = None


DEFAULT_SETTINGS: Final = Settings()


@dataclass(frozen=True, slots=True)
class Broken:
    """A state that breaks a law, as simple as could be found.

    ``what`` says where and how. ``example``, ``expected`` and ``found`` are in JSON form;
    ``expected`` and ``found`` are of one version, or say why there is no state. ``route`` is
    given where it is not that of the whole case.
    """

    what: str
    example: Any = None
    expected: Any = None
    found: Any = None
    route: tuple[int, ...] = ()


Trial: TypeAlias = Callable[[Any], Broken | None]
"""Tries one generated value: how it breaks the law, or nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """One law for one route: the versions that a state passes, in order.

    ``values`` makes the strategy of what ``trial`` is given, ``edges`` are values that are
    tried besides. ``format`` names the formats, and ``left_out`` what cannot be run here, with
    the reason. ``findings`` stands in place of the three
    where the law generates nothing.
    """

    route: tuple[int, ...]
    format: str = "avro"
    values: Callable[[], Any] = field(default=lambda: None)
    edges: Callable[[], Iterable[Any]] = field(default=tuple[Any, ...])
    trial: Trial = field(default=lambda _: None)
    findings: Callable[[], Sequence[Broken]] | None = None
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Law:
    """What must hold for every migration: an id that never changes, and a purpose."""

    id: str
    purpose: str
    cases: Callable[[Lab, Settings], Sequence[Case]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What running one case showed: ``broken`` is ``None`` where the law held.

    ``examples`` is how many states were tried. ``passed_over`` says why none was, and
    ``left_out`` what else could not be run here.
    """

    law: str
    purpose: str
    subject: str
    route: tuple[int, ...]
    format: str
    examples: int = 0
    broken: Broken | None = None
    passed_over: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The route as messages write it: ``2 -> 3 -> 2``."""
        return " -> ".join(map(str, self.route))
