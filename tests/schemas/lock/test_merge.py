"""Locks of two branches, merged by git itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from schemas.lock.subjects import write_avro

from instar.errors import InstarError
from instar.schemas.folder import load_subjects
from instar.schemas.lock import read_lock, released

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *args: str) -> int:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    done = subprocess.run(
        ["git", *identity, *args], cwd=folder, check=False, capture_output=True, timeout=30
    )
    return done.returncode


def commit(folder: Path) -> None:
    assert git(folder, "add", "-A") == 0
    assert git(folder, "commit", "-qm", "a release") == 0


def release(folder: Path, subject: str) -> None:
    problems: list[InstarError] = []
    lock = read_lock(folder, problems)
    assert problems == []
    (folder / "instar.lock").write_text(
        lock.text(released(lock, load_subjects(folder, [subject])[subject]))
    )


def write_subject(folder: Path, subject: str, version: int, *fields: str) -> None:
    path = write_avro(folder, version, *fields)
    target = folder / subject / path.name
    target.parent.mkdir(exist_ok=True)
    path.rename(target)
    path.parent.rmdir()


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A repository of one released subject."""
    assert git(tmp_path, "init", "-q", "-b", "main") == 0
    (tmp_path / ".gitattributes").write_text("instar.lock merge=union\n")
    write_subject(tmp_path, "job", 1, "a")
    release(tmp_path, "job")
    commit(tmp_path)
    return tmp_path


def branches(folder: Path, ours: tuple[str, int, str], theirs: tuple[str, int, str]) -> None:
    """Release a version on each of two branches, and merge the second into the first."""
    for name, (subject, version, field) in (("ours", ours), ("theirs", theirs)):
        assert git(folder, "checkout", "-q", "-b", name, "main") == 0
        write_subject(folder, subject, version, "a", field)
        release(folder, subject)
        commit(folder)
    assert git(folder, "checkout", "-q", "ours") == 0


def test_releases_of_two_subjects_merge(base: Path) -> None:
    """Two branches that released a subject each merge without a conflict, and all is sound."""
    branches(base, ("job", 2, "b"), ("task", 1, "b"))
    assert git(base, "merge", "-q", "theirs", "-m", "both") == 0
    subjects = load_subjects(base)
    assert {name: len(found) for name, found in subjects.items()} == {"job": 2, "task": 1}
    lock = read_lock(base, [])
    assert all(lock.is_released(name, len(found)) for name, found in subjects.items())
    assert set((base / "instar.lock").read_text().splitlines()) == {*lock.text().splitlines()}


def test_two_releases_of_one_version_are_found(base: Path) -> None:
    """Two branches that released version 2 leave a contradiction that is named; the page of
    the lock file says how to go on, and that works.
    """
    branches(base, ("job", 2, "b"), ("job", 2, "c"))
    git(base, "merge", "-q", "theirs")
    assert git(base, "checkout", "--ours", "job/v2.avsc") == 0
    problems: list[InstarError] = []
    read_lock(base, problems)
    assert any("another fingerprint" in problem.what for problem in problems)
    write_subject(base, "job", 3, "a", "b", "c")
    lines = (base / "instar.lock").read_text().splitlines(keepends=True)
    kept = [
        line for line in lines if not (line.endswith(" 2\n") or line.startswith("version job 2"))
    ]
    (base / "instar.lock").write_text("".join(kept))
    release(base, "job")
    assert len(load_subjects(base)["job"]) == 3
