"""What checkpoints cost is measured on what is there."""

from __future__ import annotations

import pytest

from instar.bench.checkpoints import STORES, checkpoint_cost, main


@pytest.mark.parametrize("kind", STORES)
def test_checkpoint_cost(kind: str) -> None:
    """Without pruning all that was written is there; with it the last three are."""
    whole = checkpoint_cost(kind, 0, 20)
    assert (whole.states, whole.pruning) == (20, 0)
    assert whole.blobs == whole.written > 1000 * 20 * 21 // 2
    assert whole.disk >= whole.blobs
    kept = checkpoint_cost(kind, 1, 20)
    assert (kept.states, kept.written) == (3, whole.written)
    assert 57_000 < kept.blobs < 58_000


def test_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """There is a row for each store and each way to prune."""
    monkeypatch.setattr("sys.argv", ["checkpoints", "--messages", "4", "--every", "0", "2"])
    main()
    rows = [line.split()[:3] for line in capsys.readouterr().out.splitlines()[2:]]
    assert rows == [[kind, *rest] for kind in STORES for rest in (["-", "4"], ["2", "3"])]
