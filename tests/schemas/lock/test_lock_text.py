from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.errors import InstarError, LockError
from instar.schemas.lock import Lock, read_lock
from instar.schemas.lock.facts import Fact, Number, Release, Removal, fact_line, read_fact
from instar.schemas.numbered import Part

LINES = (
    "branch job p.Job.part[]{}(p.Text) 2 3",
    "branch job p.Job.part(array)[](string) 2 3",
    "field job p.Job.name 1 1",
    "symbol job p.Kind.RUN -1 2",
    "removed job p.Job.old 3",
    "removed job p.Job.part(p.Text) 3",
    "version job 1 00000000000000ff",
)
WORDS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(".".join)
COUNTS = st.integers(1, 2**31 - 1)
SYMBOLS = st.builds(Part, st.just("symbol"), NAMES, WORDS)
PARTS = st.one_of(
    st.builds(Part, st.just("field"), NAMES, WORDS),
    st.builds(Part, st.just("branch"), NAMES.map(lambda name: f"{name}[](x)"), NAMES),
)
FACTS: st.SearchStrategy[Fact] = st.one_of(
    st.builds(Release, WORDS, COUNTS, st.integers(0, 2**64 - 1)),
    st.builds(Number, WORDS, PARTS, st.integers(1, 2**29 - 1), COUNTS),
    st.builds(Number, WORDS, SYMBOLS, st.integers(-(2**31), 2**31 - 1), COUNTS),
    st.builds(Removal, WORDS, PARTS.map(str), COUNTS),
)


def read(folder: Path, *lines: str) -> tuple[Lock, list[InstarError]]:
    (folder / "instar.lock").write_text("".join(f"{line}\n" for line in lines))
    problems: list[InstarError] = []
    return read_lock(folder, problems), problems


def only_problem(folder: Path, *lines: str) -> InstarError:
    _, problems = read(folder, *lines)
    (problem,) = problems
    assert isinstance(problem, LockError)
    return problem


@given(FACTS)
def test_every_fact_comes_back_from_its_line(fact: Fact) -> None:
    """A fact is one line without line ends, and reads as itself."""
    line = fact_line(fact)
    assert len(line.splitlines()) == 1
    assert read_fact(line) == fact


@given(st.one_of(st.text(), st.lists(st.text(), max_size=6).map(" ".join)))
def test_any_other_line_states_nothing(line: str) -> None:
    """Whatever reads as a fact is the line of that fact: nothing is read that is not written."""
    fact = read_fact(line)
    assert fact is None or fact_line(fact) == line


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_one_fact(line: str) -> None:
    """Each kind of line reads, and is written as it was."""
    fact = read_fact(line)
    assert fact is not None
    assert fact_line(fact) == line


@pytest.mark.parametrize(
    "line",
    [
        *("version job 0 00000000000000ff", "version job 1 ff", "version job 1 00000000000000FF"),
        *("version job 01 00000000000000ff", "field job name 1 1", "field job p.Job.name 1"),
        *("field job p.Job.name one 1", "field job p.Job.name 1 0", "branch job p.Job.part 1 1"),
        *("field  p.Job.name 1 1", "removed job p.Job.name", "moved job p.Job.name 1"),
        *("field job p.Job.name 99999999999999999999 1", "field job p.Job.name 1 1 "),
        *("version job -1 00000000000000ff", "removed job p.Job.name -1"),
        *("field job p.Job.name -1 1", "symbol job p.Kind.RUN 1 -1", "symbol job p.Kind.RUN 1 0"),
    ],
)
def test_a_line_that_states_no_fact_is_named(tmp_path: Path, line: str) -> None:
    """A malformed line is an error at its place, and the rest is read."""
    lock, problems = read(tmp_path, LINES[2], line)
    assert [problem.where for problem in problems] == [f"{tmp_path / 'instar.lock'}:2"]
    assert "states no fact" in problems[0].what
    assert [fact_line(fact) for fact in lock.facts] == [LINES[2]]


def test_a_line_that_is_there_twice_says_nothing_more(tmp_path: Path) -> None:
    """Git doubles lines when it takes both sides of a merge; they are written once again."""
    lock, problems = read(tmp_path, LINES[2], LINES[3], LINES[2])
    assert problems == []
    assert lock.text().splitlines()[2:] == [LINES[2], LINES[3]]


def test_an_unresolved_merge_is_one_error(tmp_path: Path) -> None:
    """The marks of a conflict are told once for each conflict, and both sides are read."""
    marks = ("<<<<<<< ours", LINES[2], "=======", LINES[3], ">>>>>>> theirs")
    lock, problems = read(tmp_path, *marks)
    (problem,) = problems
    assert "merge" in problem.what
    assert problem.where.endswith(":1")
    assert len(lock.facts) == 2


