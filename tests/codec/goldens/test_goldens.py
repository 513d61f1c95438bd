"""Recording, checking and replaying the goldens of one subject."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from material import ROOT
from view_walks import HAS_KERNEL

from instar import Registry
from instar.codec import extras
from instar.codec.engines import engine, engines
from instar.codec.goldens import (
    Finding,
    check_goldens,
    draft_goldens,
    find_goldens,
    replay,
)
from instar.codec.goldens.finding import RULES
from instar.codec.goldens.layout import FORMATS, digest, read_folder
from instar.codec.subject import Subject
from instar.errors import MissingExtra
from instar.migrations import Migration, compute
from instar.schemas.folder import load_subjects
from instar.schemas.lock import read_lock


def ids(findings: list[Finding]) -> list[str]:
    return [finding.id for finding in findings]


def contents(folder: Path) -> Mapping[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def with_line(folder: Path, name: str) -> None:
    """Let the provenance of a folder say that a file is as it is now."""
    path = folder / "provenance.txt"
    lines = path.read_text().splitlines()
    for index, line in enumerate(lines):
        if line.startswith(f"{name} "):
            words = line.split(" ")
            words[1] = digest(name, (folder / name).read_bytes())
            lines[index] = " ".join(words)
    path.write_text("\n".join([*lines, ""]))


def test_every_format_of_each_released_version(subject: Subject, schemas: Path) -> None:
    """Each released version has its states in every format, and no other version has any."""
    found = find_goldens(subject, schemas)
    assert {golden.version for golden in found} == {1, 2}
    for version in (1, 2):
        states = {golden.state for golden in found if golden.version == version}
        assert "defaults" in states
        assert len(states) > 2
        names = [golden.name for golden in found if golden.version == version]
        assert names == sorted(f"v{version}/{state}.{f}" for state in states for f in FORMATS)
    assert check_goldens(subject, schemas) == []
    assert replay(subject, schemas) == []


def test_recording_twice_changes_nothing(subject: Subject, schemas: Path, golden: Path) -> None:
    """A second recording has nothing to write, and every byte stays."""
    before = contents(golden)
    drafts = draft_goldens(subject, schemas)
    assert [draft.files for draft in drafts] == [{}, {}]
    for draft in drafts:
        draft.write()
    assert contents(golden) == before


def test_recording_is_deterministic(subject: Subject, schemas: Path, golden: Path) -> None:
    """The same release makes the same files anew."""
    before = contents(golden)
    shutil.rmtree(golden)
    for draft in draft_goldens(subject, schemas):
        draft.write()
    assert contents(golden) == before


def test_a_format_is_added(subject: Subject, schemas: Path, golden: Path) -> None:
    """A format that was left out is added for the states that were recorded, and for no other."""
    before = contents(golden)
    for path in golden.glob("*/*.yaml"):
        path.unlink()
        provenance = path.with_name("provenance.txt")
        lines = provenance.read_text().splitlines(keepends=True)
        provenance.write_text("".join(line for line in lines if not line.startswith(path.name)))
    assert check_goldens(subject, schemas) == []
    for draft in draft_goldens(subject, schemas):
        assert {path.suffix for path in draft.paths} == {".yaml"}
        draft.write()
    assert contents(golden) == before


def test_a_format_that_is_not_installed(
    subject: Subject, schemas: Path, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be made is left out with the reason, and the rest is recorded."""

    def missing() -> Any:
        raise MissingExtra("the yaml format needs PyYAML", extra="yaml")

    shutil.rmtree(golden)
    monkeypatch.setattr(extras, "import_yaml", missing)
    for module in ("library.yaml", "yaml_text.dump", "tag.text_frame"):
        monkeypatch.setattr(f"instar.codec.{module}.import_yaml", missing, raising=False)
    draft = draft_goldens(subject, schemas, [1])[0]
    assert {name.rpartition(".")[2] for name in draft.left_out} == {"yaml"}
    assert {path.suffix for path in draft.paths} == {".avro", ".json", ".msgpack", ".protobuf"}


def test_a_crash_is_made_good(subject: Subject, schemas: Path, golden: Path) -> None:
    """Files that lost their lines are given them again, where they are what would be made."""
    before = contents(golden)
    (golden / "v1" / "provenance.txt").unlink()
    (golden / "v1" / "defaults.json").unlink()
    assert ids(check_goldens(subject, schemas)) == ["golden-missing"]
    for draft in draft_goldens(subject, schemas):
        draft.write()
    assert contents(golden) == before


