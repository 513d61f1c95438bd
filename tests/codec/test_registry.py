"""Opening a registry: what cannot work is found then, with what to add."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from instar import Migration, Registry, compute
from instar.errors import (
    ComputeError,
    ConfigError,
    DuplicateMigration,
    MigrationCycle,
    MigrationFileError,
    MigrationGap,
    MigrationMismatch,
    NoSuchSubject,
    NotExpressible,
    SchemaError,
    SchemaSyntaxError,
    SeveralHeads,
)
from instar.schemas.avro import parse_avro

TEXT = {"name": "name", "type": "string"}
FIRST = {"name": "first", "type": "string"}
LAST = {"name": "last", "type": "string"}
SPLIT = """
from instar.migrations import Migration, compute

def up(name):
    first, _, last = name.partition(" ")
    return first, last

def down(first, last):
    return f"{first} {last}" if last else first

migration = Migration("person", {source}, {target}, compute(
    reads="name", writes=("first", "last"), up=up, down=down))
"""


def write(root: Path, versions: list[list[Any]], **steps: str) -> tuple[Path, Path]:
    """A folder of schemas for `person` and one of migrations."""
    schemas, migrations = root / "schemas", root / "migrations"
    (schemas / "person").mkdir(parents=True)
    (migrations / "person").mkdir(parents=True)
    for number, fields in enumerate(versions, 1):
        schema = {"type": "record", "name": "Person", "fields": fields}
        (schemas / "person" / f"v{number}.avsc").write_text(json.dumps(schema))
    for name, text in steps.items():
        (migrations / "person" / f"{name}.py").write_text(text)
    return schemas, migrations


def split(source: int, target: int) -> str:
    """A migration file between two versions."""
    return SPLIT.replace("{source}", str(source)).replace("{target}", str(target))


def test_a_compute_step_goes_up_and_down(tmp_path: Path) -> None:
    """The functions get just the fields they read, in both directions."""
    registry = Registry.open(*write(tmp_path, [[TEXT], [FIRST, LAST]], v1_v2=split(1, 2)))
    old, new = registry.codec("person", version=1), registry.codec("person")
    blob = old.encode(old.type(name="Ada Lovelace"))
    state = new.decode(blob)
    assert (state.first, state.last) == ("Ada", "Lovelace")
    assert new.decode(new.encode(state), version=1) == old.type(name="Ada Lovelace")


def test_a_change_that_says_nothing_names_the_op_that_would_mend_it(tmp_path: Path) -> None:
    """A new field without default is found when the registry opens, by path."""
    with pytest.raises(MigrationMismatch) as caught:
        Registry.open(*write(tmp_path, [[TEXT], [TEXT, LAST]]))
    message = str(caught.value)
    assert "person.last" in message
    assert "an alias, add('last', default=...), or compute(writes='last')" in message
    assert "v1_v2.py" in message


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("string", "int", "changed from string to int"),
        ("long", "int", "changed from long to int"),
        (["null", "int"], "int", "was optional and no longer is"),
        (["int", "string"], ["int", "boolean"], "lost its branch string"),
        (
            {"type": "enum", "name": "E", "symbols": ["A", "B"]},
            {"type": "enum", "name": "E", "symbols": ["A"]},
            "lost the symbols B",
        ),
        ({"type": "array", "items": "string"}, "string", "changed from array of string"),
        ({"type": "map", "values": "long"}, {"type": "map", "values": "int"}, r"\[\*\]"),
        ("long", {"type": "long", "logicalType": "timestamp-millis"}, "changed from long"),
    ],
)
def test_what_cannot_be_derived_is_refused_by_path(
    tmp_path: Path, old: Any, new: Any, reason: str
) -> None:
    """Narrowing, and every change of meaning, needs the author's word."""
    versions = [[{"name": "f", "type": old}], [{"name": "f", "type": new}]]
    with pytest.raises(MigrationMismatch, match=reason):
        Registry.open(*write(tmp_path, versions))


def test_a_hole_in_the_versions_is_a_gap(tmp_path: Path) -> None:
    """Version 2 of 3 is missing, and the error says where it belongs."""
    schemas, migrations = write(tmp_path, [[TEXT], [TEXT], [TEXT]])
    (schemas / "person" / "v2.avsc").unlink()
    with pytest.raises(MigrationGap, match=r"version 2 is missing.*v2\.avsc"):
        Registry.open(schemas, migrations)


def test_bad_lines_of_versions_are_refused_at_the_door(tmp_path: Path) -> None:
    """Duplicate edges, cycles and two heads never wait for a read."""
    schemas = Registry.open(*write(tmp_path, [[TEXT], [TEXT], [TEXT]])).subject("person")
    step = Migration("person", 1, 2)
    for wrong, error in [
        ([step, Migration("person", 1, 2)], DuplicateMigration),
        ([Migration("person", 2, 1)], MigrationCycle),
        ([step, Migration("person", 1, 3)], SeveralHeads),
        ([Migration("person", 1, 3)], MigrationGap),
    ]:
        with pytest.raises(error):
            Registry.of(list(schemas.schemas.values()), wrong)


