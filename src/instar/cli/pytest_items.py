"""What ``pytest --instar`` collects: an item for each check, each golden and each law."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import pytest

from ..codec.engines import engines, missing_kernel
from ..codec.goldens import Golden, Replay, find_goldens
from ..codec.project import find_settings
from ..codec.registry import Registry
from ..codec.verify import Run, Settings, prepare
from ..errors import InstarError
from ..schemas.folder import subject_names
from .compatibility import release_findings
from .findings import (
    Finding,
    found_golden,
    generated_findings,
    golden_findings,
    open_whole,
    orphan_findings,
    place_findings,
    strange_findings,
    type_findings,
)
from .project import Workplace, find_workplace
from .verify import explained

N = TypeVar("N", bound=pytest.Item | pytest.Collector)
Test: TypeAlias = Callable[[], Sequence[Finding]]
"""What an item runs: what it gives is wrong."""


def header(folder: Path) -> str:
    """The line about ``folder`` at the head of a run."""
    missing = missing_kernel()
    told = f"the library engine alone, as {missing}" if missing else " and ".join(engines())
    return f"instar: {folder}, goldens read by {told}"


def collect(session: pytest.Session, folder: Path) -> list[pytest.Item]:
    """The items of the subjects in ``folder``; what keeps one from being read is reported."""
    top = _made(_Folder, session, name="instar", nodeid="instar", folder=folder)
    top.add_marker("instar")
    return list(session.genitems(top))


def find_place(folder: Path) -> Workplace:
    """The workplace of ``folder``: with the migrations that the settings name for it, or those
    in a folder beside it. Raises ConfigError.
    """
    file, settings = find_settings(folder.resolve())
    migrations = folder.parent / "migrations"
    if file is not None and file.parent / settings.get("schemas", "schemas") == folder.resolve():
        migrations = file.parent / settings.get("migrations", "migrations")
    return find_workplace(folder, migrations if migrations.is_dir() else None)


def _made(kind: type[N], parent: pytest.Collector, **arguments: Any) -> N:
    """A node below ``parent``: pytest's own way to make one takes anything."""
    make: Callable[..., N] = getattr(kind, "from_parent")  # noqa: B009 - it is untyped
    return make(parent, **arguments)


class _FoundError(Exception):
    """An item found something."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(findings)
        self.findings = findings


def _told(excinfo: pytest.ExceptionInfo[BaseException]) -> str | None:
    """What an error of ours says, without a traceback; None of any other."""
    match excinfo.value:
        case _FoundError() as error:
            return "\n".join(map(_sentence, error.findings))
        case InstarError() as error:
            return str(error)
        case _:
            return None


def _sentence(finding: Finding) -> str:
    where = f"{finding.where}: " if finding.where else ""
    mend = f"\n    {finding.mend}" if finding.mend else ""
    return f"{finding.id}: {where}{finding.what}{mend}"


class _Item(pytest.Item):
    """Runs one test, and fails with what it finds."""

    def __init__(self, *, test: Test, **others: Any) -> None:
        super().__init__(**others)  # pyright: ignore[reportUnknownMemberType] - it takes anything
        self._test = test

    def runtest(self) -> None:
        findings = self._test()
        if findings:
            raise _FoundError(findings)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return _told(excinfo) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.nodeid


class _Collector(pytest.Collector):
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        del style
        return _told(excinfo) or super().repr_failure(excinfo)

    def _item(self, name: str, test: Test) -> pytest.Item:
        return _made(_Item, self, name=name, test=test)


class _Folder(_Collector):
    """All subjects, after what is wrong with none of them alone."""

    def __init__(self, *, folder: Path, **others: Any) -> None:
        super().__init__(**others, path=folder)
        self._folder = folder

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        place = find_place(self._folder)
        names = subject_names(place.schemas)
        yield self._item("check", lambda: _shared(place))
        for name in names:
            yield _made(_Subject, self, name=name, place=place)


class _Subject(_Collector):
    """One subject, which is opened once for all of its items."""

    def __init__(self, *, place: Workplace, **others: Any) -> None:
        super().__init__(**others)
        self._place = place

    def collect(self) -> Iterator[pytest.Item]:
        registry, findings = open_whole(self._place, [self.name])
        yield self._item("check", lambda: [*findings, *_check(registry, self._place)])
        for tests in _TESTS if registry.subjects else ():
            for name, test in tests(registry, self.name, self._place):
                yield self._item(name, test)


def _shared(place: Workplace) -> list[Finding]:
    return [*place_findings(place), *orphan_findings(place), *strange_findings(place)]


def _check(registry: Registry, place: Workplace) -> Iterator[Finding]:
    """What ``instar check`` finds in the subject of ``registry``, once it opens."""
    yield from type_findings(registry)
    yield from golden_findings(registry, place)
    yield from release_findings(registry, place)
    if place.generated is not None:
        yield from generated_findings(registry, place, place.generated, place.format)


def _goldens(registry: Registry, name: str, place: Workplace) -> Iterator[tuple[str, Test]]:
    subject = registry.subject(name)
    player = Replay(subject)
    for golden in find_goldens(subject, place.schemas):
        yield f"golden::{golden.name}", partial(_played, player, golden)


def _played(player: Replay, golden: Golden) -> list[Finding]:
    return [found_golden(found) for found in player.play(golden)]


def _laws(registry: Registry, name: str, place: Workplace) -> Iterator[tuple[str, Test]]:
    """Each law for each route; that of goldens is left to the goldens' own items."""
    del place
    for law, case in prepare(registry.subject(name)).cases:
        if case.findings is None:
            route = "-".join(map(str, case.route))
            yield f"law::{law.id}[{route}]", partial(_broken, Run(name, ((law, case),), Settings()))


def _broken(run: Run) -> list[Finding]:
    return [
        Finding(
            "law-broken",
            f"{outcome.subject} {outcome.path}",
            "\n  ".join((outcome.purpose, *explained(outcome.broken))),
            f"see it again with instar verify {outcome.subject} --law {outcome.law}",
        )
        for outcome in run.outcomes()
        if outcome.broken is not None
    ]


_TESTS: Final[Sequence[Callable[[Registry, str, Workplace], Iterator[tuple[str, Test]]]]] = (
    _goldens,
    _laws,
)
"""What is tested of a subject that opens, besides its check: names of items and their tests."""