@pytest.mark.parametrize("file", ["defaults.avro", "defaults.json", "choices-01.expected.json"])
def test_an_edited_golden_is_found(
    subject: Subject, schemas: Path, golden: Path, file: str
) -> None:
    """A byte more in a file is a finding at it, and recording leaves it."""
    path = golden / "v1" / file
    path.write_bytes(path.read_bytes() + b" ")
    found = check_goldens(subject, schemas)
    assert [(finding.id, finding.where) for finding in found] == [("golden-edited", str(path))]
    assert "history" in found[0].mend
    edited = contents(golden)
    for draft in draft_goldens(subject, schemas):
        draft.write()
    assert contents(golden) == edited


def test_line_ends_do_not_matter(subject: Subject, schemas: Path, golden: Path) -> None:
    """Git may give text files the line ends of the system."""
    for ending in ("json", "yaml", "txt"):
        for path in golden.glob(f"*/*.{ending}"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert check_goldens(subject, schemas) == []
    assert replay(subject, schemas) == []


def test_a_missing_golden_is_found(subject: Subject, schemas: Path, golden: Path) -> None:
    """A file that is gone is a finding, and so is a version without any."""
    (golden / "v1" / "defaults.avro").unlink()
    shutil.rmtree(golden / "v2")
    first, second = check_goldens(subject, schemas)
    assert (first.id, second.id) == ("golden-missing", "golden-missing")
    assert first.where == str(golden / "v1" / "defaults.avro")
    assert (second.where, second.mend) == (str(golden / "v2"), "run: instar record job")
    assert second.purpose == "Each released version has its goldens."


def test_lines_that_say_nothing(subject: Subject, schemas: Path, golden: Path) -> None:
    """Marks of a merge, a file that leads elsewhere and a second line for a file are found."""
    path = golden / "v1" / "provenance.txt"
    text = path.read_text()
    line = text.splitlines()[2]
    digest_ = line.split(" ")[1]
    other = line.replace(digest_, "0" * 64)
    away = f"../v2/defaults.avro {digest_} 1 3 kernel"
    path.write_text(f"{text}{line}\n<<<<<<< ours\n{other}\n{away}\n")
    found = check_goldens(subject, schemas)
    count = len(text.splitlines()) + 1
    assert ids(found) == ["golden-unlisted"] * 3
    assert [finding.where for finding in found] == [f"{path}:{count + n}" for n in (1, 2, 3)]
    assert draft_goldens(subject, schemas)[0].files == {}


def test_a_file_without_a_line(subject: Subject, schemas: Path, golden: Path) -> None:
    """A file that nobody recorded is a finding."""
    (golden / "v1" / "mine.avro").write_bytes(b"x")
    found = check_goldens(subject, schemas)
    assert [(f.id, f.where) for f in found] == [
        ("golden-unlisted", str(golden / "v1" / "mine.avro"))
    ]


def test_goldens_of_another_schema(subject: Subject, schemas: Path, golden: Path) -> None:
    """A blob whose fingerprint is not that of the lock is a finding, whole as it is."""
    path = golden / "v2" / "defaults.avro"
    path.write_bytes((golden / "v1" / "defaults.avro").read_bytes())
    with_line(path.parent, path.name)
    (found,) = check_goldens(subject, schemas)
    assert (found.id, found.where) == ("golden-strange", str(path))
    assert f"{subject.fingerprint(1):016x}" in found.what
    assert f"{subject.fingerprint(2):016x}" in found.what


def test_goldens_of_no_release(subject: Subject, schemas: Path, golden: Path) -> None:
    """Goldens of a version that the lock does not have are found, unless it is to be released."""
    shutil.copytree(golden / "v2", golden / "v3")
    (found,) = check_goldens(subject, schemas)
    assert (found.id, found.where) == ("golden-strange", str(golden / "v3"))
    assert set(ids(check_goldens(subject, schemas, releasing=[3]))) == {"golden-strange"}
    shutil.rmtree(golden / "v3")
    draft_goldens(subject, schemas, [3])[0].write()
    assert check_goldens(subject, schemas, releasing=[3]) == []


def test_a_wrong_value_is_found(subject: Subject, schemas: Path, golden: Path) -> None:
    """A blob that is read as another value than was recorded is a finding of each engine."""
    path = golden / "v1" / "choices-02.expected.json"
    value = json.loads(path.read_bytes())
    path.write_text(json.dumps(value | {"steps": value["steps"] + 1}))
    found = replay(subject, schemas)
    assert {finding.id for finding in found} == {"golden-value"}
    assert [Path(finding.where).name for finding in found] == [
        f"choices-02.{format_}" for format_ in sorted(FORMATS)
    ]
    who = " and ".join(engines())
    assert found[0].what == f"{who}: steps was {value['steps'] + 1}, and is {value['steps']}"


def test_types_of_numbers_count(subject: Subject, schemas: Path, golden: Path) -> None:
    """A float is no int and true is no 1."""
    path = golden / "v1" / "defaults.expected.json"
    value = json.loads(path.read_bytes())
    for other, told in ((0.0, "0.0"), (False, "false")):
        path.write_text(json.dumps(value | {"steps": other}))
        assert f"steps was {told}, and is 0" in replay(subject, schemas)[0].what


def test_a_damaged_golden_is_found(subject: Subject, schemas: Path, golden: Path) -> None:
    """Bytes that do not read are a finding, and so is a value that is gone."""
    path = golden / "v1" / "defaults.avro"
    path.write_bytes(path.read_bytes()[:-1])
    (golden / "v2" / "defaults.expected.json").unlink()
    found = replay(subject, schemas)
    assert ids(found) == ["golden-value"] * (1 + len(FORMATS))
    assert "does not read" in found[1].what


def reading(schemas: Path, up: Any) -> Subject:
    """The subject, with ``up`` from a name to two, which it has no other way to."""
    step = Migration(
        "job",
        2,
        3,
        compute(reads="name", writes=("first", "last"), up=up, down=lambda *names: names[0]),
    )
    return Registry.of(load_subjects(schemas)["job"], [step]).subject("job")


def test_an_upgrade_that_fails_is_found(schemas: Path) -> None:
    """A function that raises for a recorded state is a finding with the version."""

    def up(name: str) -> tuple[str, str]:
        first, last = name.split(" ", 1)
        return first, last

    found = replay(reading(schemas, up), schemas)
    assert {finding.id for finding in found} == {"golden-upgrade"}
    assert found[0].what.startswith("read at version 3, ")
    assert "migration" in found[0].mend


@pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")
def test_engines_that_differ_are_found(schemas: Path) -> None:
    """A value that depends on the engine is a finding with both values."""
    calls: list[str] = []

    def up(name: str) -> tuple[str, str]:
        calls.append(name)
        return name, "odd" if len(calls) % 2 else ""

    found = replay(reading(schemas, up), schemas)
    assert {finding.id for finding in found} == {"golden-engines"}
    assert found[0].what.startswith("read at version 3, kernel and library differ: last was ")


def engines_that_read(schemas: Path) -> list[str]:
    """The engines in use while goldens are upgraded by a function, sorted."""
    seen: set[str] = set()

    def up(name: str) -> tuple[str, str]:
        seen.add(engine().name)
        return name, ""

    assert replay(reading(schemas, up), schemas) == []
    return sorted(seen)


@pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")
def test_both_engines_are_used(schemas: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each golden is read in each engine, whatever the environment asks for."""
    monkeypatch.setenv("INSTAR_ENGINE", "library")
    assert engines_that_read(schemas) == ["kernel", "library"]
    assert engine().name == "library"


def test_without_a_kernel(schemas: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no kernel was built, the library engine alone reads them."""
    monkeypatch.setattr("instar.codec.engines.missing_kernel", lambda: "it is hidden")
    assert engines_that_read(schemas) == ["library"]


def test_readers_of_schemas_pass_over_goldens(schemas: Path, golden: Path) -> None:
    """A folder of goldens is no version and no subject."""
    assert golden.is_dir()
    assert list(load_subjects(schemas)) == ["job"]
    assert [schema.version for schema in load_subjects(schemas)["job"]] == [1, 2, 3]


def test_provenance_says_who(schemas: Path) -> None:
    """Each line has the releases of instar and Python and the engine, and no date."""
    folder = read_folder(schemas, "job", 1)
    makers = {line.maker for line in folder.lines.values()}
    (maker,) = makers
    assert maker.engine in {"kernel", "library"}
    assert folder.provenance.read_text().splitlines()[2:] == sorted(
        f"{line.file} {line.digest} {maker.instar} {maker.python} {maker.engine}"
        for line in folder.lines.values()
    )


def test_a_rule_has_one_id() -> None:
    """Ids differ, and each rule says its purpose in a sentence."""
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert all(rule.id.startswith("golden-") and rule.purpose.endswith(".") for rule in RULES)


def test_goldens_of_the_reference_subjects(reference: Registry) -> None:
    """What this project released is read as it was recorded, by both engines."""
    schemas = ROOT / "schemas"
    for name in reference.subjects:
        subject = reference.subject(name)
        assert read_lock(schemas, []).releases[name].keys() == set(subject.schemas)
        assert check_goldens(subject, schemas) == []
        assert len(find_goldens(subject, schemas)) > 50
        assert replay(subject, schemas) == []
