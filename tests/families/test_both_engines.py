"""A seeded sample of real and generated states: both engines read the same and write the same."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, cast

import pytest
from families.lines import Line
from families.test_generated_states import VERSIONS
from hypothesis import given, settings
from hypothesis import strategies as st
from same import same

from instar.codec.compatibility.values import states
from instar.codec.engines import EngineName, engines, forced_engine
from instar.codec.tag import unpack
from instar.errors import InstarError

_BLOBS = 12
"""How many blobs of each family are read by both."""
_STATES = 3
"""How many versions of each family have their states carried by both."""


@pytest.fixture(autouse=True)
def _both() -> None:
    if len(engines()) < 2:
        pytest.skip("no kernel was built")


def readings(line: Line, payload: bytes, source: int, target: int) -> tuple[Any, Any]:
    """What is read and what is written of it again, by the kernel and by the library engine."""
    return tuple(read(line, name, payload, source, target) for name in ("kernel", "library"))


def read(line: Line, name: EngineName, payload: bytes, source: int, target: int) -> Any:
    """The state and its blob, or the error that both have to raise."""
    with forced_engine(name):
        codec = line.codec(target)
        try:
            state = codec.decode(payload, legacy=source)
            return [state, codec.encode(state)]
        except InstarError as error:
            return [type(error), str(error)]


def around(source: int, last: int) -> set[int]:
    """The versions that a state is read as: its own, those beside it, and both ends."""
    return {1, source - 1, source, source + 1, last} & set(range(1, last + 1))


@pytest.mark.parametrize("family", VERSIONS)
def test_real_blobs(family: str, line: Callable[[str], Line]) -> None:
    """States, bytes and errors are the same, up and down."""
    history = line(family)
    read_of_all = 0
    for blob in Random(family).sample(list(history.blobs()), _BLOBS):  # noqa: S311 - no secret
        for target in sorted(around(blob.source, history.last)):
            kernel, library = readings(history, blob.payload, blob.source, target)
            assert same(kernel, library), (blob.name, target)
            read_of_all += isinstance(kernel[0], type) is False
    assert read_of_all > _BLOBS


SAMPLE = [
    (family, version)
    for family, last in VERSIONS.items()
    for version in sorted(Random(family).sample(range(1, last + 1), _STATES))  # noqa: S311
]


@pytest.mark.parametrize(("family", "version"), SAMPLE)
@settings(max_examples=3)
@given(data=st.data())
def test_generated_states(
    family: str, version: int, line: Callable[[str], Line], data: st.DataObject
) -> None:
    """The same for states that no blob of the suite has."""
    history = line(family)
    state = data.draw(states(history.registry.subject(history.family.SUBJECT).types(version)))
    payload = cast("bytes", unpack(history.codec(version).encode(state))[1])
    for target in sorted(around(version, history.last)):
        kernel, library = readings(history, payload, version, target)
        assert same(kernel, library), target
