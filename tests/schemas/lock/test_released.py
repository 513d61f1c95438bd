from __future__ import annotations

from pathlib import Path

import pytest
from examples import examples
from hypothesis import given, settings
from material import ROOT
from schema_strategies import schemas
from schemas.lock.subjects import (
    field,
    freeze,
    lock_of,
    versions,
    write,
    write_avro,
    write_proto,
)

from instar import Registry
from instar.errors import EditedRelease, InstarError, LockError, MissingRelease
from instar.schemas.fingerprint import fingerprint
from instar.schemas.folder import load_subjects
from instar.schemas.lock import Lock, released
from instar.schemas.lock.facts import Fact, fact_line
from instar.schemas.model import Schema
from instar.schemas.numbered import numbered_parts
from instar.schemas.numbering import number_fields
from instar.schemas.reading import ReadSettings


def lines(facts: tuple[Fact, ...]) -> list[str]:
    return sorted(map(fact_line, facts))


def numbers(schema: Schema) -> dict[str, int]:
    return {part.name: found.number for part, found in numbered_parts(schema).items()}


def test_a_release_states_numbers_removals_and_fingerprints(tmp_path: Path) -> None:
    """Each number once, since the version that has it; what a version lacks is removed."""
    write_avro(tmp_path, 1, "a", "b")
    write_avro(tmp_path, 2, "a", field("c", "string", "b"), "d")
    facts = [line.rpartition(" ")[0] for line in lines(freeze(tmp_path)) if line[0] == "v"]
    assert facts == ["version t 1", "version t 2"]
    assert [line for line in lock_of(tmp_path).text().splitlines() if line[0] in "fr"] == [
        "field t T.a 1 1",
        "field t T.b 2 1",
        "field t T.c 2 2",
        "field t T.d 3 2",
        "removed t T.b 2",
    ]


def test_a_second_release_adds_only_what_is_new(tmp_path: Path) -> None:
    """What was released is not stated again, and releasing twice adds nothing."""
    write_avro(tmp_path, 1, "a")
    freeze(tmp_path)
    write_avro(tmp_path, 2, "a", "b")
    assert [line.split()[0:3] for line in lines(freeze(tmp_path))] == [
        ["field", "t", "T.b"],
        ["version", "t", "2"],
    ]
    assert freeze(tmp_path) == ()


def test_cases_of_a_oneof_are_fields_of_their_message(tmp_path: Path) -> None:
    """A oneof of a .proto shares the numbers of its message, as on the wire."""
    write_proto(tmp_path, 1, "int32 a = 3; oneof which { string b = 7; bytes c = 2; }")
    assert [line for line in lines(freeze(tmp_path)) if line[0] == "f"] == [
        "field t T.a 3 1",
        "field t T.b 7 1",
        "field t T.c 2 1",
    ]


def test_branches_of_nested_unions_have_places_of_their_own(tmp_path: Path) -> None:
    """A union inside a list inside a branch is told by what leads to it."""
    inner = {"type": "array", "items": ["null", "int", "string"]}
    write_avro(tmp_path, 1, {"name": "u", "type": ["boolean", inner]})
    assert [line for line in lines(freeze(tmp_path)) if line[0] == "b"] == [
        "branch t T.u(array) 2 1",
        "branch t T.u(array)[](int) 1 1",
        "branch t T.u(array)[](string) 2 1",
        "branch t T.u(boolean) 1 1",
    ]


def test_the_numbers_of_the_lock_win(tmp_path: Path) -> None:
    """What a lock froze is what a version has, and a later version goes on from there."""
    write_avro(tmp_path, 1, "a", "b")
    freeze(tmp_path)
    lock = tmp_path / "instar.lock"
    lock.write_text(lock.read_text().replace("T.a 1 1", "T.a 9 1"))
    write_avro(tmp_path, 2, "a", "c", "b")
    with pytest.raises(LockError, match=r"lost the line of T\.a"):
        load_subjects(tmp_path)
    first, second = load_subjects(tmp_path, errors=[])["t"]
    assert numbers(first) == {"a": 9, "b": 2}
    assert numbers(second) == {"a": 9, "b": 2, "c": 10}


@settings(max_examples=examples(50))
@given(schemas())
def test_frozen_numbers_are_those_that_were_given(schema: Schema) -> None:
    """Numbering with the lock of a release gives what numbering gave for it."""
    numbered = number_fields([schema])
    lock = Lock(Path("instar.lock"), dict.fromkeys(released(Lock(Path(), {}), numbered), 0))

    def frozen(version: int, part: object) -> int | None:
        found = lock.number("subject", version, part)  # type: ignore[arg-type]  # a Part
        assert found is not None, part
        return found

    assert number_fields([schema], frozen) == numbered


