"""The states that bench/test_mixed_fleet.py times are what they are said to be."""

from __future__ import annotations

import pytest

from instar import Registry, read_residue, read_tag
from instar.bench.mixed_fleet import Kept, MixedFleet


@pytest.mark.parametrize(("kept", "records"), [("few", 4), ("every message", 100)])
def test_residue(registry: Registry, kept: Kept, records: int) -> None:
    """As many records keep something as the name says, and nothing is lost."""
    fleet = MixedFleet.open(registry, kept, "avro", "medium")
    with_residue, without = fleet.blobs()
    assert read_tag(with_residue).version == read_tag(without).version == fleet.old.version
    loaded = fleet.old.decode(with_residue)
    assert len(read_residue(loaded)) == records
    assert read_residue(fleet.old.decode(without)) == {}
    assert loaded == fleet.old.decode(without)
    assert fleet.new.decode(fleet.old.encode(loaded)) == fleet.state
    assert fleet.new.decode(without) != fleet.state
