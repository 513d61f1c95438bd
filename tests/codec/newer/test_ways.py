"""Whatever the schemas and ops, a way down and up again brings everything back but edits."""

from __future__ import annotations

from typing import Any

import pytest
from evolutions import lines
from evolve import FORMATS
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from moving import LATEST, documents, moving
from same import same

from instar import Registry, read_residue
from instar.codec.compatibility.values import states
from instar.codec.verify.edits import edit
from instar.codec.verify.lab import Lab, Refused, attempt
from instar.codec.verify.paths import are_related
from instar.codec.verify.walk import bare
from instar.errors import NewerVersion

PAIRS = [(low, high) for high in range(2, LATEST + 1) for low in range(1, high)]


def judge(opened: Registry, pair: tuple[int, int], state: Any, formats: Any, edited: Any) -> None:
    """``edited`` is a donor of values and a place, or ``None`` to save without an edit."""
    (subject,) = opened.subjects
    low, high = pair
    old = opened.codec(subject, version=low, format=formats[0])
    new = opened.codec(subject, version=high, format=formats[1])
    lab = Lab(opened.subject(subject))
    loaded = attempt(old.decode, new.encode(state))
    if isinstance(loaded, Refused):
        assert isinstance(loaded.error, NewerVersion), loaded
        assume(False)
    before = bare(loaded)
    if edited is None or edit(lab.walk(low), loaded, *edited) is None:
        found = new.decode(old.encode(loaded))
        assert same(found, state)
        assert read_residue(found) == {}
        return
    plain, changed = (lab.migrate(bare(each), low, high) for each in (before, loaded))
    assume(not isinstance(changed, Refused))
    found, walk = new.decode(old.encode(loaded)), lab.walk(high)
    reached = [each.path for each in walk.differences(plain, changed)]
    for difference in walk.differences(state, found):
        assert any(are_related(difference.path, [path]) for path in reached), difference
    for difference in walk.differences(changed, found):
        assert not any(difference.path[: len(path)] == path for path in reached), difference


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("index", range(2))
def test_every_op(pair: tuple[int, int], index: int) -> None:
    """Records that are made of parts of others, lists of one, calls: nothing is lost."""
    low, high = pair
    codec = moving().codec("state", version=high)
    judge(
        moving(), (low, high), codec.from_builtins(documents(high)[index]), ("avro", "json"), None
    )


@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=60
)
@given(data=st.data(), line=lines(), is_edited=st.booleans())
def test_random_schemas(data: st.DataObject, line: Any, is_edited: bool) -> None:
    """Of any two versions of a line, with an edit and without."""
    opened = Registry.of(line)
    high = data.draw(st.integers(2, len(line)))
    low = data.draw(st.integers(1, high - 1))
    subject = opened.subject("state")
    state = data.draw(states(subject.types(high)))
    edited = None
    if is_edited:
        edited = data.draw(st.tuples(states(subject.types(low)), st.integers(0, 99)))
    formats = data.draw(st.tuples(st.sampled_from(FORMATS), st.sampled_from(FORMATS)))
    judge(opened, (low, high), state, formats, edited)