def test_an_edited_release_is_refused(tmp_path: Path) -> None:
    """A released version that changed names its file and the version to make instead."""
    write_avro(tmp_path, 1, "a")
    write_avro(tmp_path, 2, "a", "b")
    freeze(tmp_path)
    path = write_avro(tmp_path, 1, "a", "x")
    with pytest.raises(EditedRelease, match="version 1 of t was edited") as caught:
        Registry.open(tmp_path)
    assert caught.value.where == str(path)
    assert "make the change in version 3" in caught.value.mend


def test_what_changes_no_meaning_may_be_edited(tmp_path: Path) -> None:
    """Docs and layout of a released version may change."""
    write_avro(tmp_path, 1, "a")
    freeze(tmp_path)
    write_avro(tmp_path, 1, {**field("a"), "doc": "What it is."}, doc="Told anew.")
    assert len(versions(tmp_path)) == 1


def test_a_released_version_that_is_gone_is_refused(tmp_path: Path) -> None:
    """Deleting the newest version after its release is an error at its line of the lock."""
    write_avro(tmp_path, 1, "a")
    newest = write_avro(tmp_path, 2, "a", "b")
    freeze(tmp_path)
    newest.unlink()
    with pytest.raises(MissingRelease, match="version 2 of t was released") as caught:
        Registry.open(tmp_path)
    assert caught.value.where.startswith(f"{tmp_path / 'instar.lock'}:")


def lose(folder: Path, *beginnings: str) -> None:
    """Delete the lines of the lock that begin so; there is one for each."""
    path = folder / "instar.lock"
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(beginnings)]
    assert len(kept) == len(lines) - len(beginnings)
    path.write_text("".join(kept))


def found_in(folder: Path) -> list[InstarError]:
    errors: list[InstarError] = []
    load_subjects(folder, errors=errors)
    return errors


@pytest.mark.parametrize(
    "lost",
    [
        *("field t T.a ", "field t T.u ", "symbol t E.X ", "branch t T.u(int) "),
        "removed t T.b ",
    ],
)
def test_a_line_that_the_lock_lost_is_named(tmp_path: Path, lost: str) -> None:
    """The schemas are not called edited: the finding says which line to restore, and that
    mends it.
    """
    enum = {"type": "enum", "name": "E", "symbols": ["X", "Y"]}
    more = ({"name": "u", "type": ["int", "string"]}, {"name": "e", "type": enum})
    write_avro(tmp_path, 1, "a", "b", *more)
    write_avro(tmp_path, 2, "a", *more)
    freeze(tmp_path)
    lose(tmp_path, lost)
    (error,) = found_in(tmp_path)
    assert isinstance(error, LockError)
    assert lost.split()[2] in error.what
    path = tmp_path / "instar.lock"
    path.write_text(path.read_text() + error.mend.removeprefix("restore the line: ") + "\n")
    assert lost in path.read_text()
    assert found_in(tmp_path) == []


def test_a_lost_line_of_a_proto_is_named(tmp_path: Path) -> None:
    """The same where the schema declares its numbers itself."""
    write_proto(tmp_path, 1, "int32 a = 3;")
    freeze(tmp_path)
    lose(tmp_path, "field t T.a ")
    with pytest.raises(LockError, match=r"lost the line of T\.a") as caught:
        Registry.open(tmp_path)
    assert caught.value.mend == "restore the line: field t T.a 3 1"


def test_an_edited_release_beside_a_lost_line(tmp_path: Path) -> None:
    """An edited version is told as such, also where the lock lost a line of another one."""
    write_avro(tmp_path, 1, "a", "b")
    write_avro(tmp_path, 2, "a", "b", "c")
    freeze(tmp_path)
    lose(tmp_path, "field t T.a ")
    write_avro(tmp_path, 2, "a", "b", "x")
    assert [type(error) for error in found_in(tmp_path)] == [EditedRelease, LockError]


@pytest.mark.parametrize(
    ("lost", "words"),
    [((1,), "version 1"), ((2,), "version 2"), ((1, 2), "each version from 1 to 2")],
)
def test_a_release_before_another_has_its_line(
    tmp_path: Path, lost: tuple[int, ...], words: str
) -> None:
    """A release takes every version, so one that has no line below one that has was lost."""
    for version in (1, 2, 3):
        write_avro(tmp_path, version, *"abc"[:version])
    freeze(tmp_path)
    lose(tmp_path, *(f"version t {version} " for version in lost))
    (error,) = found_in(tmp_path)
    assert isinstance(error, LockError)
    assert f"so {words} was too, and the line that says so is gone" in error.what
    assert "from the history of the file" in error.mend


