"""The five histories, opened once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

import pytest
from families import a2a_early, altoida, durabletask, gaas, temporal
from families.avro import AvroHistory
from families.family import Family
from families.histories import History
from families.lines import Line
from suites.protobuf_cases import Families

from instar.codec.engines import VARIABLE, engines

PROTOBUF = {module.FAMILY: module for module in (a2a_early, durabletask, temporal)}
AVRO = {module.FAMILY: module for module in (altoida, gaas)}
FAMILIES = (*PROTOBUF, *AVRO)


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows whole histories runs in the kernel, where there is one; a seeded sample of it
    is compared with the library engine.
    """
    monkeypatch.setenv(VARIABLE, engines()[0])


@pytest.fixture(scope="session")
def line(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Line]:
    """The history of a family; skips, with a reason, where there is no material."""
    files = Families(tmp_path_factory.mktemp("histories"))

    @cache
    def opened(family: str) -> Line:
        if family in AVRO:
            return AvroHistory(cast("Family", AVRO[family]))
        return History(cast("Family", PROTOBUF[family]), files)

    return opened
