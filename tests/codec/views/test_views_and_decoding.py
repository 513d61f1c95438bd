"""A view gives what decoding gives: value, class and error, in any order of touching."""

from __future__ import annotations

import random
from functools import partial
from itertools import product
from typing import Any

import pytest
from codec.formats.golden_states import STATES
from evolutions import lines
from examples import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from same import same
from schema_strategies import schemas
from view_walks import (
    FORMATS,
    HAS_KERNEL,
    PRESENT,
    codec_of,
    forced,
    hydrates,
    kinds,
    outcome,
    rebuilt,
)

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.compatibility.values import states
from instar.codec.settings import Settings
from instar.codec.subject import Subject
from instar.codec.tag.header import Format
from instar.errors import NotExpressible, SchemaError
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

CHANCE = st.randoms(use_true_random=False)


def subject_of(schema: Schema) -> Subject:
    try:
        return Subject(number_fields([schema]))
    except SchemaError:
        assume(False)
        raise


@settings(max_examples=examples(30))
@given(schema=schemas(), data=st.data(), chance=CHANCE)
def test_walking_a_view_gives_the_state(schema: Schema, data: Any, chance: random.Random) -> None:
    """All that a view gives, touched in whichever order, makes up what decoding gives."""
    subject = subject_of(schema)
    state = data.draw(states(subject.types(1)))
    for engine, format_ in product(PRESENT, FORMATS):
        with forced(engine):
            codec = codec_of(subject, format_)
            blob = outcome(partial(codec.encode, state))
            if not isinstance(blob, bytes):
                continue
            # The first view of a writer goes another way than the next.
            for _ in range(2):
                view = codec.view(blob)
                assert same(rebuilt(view, chance), codec.decode(blob))
                assert hydrates(view, codec.decode(blob))


@settings(max_examples=examples(30))
@given(line=lines(), data=st.data(), chance=CHANCE)
def test_walking_a_view_of_an_old_blob(
    line: tuple[Schema, ...], data: Any, chance: random.Random
) -> None:
    """A view of an old blob is of the reader's shape; its parts are those of the new state."""
    subject = Subject(line)
    state = data.draw(states(subject.types(1)))
    for engine, format_ in product(PRESENT, FORMATS):
        with forced(engine):
            blob = Codec[Any](subject, Settings(1, format_)).encode(state)
            codec = codec_of(subject, format_)
            wanted = outcome(partial(codec.decode, blob))
            found = outcome(lambda: rebuilt(codec.view(blob), chance))  # noqa: B023 - called at once
            if wanted is NotExpressible:
                assert found is NotExpressible
            else:
                assert same(found, wanted)
                assert hydrates(codec.view(blob), wanted)


@pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")
@settings(max_examples=examples(60))
@given(line=lines(), data=st.data())
def test_both_engines_view_the_same_parts(line: tuple[Schema, ...], data: Any) -> None:
    """What is a view with the kernel is one with the library engine, defaults among them."""
    subject = Subject(line)
    blob = Codec[Any](subject, Settings(1)).encode(data.draw(states(subject.types(1))))
    found: list[Any] = []
    for engine in ("kernel", "library"):
        with forced(engine):
            codec = codec_of(subject)
            found.append(outcome(lambda: kinds(codec.view(blob))))  # noqa: B023 - called at once
    assert found[0] == found[1]


@pytest.mark.parametrize(("subject", "version"), STATES)
@pytest.mark.parametrize("format_", FORMATS)
def test_reference_subjects(
    reference: Registry, engine_in_use: str, subject: str, version: int, format_: Format
) -> None:
    """Old states of the reference subjects, with functions in between, are viewed whole."""
    old = reference.codec(subject, version=version, format=format_)
    blob = old.encode(old.from_builtins(STATES[subject, version]))
    codec = reference.codec(subject)
    assert engine_in_use
    assert hydrates(codec.view(blob), codec.decode(blob))
    assert same(rebuilt(codec.view(blob)), codec.decode(blob))
