"""Generated states of real families: up to every later version, and down again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from examples import examples
from families.lines import Line, at
from hypothesis import given, settings
from hypothesis import strategies as st
from same import same
from suites.avro_cases import alike

from instar.codec.compatibility.values import states
from instar.codec.tag import unpack
from instar.errors import NewerVersion, NotExpressible

VERSIONS = {
    "a2a-early": 20,
    "durabletask-orchestrator": 24,
    "temporal-workflow": 11,
    "radar-altoida-summary": 13,
    "gobblin-gaas-observability": 10,
}
_EXAMPLES = 2


def carried(line: Line, state: Any, source: int, target: int) -> Any:
    """A state of one version as a reader of another sees it."""
    payload = cast("bytes", unpack(line.codec(source).encode(state))[1])
    return line.codec(target).decode(payload, legacy=source)


@pytest.mark.parametrize(
    ("family", "version"), [(f, v) for f, last in VERSIONS.items() for v in range(1, last)]
)
@settings(max_examples=examples(_EXAMPLES))
@given(data=st.data())
def test_states_of_every_version(
    family: str, version: int, line: Callable[[str], Line], data: st.DataObject
) -> None:
    """Every state goes up, to what the steps say; what comes down again loses nothing more."""
    history = line(family)
    subject = history.registry.subject(history.family.SUBJECT)
    state = data.draw(states(subject.types(version)))
    form = history.form(state, version)
    for target in range(version + 1, history.last + 1):
        above = carried(history, state, version, target)
        form = at(history, form, target - 1, target) if form is not None else None
        assert form is None or alike(history.form(above, target), form)
        if target in {version + 1, history.last}:
            check_way_back(history, state, above, version, target)


def check_way_back(line: Line, state: Any, above: Any, version: int, target: int) -> None:
    """Down again it is the same state, or after a lossy hop one that goes up to the same."""
    try:
        back = carried(line, above, target, version)
    except NotExpressible:
        assert line.family.LOSSY & set(range(version, target))
        return
    if not line.family.LOSSY & set(range(version, target)):
        assert same(back, state)
    assert same(carried(line, back, version, target), above)


@pytest.mark.parametrize("family", VERSIONS)
@settings(max_examples=4)
@given(data=st.data())
def test_old_code_loses_nothing_of_newer_states(
    family: str, line: Callable[[str], Line], data: st.DataObject
) -> None:
    """What older code loads and saves is read by newer code as it was, or is not loaded at all."""
    history = line(family)
    high = data.draw(st.integers(2, history.last))
    old, new = history.codec(data.draw(st.integers(1, high - 1))), history.codec(high)
    subject = history.registry.subject(history.family.SUBJECT)
    state = data.draw(states(subject.types(high)))
    try:
        loaded = old.decode(new.encode(state))
    except NewerVersion:
        return
    assert same(new.decode(old.encode(loaded)), state)


@pytest.mark.parametrize("family", VERSIONS)
def test_all_versions_are_there(family: str, line: Callable[[str], Line]) -> None:
    """The table of versions misses none."""
    assert line(family).last == VERSIONS[family]
