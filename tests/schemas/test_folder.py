from __future__ import annotations

from pathlib import Path

import pytest

from instar.errors import ConfigError, InstarError, MigrationGap, SchemaError, SchemaSyntaxError
from instar.schemas.folder import load_subjects, read_folder
from instar.schemas.reading import ReadSettings

AVSC = '{"type": "record", "name": "Thing", "fields": [{"name": "a", "type": "int"}]}'
PROTO = 'syntax = "proto3"; message Thing { int32 a = 5; }'


def write(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(AVSC if name.endswith(".avsc") else PROTO)
    return folder


def test_subjects_are_folders_with_versions(tmp_path: Path) -> None:
    """Each sub-folder with version files is a subject; all else in the folder is passed over."""
    write(tmp_path, "one/v1.avsc", "one/v2.avsc", "two/v1.avsc", "none/readme.md", "one/notes.avsc")
    subjects = load_subjects(tmp_path)
    assert {name: [s.version for s in found] for name, found in subjects.items()} == {
        "one": [1, 2],
        "two": [1],
    }
    assert all(schema.subject == "one" for schema in subjects["one"])
    assert subjects["one"][0].record.fields[0].number == 1


def test_versions_are_in_order_of_their_number(tmp_path: Path) -> None:
    """Version 10 comes after version 9."""
    write(tmp_path, *(f"t/v{version}.avsc" for version in range(1, 11)))
    assert [schema.version for schema in load_subjects(tmp_path)["t"]] == [*range(1, 11)]


def test_a_subject_may_change_its_language(tmp_path: Path) -> None:
    """Avro and Protobuf versions of one subject load together, each with its own numbers."""
    write(tmp_path, "thing/v1.avsc", "thing/v2.proto")
    first, second = load_subjects(tmp_path)["thing"]
    assert (first.language, second.language) == ("avro", "protobuf")
    assert (first.record.fields[0].number, second.record.fields[0].number) == (1, 5)


def test_only_the_subjects_asked_for_are_read(tmp_path: Path) -> None:
    """A broken subject does not keep another one from loading alone."""
    write(tmp_path, "good/v1.avsc", "bad/v1.avsc")
    (tmp_path / "bad" / "v1.avsc").write_text("{")
    assert list(load_subjects(tmp_path, ["good"])) == ["good"]
    with pytest.raises(SchemaSyntaxError):
        load_subjects(tmp_path)


def test_a_missing_version_is_named_with_its_place(tmp_path: Path) -> None:
    """A hole in the versions says which one is missing and where it belongs."""
    write(tmp_path, "t/v1.avsc", "t/v3.avsc")
    with pytest.raises(MigrationGap, match="version 2 is missing") as caught:
        load_subjects(tmp_path)
    assert str(tmp_path / "t" / "v2.avsc") in caught.value.mend


@pytest.mark.parametrize("second", ["t/v1.proto", "t/v01.avsc"])
def test_two_files_of_one_version_are_refused(tmp_path: Path, second: str) -> None:
    """Two files that claim one version are both named."""
    write(tmp_path, "t/v1.avsc", second)
    with pytest.raises(SchemaError, match=r"both claim version 1") as caught:
        load_subjects(tmp_path)
    assert Path(second).name in str(caught.value)


def test_version_zero_is_refused(tmp_path: Path) -> None:
    """Versions count from 1, and a file of version 0 says so."""
    write(tmp_path, "t/v0.avsc", "t/v1.avsc")
    with pytest.raises(SchemaError, match="count from 1"):
        load_subjects(tmp_path)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A missing folder is named."""
    with pytest.raises(ConfigError, match="no such folder"):
        load_subjects(tmp_path / "nowhere")


def test_a_subject_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A missing subject is named, with the file to write."""
    write(tmp_path, "t/v1.avsc")
    with pytest.raises(ConfigError, match="'u'") as caught:
        load_subjects(tmp_path, ["u", "t"])
    assert caught.value.mend.endswith(str(tmp_path / "u" / "v1.avsc"))


def test_a_version_may_be_a_folder_of_files(tmp_path: Path) -> None:
    """A folder of .avsc files is one version; other folders are left alone."""
    write(tmp_path, "t/v1.avsc")
    parts = tmp_path / "t" / "v2"
    parts.mkdir()
    (tmp_path / "t" / "v9").mkdir()
    (parts / "leaf.avsc").write_text('{"type": "record", "name": "Leaf", "fields": []}')
    fields = '[{"name": "leaf", "type": "Leaf"}]'
    (parts / "root.avsc").write_text(f'{{"type": "record", "name": "T", "fields": {fields}}}')
    schemas = load_subjects(tmp_path)["t"]
    assert [schema.version for schema in schemas] == [1, 2]
    assert list(schemas[1].types) == ["T", "Leaf"]


def test_a_folder_and_a_file_of_one_version_are_refused(tmp_path: Path) -> None:
    """A version is either a file or a folder."""
    write(tmp_path, "t/v1.avsc")
    (tmp_path / "t" / "v1").mkdir()
    (tmp_path / "t" / "v1" / "t.avsc").write_text("{}")
    with pytest.raises(SchemaError, match=r"both claim version 1"):
        load_subjects(tmp_path)


def test_settings_name_roots_and_leniency(tmp_path: Path) -> None:
    """What a project sets decides how its files are read, and one subject at a time."""
    folder = tmp_path / "t"
    folder.mkdir()
    one, two = (f'{{"type": "record", "name": "{name}", "fields": []}}' for name in "AB")
    (folder / "v1.avsc").write_text(f"// two\n[{one}, {two}]")
    with pytest.raises(SchemaSyntaxError, match="comment"):
        load_subjects(tmp_path)
    with pytest.raises(SchemaError, match="2 records"):
        load_subjects(tmp_path, settings=ReadSettings(lenient=True))
    settings = ReadSettings({"t": "B"}, lenient=True)
    assert load_subjects(tmp_path, settings=settings)["t"][0].root == "B"


def test_a_version_may_be_a_folder_of_proto_files(tmp_path: Path) -> None:
    """Files and folders of versions stand side by side; a folder without schemas is none."""
    write(tmp_path, "thing/v1.proto", "thing/v2/thing.proto", "thing/v3/readme.md")
    first, second = load_subjects(tmp_path)["thing"]
    assert first.types == second.types


def test_a_file_and_a_folder_of_one_version_are_refused(tmp_path: Path) -> None:
    """One version has one schema, be it a file or a folder."""
    write(tmp_path, "thing/v1.proto", "thing/v1/thing.proto")
    with pytest.raises(SchemaError, match="both claim version 1"):
        load_subjects(tmp_path)


def test_the_root_of_a_proto_may_be_set(tmp_path: Path) -> None:
    """Settings name the root message of a subject, by its full name."""
    write(tmp_path, "other/v1.proto")
    (tmp_path / "other/v1.proto").write_text(
        'syntax = "proto3"; package p; message A {} message B { message C {} }'
    )
    with pytest.raises(SchemaError, match="no one message"):
        load_subjects(tmp_path)
    settings = ReadSettings({"other": "p.B.C"})
    assert load_subjects(tmp_path, settings=settings)["other"][0].root == "p.B.C"


@pytest.mark.parametrize("name", ["my-job", "2nd", "jöb", "class", "a.b"])
def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path, name: str) -> None:
    """A subject is named by an identifier of ASCII that is no keyword of Python."""
    write(tmp_path, f"{name}/v1.avsc", "good_1/v1.avsc")
    with pytest.raises(SchemaError, match="cannot name a subject") as caught:
        load_subjects(tmp_path)
    assert caught.value.where == str(tmp_path / name)
    assert list(load_subjects(tmp_path, errors=[])) == ["good_1"]


