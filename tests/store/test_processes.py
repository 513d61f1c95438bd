"""Stores under real processes: beside each other, killed, and forked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from instar.store import open_store

WORKER = Path(__file__).with_name("worker.py")


@pytest.fixture(params=["sqlite", "files"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    scheme = f"sqlite:///{tmp_path}/s.db" if request.param == "sqlite" else f"file://{tmp_path}/s"
    with open_store(scheme):
        return scheme


@pytest.fixture
def workers() -> Iterator[list[subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []
    yield started
    for worker in started:
        worker.kill()
        worker.communicate()


def start(workers: list[subprocess.Popen[str]], *command: str) -> subprocess.Popen[str]:
    worker = subprocess.Popen(
        [sys.executable, "-W", "error", str(WORKER), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    workers.append(worker)
    return worker


def finish(worker: subprocess.Popen[str]) -> None:
    _, errors = worker.communicate(timeout=120)
    assert worker.returncode == 0, errors
    assert errors == ""


def test_processes_lose_no_update(url: str, workers: list[subprocess.Popen[str]]) -> None:
    """Two processes that update one key by Repository.update lose no update."""
    with open_store(url) as store:
        store.put("n", b'{"n":0}', expected=0, write_id="w")
        for worker in [start(workers, "increment", url, "n", "150") for _ in range(2)]:
            finish(worker)
        entry = store.get("n")
    assert entry is not None
    assert entry.blob == b'{"n":300}'
    assert entry.revision == 301


def test_writers_of_different_keys_never_fail(
    url: str, workers: list[subprocess.Popen[str]]
) -> None:
    """Four processes save 200 keys each while a reader polls: all 800 are there, all whole."""
    running = [start(workers, "fill", url, f"p{number}", "200") for number in range(4)]
    with open_store(url) as store:
        while any(worker.poll() is None for worker in running):
            for entry in store.scan():
                assert entry.blob == entry.key.encode() * 50
        for worker in running:
            finish(worker)
        assert sum(1 for _ in store.scan()) == 800


def test_processes_make_one_store(tmp_path: Path, workers: list[subprocess.Popen[str]]) -> None:
    """Processes that open a store which does not exist yet at the same moment all succeed."""
    for kind, place in (("sqlite", f"sqlite:///{tmp_path}/n.db"), ("files", f"{tmp_path}/n")):
        for worker in [start(workers, "fill", place, f"p{number}", "1") for number in range(4)]:
            finish(worker)
        with open_store(place, create=False) as store:
            assert sum(1 for _ in store.scan()) == 4, kind


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_writer_leaves_old_or_new(
    url: str, ending: signal.Signals, workers: list[subprocess.Popen[str]]
) -> None:
    """A process killed in the middle of saving leaves one whole blob, and the store usable."""
    for saves in (1, 2, 3, 5, 8):
        worker = start(workers, "hammer", url, "k")
        assert worker.stdout is not None
        told = [int(worker.stdout.readline()) for _ in range(saves)]
        worker.send_signal(ending)
        worker.communicate()
        with open_store(url) as store:
            entry = store.get("k")
            assert entry is not None
            assert entry.revision >= told[-1]
            assert entry.blob == bytes(((entry.revision - 1) % 256,)) * 200_000
            assert [each.key for each in store.scan()] == ["k"]


@pytest.mark.parametrize(
    "death",
    [
        ("0", "open", 0, b"old"),
        ("1", "fsync", 1, b"old"),
        ("2", "replace", 1, b"old"),
        ("3", "open", 0, b"new" * 1000),
        ("4", "fsync", 0, b"new" * 1000),
        ("5", "", 0, b"new" * 1000),
    ],
)
def test_a_writer_that_dies_at_any_step_leaves_old_or_new(
    tmp_path: Path, workers: list[subprocess.Popen[str]], death: tuple[str, str, int, bytes]
) -> None:
    """A save is: write all beside, sync the file, replace, sync the folder; a death between two
    of them leaves old or new whole, and a leftover is ignored and cleaned when the store opens."""
    step, call, left, kept = death
    with open_store(tmp_path / "s") as store:
        store.put("k", b"old", expected=0, write_id="old")
        worker = start(workers, "die", str(tmp_path / "s"), "k", step)
        assert worker.communicate(timeout=60)[0].strip() == call
        assert len(list(tmp_path.glob("s/*.temp"))) == left
        assert [entry.blob for entry in store.scan()] == [kept]
    with open_store(tmp_path / "s") as store:
        assert list(tmp_path.glob("s/*.temp")) == []
        assert [entry.blob for entry in store.scan()] == [kept]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_store_works_on_both_sides_of_a_fork(
    url: str, workers: list[subprocess.Popen[str]]
) -> None:
    """A store that was opened before a fork serves parent and child."""
    finish(start(workers, "fork", url))
    with open_store(url) as store:
        assert [entry.key for entry in store.scan()] == ["before", "child", "parent"]