def test_a_version_far_beyond_the_others_is_told_at_once(tmp_path: Path) -> None:
    """However many versions lack their line, they are one finding."""
    write_avro(tmp_path, 1, "a")
    freeze(tmp_path)
    path = tmp_path / "instar.lock"
    path.write_text(path.read_text() + "version t 2000000000 00000000000000ff\n")
    assert [type(error) for error in found_in(tmp_path)] == [LockError, MissingRelease]


def test_a_folder_in_the_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    """A registry does not open as though nothing had been released."""
    write_avro(tmp_path, 1, "a")
    (tmp_path / "instar.lock").mkdir()
    with pytest.raises(LockError, match="does not read"):
        Registry.open(tmp_path)


def test_a_malformed_lock_is_refused(tmp_path: Path) -> None:
    """A registry does not open beside a lock that does not read."""
    write_avro(tmp_path, 1, "a")
    write(tmp_path, "../instar.lock", "what is this\n")
    with pytest.raises(LockError, match="states no fact"):
        Registry.open(tmp_path)


def test_the_reference_subjects_are_released() -> None:
    """Every version that comes with the project is in its lock, with the numbers that are
    derived without it.
    """
    lock = lock_of(ROOT / "schemas")
    assert {name: [*found] for name, found in lock.releases.items()} == {
        "agent_command": [1, 2],
        "agent_state": [1, 2, 3],
    }
    for found in load_subjects(ROOT / "schemas").values():
        assert number_fields(found) == found
        assert released(lock, found) == ()


def without(folder: Path, *begins: str) -> None:
    """Take the lines that begin so out of the lock."""
    lock = folder / "instar.lock"
    lines = lock.read_text().splitlines()
    assert all(any(line.startswith(begin) for line in lines) for begin in begins)
    lock.write_text("".join(f"{line}\n" for line in lines if not line.startswith(begins)))


def test_the_newest_version_is_missed(tmp_path: Path) -> None:
    """Other lines of a version tell that it was released, where the one that says so is gone."""
    write_avro(tmp_path, 1, "a")
    write_avro(tmp_path, 2, "a", "b")
    freeze(tmp_path)
    without(tmp_path, "version t 2")
    write_avro(tmp_path, 2, "a", "b", "edited")
    with pytest.raises(LockError, match="lines of version 2 of t") as error:
        load_subjects(tmp_path)
    assert str(error.value.where).endswith("instar.lock:4")
    assert "begins with 'version t 2'" in str(error.value.mend)


def test_a_removal_tells_of_its_version(tmp_path: Path) -> None:
    """A version that only removed something is missed, too."""
    write_avro(tmp_path, 1, "a", "b")
    write_avro(tmp_path, 2, "a")
    freeze(tmp_path)
    without(tmp_path, "version t 2")
    with pytest.raises(LockError, match="lines of version 2 of t"):
        load_subjects(tmp_path)


def test_a_subject_without_any_version_line_is_missed(tmp_path: Path) -> None:
    """Every version that lost its line is told, the only one of a subject among them."""
    write_avro(tmp_path, 1, "a")
    write_avro(tmp_path, 2, "a", "b")
    freeze(tmp_path)
    without(tmp_path, "version t 1", "version t 2")
    errors: list[InstarError] = []
    load_subjects(tmp_path, errors=errors)
    assert [error.what.partition(" of t")[0] for error in errors] == [
        "the lock has lines of version 1",
        "the lock has lines of version 2",
    ]


def test_a_changed_unit_of_times_is_an_edit(tmp_path: Path) -> None:
    """The unit is part of what was released: a version keeps it, and the next may have another."""
    more = 'import "google/protobuf/timestamp.proto";'
    write_proto(tmp_path, 1, "google.protobuf.Timestamp at = 1;", more)
    freeze(tmp_path)
    with pytest.raises(EditedRelease) as caught:
        load_subjects(tmp_path, settings=ReadSettings(protobuf_times="nanos"))
    assert "set protobuf_times of [tool.instar] back" in caught.value.mend
    write_proto(tmp_path, 2, "google.protobuf.Timestamp at = 1;", more)
    kept = load_subjects(tmp_path, settings=ReadSettings(protobuf_times={"t": 2}))["t"]
    assert fingerprint(kept[0]) == fingerprint(load_subjects(tmp_path)["t"][0])
    assert fingerprint(kept[1]) != fingerprint(load_subjects(tmp_path)["t"][1])