def test_two_files_for_one_version_are_refused(tmp_path: Path) -> None:
    """After a branch merge, one of the two has to go."""
    schemas, migrations = write(tmp_path, [[TEXT]])
    (schemas / "person" / "v01.avsc").write_text("{}")
    with pytest.raises(SchemaError, match="both claim version 1"):
        Registry.open(schemas, migrations)


def test_an_unreadable_schema_says_file_line_and_reason(tmp_path: Path) -> None:
    """The error is at the line of the mistake."""
    schemas, migrations = write(tmp_path, [[TEXT]])
    (schemas / "person" / "v1.avsc").write_text('{"type": "record",\n"name" "Person"}')
    with pytest.raises(SchemaSyntaxError, match=r"v1\.avsc:2"):
        Registry.open(schemas, migrations)


def test_a_migration_that_reads_an_unknown_field_is_refused(tmp_path: Path) -> None:
    """The functions' fields have to exist on their sides."""
    files = write(tmp_path, [[FIRST], [FIRST, LAST]], v1_v2=split(1, 2))
    with pytest.raises(MigrationMismatch, match="version 1 has no field name"):
        Registry.open(*files)


def test_a_broken_migration_file_is_named_and_the_rest_still_loads(tmp_path: Path) -> None:
    """collect() gives every finding, and opens what can be opened."""
    schemas, migrations = write(tmp_path, [[TEXT], [TEXT]], v1_v2="migration = (")
    (schemas / "other").mkdir()
    (schemas / "other" / "v1.avsc").write_text('{"type": "record", "name": "Other", "fields": []}')
    registry, findings = Registry.collect(schemas, migrations)
    assert [type(finding) for finding in findings] == [MigrationFileError]
    assert "v1_v2.py" in str(findings[0])
    assert "other" in registry.subjects


@pytest.mark.parametrize(
    ("up", "reason"),
    [
        (lambda name: 1 / 0, "ZeroDivisionError"),
        (lambda name: name, "tuple of 2"),
        (lambda name: (name, 5), "wrong value"),
        (lambda name: (name, None), "wrong value"),
    ],
)
def test_a_function_that_fails_is_a_compute_error(tmp_path: Path, up: Any, reason: str) -> None:
    """The error names the hop and the field, and the blob is untouched."""
    files = write(tmp_path, [[TEXT], [FIRST, LAST]], v1_v2=split(1, 2))
    subject = Registry.open(*files).subject("person")
    op = compute(reads="name", writes=("first", "last"), up=up, down=lambda first, last: first)
    registry = Registry.of(list(subject.schemas.values()), [Migration("person", 1, 2, op)])
    old = registry.codec("person", version=1)
    with pytest.raises(ComputeError, match=reason) as caught:
        registry.codec("person").decode(old.encode(old.type(name="x")))
    assert "person" in str(caught.value)


def test_unknown_names_say_what_is_known(tmp_path: Path) -> None:
    """A subject or version that is not there is answered with those that are."""
    registry = Registry.open(*write(tmp_path, [[TEXT]]))
    with pytest.raises(NoSuchSubject, match="subjects here are person"):
        registry.codec("persona")
    with pytest.raises(NoSuchSubject, match="versions here are 1 to 1"):
        registry.codec("person", version=9)
    with pytest.raises(ConfigError, match="avro-single-object cannot hold json"):
        registry.codec("person", format="json", framing="avro-single-object")


