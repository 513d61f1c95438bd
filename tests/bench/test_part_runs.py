"""Reading a part is measured only if it gives what the state has in that place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from instar.bench.measures import Entry, Ground, Trial
from instar.bench.part_runs import project_beside_decode, view_beside_decode
from instar.codec.codec import Codec
from instar.codec.tag.header import Format
from instar.errors import ValueMismatch

NAMES = ("status", "last_heartbeat")


@dataclass
class Wrong:
    """A codec that reads parts of another state than it is given."""

    codec: Codec[Any]

    def encode(self, state: Any) -> bytes:
        return self.codec.encode(state)

    def decode(self, blob: bytes) -> Any:
        return self.codec.decode(blob)

    def _other(self, blob: bytes) -> bytes:
        state = self.decode(blob)
        state.status, state.messages[-1].id = type(state.status).FAILED, "another"
        return self.encode(state)

    def project(self, blob: bytes, *names: str, verify: bool) -> Any:
        return self.codec.project(self._other(blob), *names, verify=verify)

    def view(self, blob: bytes) -> Any:
        return self.codec.view(self._other(blob))


def wrong(ground: Ground) -> Ground:
    states = ground.plain[-1]
    codec = Wrong(states.versions.codec("avro"))
    versions: Any = SimpleNamespace(codec=lambda _: codec)
    return replace(ground, plain=[replace(states, versions=versions)])


def project(ground: Ground, *, verify: bool = True, format_: Format = "avro") -> Entry:
    measured = project_beside_decode(*NAMES, verify=verify, format_=format_)
    return next(measured(ground, (0.1,)))


def view(ground: Ground, format_: Format = "avro") -> Entry:
    return next(view_beside_decode(format_)(ground, (0.1,)))


@pytest.mark.parametrize("format_", ["avro", "protobuf"])
@pytest.mark.parametrize("verify", [True, False])
def test_project(ground: Ground, verify: bool, format_: Format) -> None:
    """A projection is measured, with the checksum and without."""
    assert isinstance(project(ground, verify=verify, format_=format_), Trial)


@pytest.mark.parametrize("format_", ["avro", "protobuf"])
def test_view(ground: Ground, format_: Format) -> None:
    """A view is measured."""
    assert isinstance(view(ground, format_), Trial)


def test_wrong_values(ground: Ground) -> None:
    """A projection or view that gives other values is refused."""
    with pytest.raises(ValueMismatch, match="other values"):
        project(wrong(ground))
    with pytest.raises(ValueMismatch, match="other values"):
        view(wrong(ground))
