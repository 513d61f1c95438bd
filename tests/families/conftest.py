"""The five histories, opened once for all tests of a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from families.lines import Line, opened
from suites.protobuf_cases import Families

from instar.codec.engines import VARIABLE, engines


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows whole histories runs in the kernel, where there is one; a seeded sample of it
    is compared with the library engine.
    """
    monkeypatch.setenv(VARIABLE, engines()[0])


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Line]:
    """The history of a family; skips, with a reason, where there is no material."""
    files = Families(tmp_path_factory.mktemp("histories"))
    return cache(lambda family: opened(family, files))
