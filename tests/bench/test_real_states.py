"""Real payloads are measured where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from material import material

from instar.bench.others import msgspec_msgpack_peer
from instar.bench.real_states import nearest, real_states
from instar.bench.same import same
from instar.bench.states import avro_peer, protobuf_objects_peer
from instar.errors import ConfigError


def test_trajectories() -> None:
    """Two real trajectories become states that all peers of the measures give back."""
    states = real_states(material("payloads", "swe-agent-traj", "v1.0.0"))
    assert states.label.endswith("KB real")
    assert not same(states.state, states.other)
    for make in (avro_peer, protobuf_objects_peer, msgspec_msgpack_peer):
        assert same(states.load(make)(), states.state)
        assert states.dump(make)()


@pytest.mark.parametrize("files", [0, 1])
def test_no_real_data(tmp_path: Path, files: int) -> None:
    """Fewer than two documents are no real data, and the error names the folder."""
    for number in range(files):
        (tmp_path / f"{number}.traj").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match="no real data") as caught:
        real_states(tmp_path)
    assert caught.value.where == str(tmp_path)


@pytest.mark.parametrize(
    ("size", "place"),
    [
        (1, 0),
        (1_500, 0),
        (6_000, 0),
        (7_500, 1),
        (92_000, 1),
        (130_000, 1),
        (140_000, 2),
        (10**7, 2),
    ],
)
def test_nearest(size: int, place: int) -> None:
    """The target is that of the size which is nearest as a ratio."""
    assert nearest(size) == place