def test_the_project_file_says_how_schemas_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Roots and leniency are taken from the project, whether or not the folders are given."""
    folder = tmp_path / "schemas" / "thing"
    folder.mkdir(parents=True)
    texts = [f'{{"type": "record", "name": "{name}", "fields": []}}' for name in "AB"]
    (folder / "v1.avsc").write_text(f"// two\n[{', '.join(texts)}]")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.instar]\nlenient = true\nroots = {thing = "B"}\n'
    )
    monkeypatch.chdir(tmp_path)
    for registry in (Registry.open(), Registry.open("schemas")):
        assert registry.subject("thing").schema(1).root == "B"


@pytest.mark.parametrize(
    "setting",
    [
        *("lenient = 1", "roots = 3", "roots = {a = 1}", 'protobuf_times = "millis"'),
        *("protobuf_times = true", "protobuf_times = {a = 0}", 'protobuf_times = {a = "nanos"}'),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, setting: str) -> None:
    """A setting of another kind than it should be is refused with its file."""
    (tmp_path / "pyproject.toml").write_text(f"[tool.instar]\n{setting}\n")
    with pytest.raises(ConfigError, match=setting.partition(" ")[0]) as caught:
        Registry.open(tmp_path)
    assert str(tmp_path / "pyproject.toml") in caught.value.where


def test_the_project_file_names_the_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """open() without arguments reads [tool.instar] of the nearest pyproject.toml."""
    write(tmp_path, [[TEXT]])
    inner = tmp_path / "src" / "deep"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    with pytest.raises(ConfigError, match=r"\[tool\.instar\]"):
        Registry.open()
    (tmp_path / "pyproject.toml").write_text('[tool.instar]\nschemas = "schemas"\n')
    assert Registry.open().subjects == ("person",)


def test_a_function_may_give_records_and_symbols_in_json_form(tmp_path: Path) -> None:
    """A migration cannot import the classes of a version, so plain values stand for them."""
    mode = {"type": "enum", "name": "Mode", "symbols": ["SLOW", "FAST"]}
    pair = {"type": "record", "name": "Pair", "fields": [FIRST, LAST]}
    new = [{"name": "mode", "type": mode}, {"name": "pair", "type": pair}]
    step = """
from instar.migrations import Migration, compute

migration = Migration("person", 1, 2, compute(
    reads="name", writes=("mode", "pair"),
    up=lambda name: ("FAST", {"first": name, "last": ""}),
    down=lambda mode, pair: f"{mode.value} {pair.first}"))