def test_each_hole_is_one_error(tmp_path: Path) -> None:
    """However many versions a hole lacks, it is one finding; two holes are two."""
    write(tmp_path, "t/v2.avsc", "t/v3.avsc", "t/v1000000.avsc")
    errors: list[InstarError] = []
    assert load_subjects(tmp_path, errors=errors) == {}
    assert [error.what for error in errors] == [
        "version 1 is missing, and version 2 is there",
        "versions 4 to 999999 are missing, and version 1000000 is there",
    ]


def test_the_versions_before_the_first_wrong_one_are_kept(tmp_path: Path) -> None:
    """What can still be looked at of a broken subject ends where the first thing is wrong."""
    write(tmp_path, *(f"t/v{version}.avsc" for version in (1, 2, 3, 4)))
    (tmp_path / "t" / "v3.avsc").write_text("{")
    reading = read_folder(tmp_path)
    assert reading.subjects == {}
    assert [schema.version for schema in reading.broken["t"]] == [1, 2]


def test_a_folder_of_two_languages_is_an_error(tmp_path: Path) -> None:
    """Files of one language would go unread, so the error names one of each, wherever they are."""
    folder = tmp_path / "t" / "v1"
    (folder / "parts").mkdir(parents=True)
    (folder / "T.avsc").write_text('{"type": "record", "name": "T", "fields": []}')
    assert load_subjects(tmp_path)["t"][0].root == "T"
    (folder / "parts" / "t.proto").write_text('syntax = "proto3"; message T {}')
    with pytest.raises(SchemaError, match=r"T\.avsc and parts/t\.proto are in two") as caught:
        load_subjects(tmp_path)
    assert caught.value.where == str(folder)
