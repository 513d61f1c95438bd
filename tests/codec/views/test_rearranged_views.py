"""Protobuf's fields may stand in any order, which views and projections have to cope with."""

from __future__ import annotations

import random
from typing import Any

import pytest
from codec.formats.golden_states import STATES
from evolutions import lines
from examples import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from protobuf_rearranged import doubled, shuffled, split
from same import same
from view_walks import ENGINES, codec_of, forced, hydrates, outcome, rebuilt

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.compatibility.values import states
from instar.codec.engines import EngineName
from instar.codec.library.protobuf_wire import ProtobufWire
from instar.codec.settings import Settings
from instar.codec.subject import Subject
from instar.codec.tag import unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.views import RecordView
from instar.schemas.model import Schema

CHANCE = st.randoms(use_true_random=False)


def payload_of(codec: Codec[Any], state: Any) -> bytes:
    payload = unpack(codec.encode(state))[1]
    assert isinstance(payload, bytes)
    return payload


def tagged(codec: Codec[Any], payload: bytes) -> bytes:
    return pack_binary("protobuf", codec.version, codec.fingerprint, payload)


def is_viewed_as_decoded(codec: Codec[Any], blob: bytes, chance: random.Random) -> bool:
    """Whether a view, its parts and a projection of every field give what decoding gives, or
    touches that fail give its error.
    """
    wanted = outcome(lambda: codec.decode(blob))
    view = outcome(lambda: codec.view(blob))
    if not isinstance(view, RecordView):
        return view is wanted
    names = list(codec.type.__struct_fields__)
    chance.shuffle(names)
    touched = [outcome(lambda: rebuilt(view[name], chance)) for name in names]  # noqa: B023 - now
    if isinstance(wanted, type):
        return {found for found in touched if isinstance(found, type)} <= {wanted}
    fields = [getattr(wanted, name) for name in names]
    projected = [*codec.project(blob, *names)]
    return same(touched, fields) and same(projected, fields) and hydrates(view, wanted)


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=examples(15))
@given(line=lines(), data=st.data(), chance=CHANCE)
def test_fields_in_any_order(
    engine: EngineName, line: tuple[Schema, ...], data: Any, chance: random.Random
) -> None:
    """A state whose fields are shuffled, at every depth, is the same state, in parts too and
    through migrations.
    """
    subject = Subject(line)
    with forced(engine):
        old = Codec[Any](subject, Settings(1, "protobuf"))
        state = data.draw(states(subject.types(1)))
        descriptor = ProtobufWire(subject.schema(1)).root.DESCRIPTOR
        payload = payload_of(old, state)
        rearranged = tagged(old, shuffled(descriptor, payload, chance))
        assert same(old.decode(rearranged), old.decode(tagged(old, payload)))
        for codec in (old, codec_of(subject, "protobuf")):
            assert is_viewed_as_decoded(codec, rearranged, chance)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("change", [doubled, split])
@settings(max_examples=examples(15))
@given(line=lines(), data=st.data(), chance=CHANCE)
def test_fields_twice_and_in_pieces(
    change: Any, engine: EngineName, line: tuple[Schema, ...], data: Any, chance: random.Random
) -> None:
    """What decoding refuses, a field twice or a message in two pieces, no touch takes for a
    value without the rest saying the same; what it takes, such as an item more, is viewed.
    """
    subject = Subject(line)
    with forced(engine):
        codec = Codec[Any](subject, Settings(1, "protobuf"))
        payload = payload_of(codec, data.draw(states(subject.types(1))))
        assume(payload)
        blob = tagged(codec, change(payload, chance))
        assert is_viewed_as_decoded(codec, blob, chance)
        assert is_viewed_as_decoded(codec_of(subject, "protobuf"), blob, chance)


@pytest.mark.parametrize(("subject", "version"), STATES)
def test_reference_subjects(
    reference: Registry, engine_in_use: str, subject: str, version: int
) -> None:
    """Old states of the reference subjects, shuffled, are viewed as they are decoded."""
    assert engine_in_use
    old = reference.codec(subject, version=version, format="protobuf")
    descriptor = ProtobufWire(old.schema_types().schema).root.DESCRIPTOR
    payload = payload_of(old, old.from_builtins(STATES[subject, version]))
    for seed in range(20):
        chance = random.Random(seed)  # noqa: S311 - only an order
        blob = tagged(old, shuffled(descriptor, payload, chance))
        for codec in (old, reference.codec(subject)):
            assert is_viewed_as_decoded(codec, blob, chance)
        assert is_viewed_as_decoded(old, tagged(old, doubled(payload, chance)), chance)