"""
    registry = Registry.open(*write(tmp_path, [[TEXT], new], v1_v2=step))
    old, codec = registry.codec("person", version=1), registry.codec("person")
    state = codec.decode(old.encode(old.type(name="Ada")))
    assert (state.mode.name, state.pair.first) == ("FAST", "Ada")
    assert codec.decode(codec.encode(state), version=1).name == "FAST Ada"


def test_states_share_nothing_that_a_function_gave(tmp_path: Path) -> None:
    """A function may give the same list each time; each state has its own."""
    labels = {"name": "labels", "type": {"type": "array", "items": "string"}}
    subject = Registry.open(*write(tmp_path, [[TEXT], [TEXT]])).subject("person")
    old = subject.schema(1)
    new = parse_avro(
        json.dumps({"type": "record", "name": "Person", "fields": [TEXT, labels]}),
        subject="person",
        version=2,
        where="v2.avsc",
    )
    kept = ["a"]
    op = compute(reads="name", writes="labels", up=lambda _: kept, down=None, lossy="labels")
    registry = Registry.of([old, new], [Migration("person", 1, 2, op)])
    blob = registry.codec("person", version=1).encode(
        registry.codec("person", version=1).type(name="x")
    )
    registry.codec("person").decode(blob).labels.append("b")
    assert registry.codec("person").decode(blob).labels == ["a"]


def test_a_step_that_some_values_cannot_take_says_so(tmp_path: Path) -> None:
    """A whole number that no double holds exactly is not rounded; the blob is not corrupt."""
    versions = [[{"name": "n", "type": "long"}], [{"name": "n", "type": "double"}]]
    registry = Registry.open(*write(tmp_path, versions))
    old = registry.codec("person", version=1)
    assert registry.codec("person").decode(old.encode(old.type(n=5))).n == 5.0
    with pytest.raises(NotExpressible, match=r"person\.n"):
        registry.codec("person").decode(old.encode(old.type(n=2**53 + 1)))


def test_the_project_may_name_the_root_of_a_proto(tmp_path: Path) -> None:
    """roots in the [tool.instar] above the schemas says which message a subject is."""
    folder = tmp_path / "schemas" / "note"
    folder.mkdir(parents=True)
    (folder / "v1.proto").write_text('syntax = "proto3"; message A {} message B {}')
    (tmp_path / "pyproject.toml").write_text('[tool.instar]\nroots = {note = "B"}\n')
    assert Registry.open(tmp_path / "schemas").subject("note").schema(1).root == "B"


@pytest.mark.parametrize("text", ["[tool]\ninstar = 5", "tool = 5", "[[tool.instar]]", "[[tool]]"])
def test_settings_that_are_no_table_are_refused(tmp_path: Path, text: str) -> None:
    """What stands where the settings belong is not passed over in silence."""
    (tmp_path / "pyproject.toml").write_text(f"{text}\n")
    with pytest.raises(ConfigError, match="must be a table") as caught:
        Registry.open(tmp_path)
    assert str(tmp_path / "pyproject.toml") in caught.value.where


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_project_file_that_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    """A folder, or a link to nowhere, is not as good as no settings."""
    file = tmp_path / "pyproject.toml"
    if kind == "folder":
        file.mkdir()
    else:
        file.symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="does not read") as caught:
        Registry.open(tmp_path)
    assert caught.value.where == str(file)


def test_a_mistyped_setting_is_named_with_those_there_are(tmp_path: Path) -> None:
    """A key that means nothing is an error, for it was meant to mean something."""
    (tmp_path / "pyproject.toml").write_text("[tool.instar]\nleniant = true\n")
    with pytest.raises(ConfigError, match="'leniant'") as caught:
        Registry.open(tmp_path)
    assert caught.value.mend == (
        "settings are schemas, migrations, generated, format, lenient, protobuf_times, roots, "
        "compatibility"
    )


def test_every_setting_there_is_may_be_set(tmp_path: Path) -> None:
    """None of the settings that are told is refused."""
    schemas, _ = write(tmp_path, [[TEXT]])
    (tmp_path / "pyproject.toml").write_text(
        '[tool.instar]\nschemas = "schemas"\nmigrations = "migrations"\ngenerated = "src"\n'
        'format = "json"\nlenient = true\ncompatibility = "FULL"\nprotobuf_times = "nanos"\n'
        '[tool.instar.roots]\nperson = "Person"\n'
    )
    assert Registry.open(schemas).subjects == ("person",)


def test_collect_gives_every_step_that_does_not_fit(tmp_path: Path) -> None:
    """The first mismatch of a subject is not the only one that is told."""
    versions = [[{"name": "a", "type": type_}] for type_ in ("string", "int", "boolean")]
    _, findings = Registry.collect(*write(tmp_path, versions))
    assert [type(finding) for finding in findings] == [MigrationMismatch, MigrationMismatch]


def test_a_subject_that_lacks_a_migration_is_not_opened(tmp_path: Path) -> None:
    """Without a migration that does not load, states would be converted as nobody wrote."""
    files = write(tmp_path, [[TEXT], [TEXT]], v1_v2="migration = (")
    registry, findings = Registry.collect(*files)
    assert (registry.subjects, len(findings)) == ((), 1)


PROTO = 'syntax = "proto3"; import "google/protobuf/struct.proto"; message Job { BODY }'


def proto_line(root: Path, *bodies: str) -> Path:
    """A folder with one version of `job` for each message body."""
    folder = root / "schemas" / "job"
    folder.mkdir(parents=True)
    for number, body in enumerate(bodies, 1):
        (folder / f"v{number}.proto").write_text(PROTO.replace("BODY", body))
    return folder.parent


def test_a_oneof_is_known_by_its_numbers(tmp_path: Path) -> None:
    """The name of a oneof is not on the wire, so another name is no other field."""
    cases = "{ int32 a = 1; string b = 2; }"
    registry = Registry.open(proto_line(tmp_path, f"oneof o {cases}", f"oneof q {cases}"))
    old, new = registry.codec("job", version=1), registry.codec("job")
    assert new.decode(old.encode(old.type(o=5))).q == 5
    assert new.decode(new.encode(new.type(q="x")), version=1).o == "x"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("optional int32 a = 1;", "oneof o { int32 a = 1; string b = 2; }"),
        ("oneof o { int32 a = 1; string b = 2; }", "int32 a = 1; string b = 2;"),
    ],
)
def test_a_move_into_or_out_of_a_oneof_needs_a_migration(
    tmp_path: Path, old: str, new: str
) -> None:
    """The value would be lost without a word."""
    with pytest.raises(MigrationMismatch, match="moved into or out of a oneof"):
        Registry.open(proto_line(tmp_path, old, new))


@pytest.mark.parametrize("narrow", ["Struct", "ListValue"])
def test_any_json_does_not_become_an_object_by_itself(tmp_path: Path, narrow: str) -> None:
    """A Value may be a number, which a Struct is not; the reverse is fine."""
    value, other = "google.protobuf.Value a = 1;", f"google.protobuf.{narrow} a = 1;"
    with pytest.raises(MigrationMismatch, match="changed from"):
        Registry.open(proto_line(tmp_path / "down", value, other))
    Registry.open(proto_line(tmp_path / "up", other, value))


@pytest.mark.parametrize(
    ("kind", "default"),
    [
        ({"type": "bytes", "logicalType": "decimal", "precision": 2, "scale": 1}, "\u007f"),
        ("string", "\ud800"),
        ({"type": "map", "values": "int"}, {"\ud800": 1}),
        ({"type": "bytes", "logicalType": "json"}, "123456789012345678901234567890"),
        ({"type": "bytes", "logicalType": "json"}, "1e999"),
    ],
)
def test_a_default_that_could_not_be_saved_is_refused(
    tmp_path: Path, kind: Any, default: Any
) -> None:
    """A migration never hands out a state that its own schema cannot hold."""
    added = {"name": "a", "type": kind, "default": default}
    with pytest.raises(SchemaError):
        Registry.open(*write(tmp_path, [[TEXT], [TEXT, added]]))