@pytest.mark.parametrize("mark", ["=======", ">>>>>>> theirs", "||||||| base"])
def test_a_mark_that_was_left_alone_is_an_error(tmp_path: Path, mark: str) -> None:
    """A mark whose conflict has no beginning any more is told at its line."""
    lock, problems = read(tmp_path, LINES[2], mark, LINES[3])
    assert [(type(p), p.where[-2:]) for p in problems] == [(LockError, ":2")]
    assert repr(mark) in problems[0].what
    assert len(lock.facts) == 2


def test_a_mark_after_a_conflict_is_an_error_of_its_own(tmp_path: Path) -> None:
    """A conflict ends at its last mark: one more is told again."""
    marks = ("<<<<<<< ours", "||||||| base", "=======", ">>>>>>> theirs", ">>>>>>> theirs")
    _, problems = read(tmp_path, *marks)
    assert [problem.where[-2:] for problem in problems] == [":1", ":5"]


@pytest.mark.parametrize("number", [1, 536870911])
@pytest.mark.parametrize("part", ["field job p.Job.name", "branch job p.Job.part(string)"])
def test_a_number_that_protobuf_allows(part: str, number: int) -> None:
    """Fields and branches have the numbers from 1 up to 2**29 - 1, and no other."""
    beyond = number + (1 if number > 1 else -1)
    assert read_fact(f"{part} {number} 1") is not None
    assert read_fact(f"{part} {beyond} 1") is None


@pytest.mark.parametrize("number", [2**31 - 1, -(2**31)])
def test_a_symbol_has_32_bits(number: int) -> None:
    """Symbols have the numbers of an int32, and no other."""
    beyond = number + (1 if number > 0 else -1)
    assert read_fact(f"symbol job p.Kind.RUN {number} 1") is not None
    assert read_fact(f"symbol job p.Kind.RUN {beyond} 1") is None


def test_two_branches_that_released_one_version_contradict(tmp_path: Path) -> None:
    """Two fingerprints of one version say what to do with the later one."""
    problem = only_problem(
        tmp_path, "version job 4 00000000000000aa", "version job 4 00000000000000bb"
    )
    assert "line 1 states another fingerprint" in problem.what
    assert "make one of them the next version" in problem.mend


def test_two_numbers_of_one_field_contradict(tmp_path: Path) -> None:
    """A field has one number since one version; it may have another since a later one."""
    only_problem(tmp_path, "field job p.Job.name 1 1", "field job p.Job.name 2 1")
    _, problems = read(tmp_path, "field job p.Job.name 1 1", "field job p.Job.name 2 4")
    assert problems == []


def test_the_number_of_a_version_is_the_last_stated_before_it(tmp_path: Path) -> None:
    """A number holds from its version until another one is stated, for released versions."""
    lock, _ = read(
        tmp_path,
        *("field job p.Job.name 1 1", "field job p.Job.name 2 3"),
        *(f"version job {version} 00000000000000aa" for version in (1, 2, 3)),
    )
    part = Part("field", "p.Job", "name")
    found = [lock.number("job", version, part) for version in (1, 2, 3, 4)]
    assert found == [1, 1, 2, None]
    assert lock.number("job", 1, part._replace(name="other")) is None


def test_comments_blank_lines_and_order_say_nothing(tmp_path: Path) -> None:
    """Facts are read in any order, and written sorted below the head."""
    lock, problems = read(tmp_path, "# a note", "", *reversed(LINES))
    assert problems == []
    head, lines = lock.text().splitlines()[:2], lock.text().splitlines()[2:]
    assert all(line.startswith("#") for line in head)
    assert lines == sorted(LINES)


def test_no_file_is_a_lock_without_facts(tmp_path: Path) -> None:
    """A folder that has no lock has released nothing."""
    problems: list[InstarError] = []
    assert (read_lock(tmp_path, problems).facts, problems) == ({}, [])


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    """A lock that is not UTF-8 is named."""
    (tmp_path / "instar.lock").write_bytes(b"\xff\xfe")
    problems: list[InstarError] = []
    read_lock(tmp_path, problems)
    assert [type(problem) for problem in problems] == [LockError]


def test_a_folder_in_its_place_is_an_error(tmp_path: Path) -> None:
    """A lock that is a folder is not taken for none."""
    (tmp_path / "instar.lock").mkdir()
    problems: list[InstarError] = []
    read_lock(tmp_path, problems)
    assert [type(problem) for problem in problems] == [LockError]


def test_the_page_states_facts_that_read() -> None:
    """Every line of the example on the page of the lock file reads as the fact it is."""
    page = Path(__file__).parents[3] / "docs" / "reference" / "lock-file.md"
    (example,) = re.findall(r"^```text\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    kinds = [line.split()[0] for line in example.splitlines() if read_fact(line)]
    assert kinds == ["branch", "field", "field", "removed", "symbol", "version", "version"]
