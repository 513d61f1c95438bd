"""Reading a part is measured as soon as codecs can do it, and only if it gives the values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from instar.bench.measures import Entry, Ground, Skipped, Trial
from instar.bench.part_runs import project_beside_decode, view_beside_decode
from instar.codec.codec import Codec
from instar.errors import ValueMismatch

NAMES = ("status", "last_heartbeat")


@dataclass
class Able:
    """A codec that can read parts: by decoding the whole, which is enough for a test."""

    codec: Codec[Any]
    give: Callable[[Any, tuple[str, ...]], Any]

    def encode(self, state: Any) -> bytes:
        return self.codec.encode(state)

    def decode(self, blob: bytes) -> Any:
        return self.codec.decode(blob)

    def project(self, blob: bytes, *names: str) -> Any:
        return self.give(self.decode(blob), names)

    def view(self, blob: bytes) -> Any:
        return self.give(self.decode(blob), ())


def able(ground: Ground, give: Callable[[Any, tuple[str, ...]], Any]) -> Ground:
    """The ground with codecs that can read parts."""
    states = ground.plain[-1]
    codec = Able(states.versions.codec("avro"), give)
    versions: Any = SimpleNamespace(codec=lambda _: codec)
    return replace(ground, plain=[replace(states, versions=versions)])


def project(ground: Ground) -> Entry:
    return next(project_beside_decode(*NAMES)(ground, (0.1,)))


def view(ground: Ground) -> Entry:
    return next(view_beside_decode(ground, (0.1,)))


def without(ground: Ground) -> Ground:
    """The ground with codecs that cannot read parts."""
    states = ground.plain[-1]
    codec = states.versions.codec("avro")
    bare = SimpleNamespace(encode=codec.encode, decode=codec.decode)
    versions: Any = SimpleNamespace(codec=lambda _: bare)
    return replace(ground, plain=[replace(states, versions=versions)])


def test_not_built(ground: Ground) -> None:
    """Until a codec can, the row says so."""
    for entry in (project(without(ground)), view(without(ground))):
        assert isinstance(entry, Skipped)
        assert (entry.size, entry.why) == ("600 KB", "not built")


@pytest.mark.parametrize(
    "give",
    [
        lambda state, names: tuple(getattr(state, name) for name in names),
        lambda state, names: {name: getattr(state, name) for name in names},
        lambda state, names: SimpleNamespace(**{name: getattr(state, name) for name in names}),
    ],
    ids=["tuple", "dict", "object"],
)
def test_project(ground: Ground, give: Any) -> None:
    """A projection is measured, whatever it gives the values in."""
    assert isinstance(project(able(ground, give)), Trial)


def test_view(ground: Ground) -> None:
    """A view is measured."""
    assert isinstance(view(able(ground, lambda state, _: state)), Trial)


def test_wrong_values(ground: Ground) -> None:
    """A projection or view that gives other values is refused."""

    def other(state: Any, _: tuple[str, ...]) -> Any:
        state.status, state.messages[-1].id = type(state.status).FAILED, "another"
        return state

    with pytest.raises(ValueMismatch, match="other values"):
        project(able(ground, other))
    with pytest.raises(ValueMismatch, match="other values"):
        view(able(ground, other))


def test_all_of_the_last_message_is_read(ground: Ground) -> None:
    """A view that does not have the whole last message is not measured."""

    def half(state: Any, _: tuple[str, ...]) -> Any:
        message = SimpleNamespace(id=state.messages[-1].id, role=state.messages[-1].role)
        return SimpleNamespace(status=state.status, messages=[message])

    with pytest.raises(AttributeError, match="content"):
        view(able(ground, half))
