from __future__ import annotations

import sys

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from verify import faults

import instar.testing
from instar.codec.codec import Codec
from instar.codec.settings import Settings
from instar.errors import MissingExtra, NoSuchSubject

CODEC: Codec[object] = Codec(faults.sound(), Settings(3))


@settings(max_examples=examples(20))
@given(data=st.data())
def test_states_of_each_version(data: st.DataObject) -> None:
    """States are typed objects of the version that is asked for, and can be written."""
    for version in (1, 2, 3):
        state = data.draw(instar.testing.states(CODEC, version))
        assert type(state) is CODEC.types[version]
    state = data.draw(instar.testing.states(CODEC))
    assert type(state) is CODEC.type
    assert CODEC.decode(CODEC.encode(state)) == state


def test_unknown_version() -> None:
    """A version that is not there is refused where the strategy is made."""
    with pytest.raises(NoSuchSubject, match="no version 4"):
        instar.testing.states(CODEC, 4)


def test_without_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without hypothesis, the error says how to install it."""
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(MissingExtra, match=r"pip install 'instar\[test\]'"):
        instar.testing.states(CODEC)
