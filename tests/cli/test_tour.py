"""What the tour shows is true, and what it leaves behind works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.place import Run
from typer.testing import CliRunner

import instar
from instar.bench.measure import FEWEST_ROUNDS
from instar.cli import app
from instar.codec.tag.explain import explain

ROOT = Path(__file__).resolve().parents[2]
KEY = "agent-007"


class Shown:
    """A finished tour: its text, and the folder it left."""

    def __init__(self, text: str, folder: Path) -> None:
        self.text = text
        self.folder = folder
        self.lines = text.splitlines()
        self.words = " ".join(text.split())
        self.registry = instar.Registry.open(folder / "schemas", folder / "migrations")

    def entries(self) -> dict[str, instar.Entry]:
        with instar.open_store(self.folder / "agents.db", create=False) as store:
            return {entry.key: entry for entry in store.scan()}

    def row(self, start: str) -> str:
        """The line that begins with ``start``."""
        (found,) = [line for line in self.lines if line.strip().startswith(start)]
        return " ".join(found.split())

    def commands(self) -> list[list[str]]:
        """The commands at the end, each as words."""
        _, _, text = self.text.partition("three commands to try")
        rows = text.replace("\\\n", " ").splitlines()
        return [shlex.split(row) for row in rows if row.startswith("  instar ")]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty working directory in no project, for the whole module."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("elsewhere")
        patch.chdir(folder)
        patch.delenv("UV", raising=False)
        yield folder


@pytest.fixture(scope="module")
def shown(elsewhere: Path) -> Shown:
    result = CliRunner().invoke(app, ["tour"])
    assert result.exit_code == 0, result.output
    return Shown(result.stdout, elsewhere / "instar-tour")


def test_all_scenes(shown: Shown) -> None:
    """The scenes are numbered and all there."""
    numbers = [line[0] for line in shown.lines if line[:1].isdigit()]
    assert numbers == ["1", "2", "3", "4", "5", "6", "7"]


def test_80_columns(shown: Shown) -> None:
    """Nothing is wider than 80 columns."""
    assert [line for line in shown.lines if len(line) > 80] == []


def test_piped_output_is_plain(shown: Shown) -> None:
    """Output that goes to no terminal has no colour and no other control codes."""
    assert "\x1b" not in shown.text
    assert all(line.isprintable() for line in shown.lines)


def test_fields_are_those_of_the_schema(shown: Shown) -> None:
    """The types are of v1.avsc, and the values are of the state that is stored."""
    codec: instar.Codec[Any] = shown.registry.codec("agent_state", version=1)
    state = codec.decode(shown.entries()[KEY].blob)
    assert shown.row("id ") == f"id string (uuid) {state.id}"
    assert shown.row("tokens_used ") == f"tokens_used int {state.tokens_used}"
    assert shown.row("msgs ") == f"msgs array of Message [{len(state.msgs)} x Message]"
    assert shown.row("model ") == f"model string {state.model!r}"


def test_blob_is_explained(shown: Shown) -> None:
    """Every field of the tag is there with its bytes, as the blob in the folder has them."""
    blob = (shown.folder / f"{KEY}.blob").read_bytes()
    assert blob == shown.entries()[KEY].blob
    for span in explain(blob)[:-1]:
        assert f"{span.raw.hex(' ')} {span.field} {span.meaning[:20]}" in shown.words


def test_old_and_new_side_by_side(shown: Shown) -> None:
    """Every field that only one of the versions has is in the table of changes."""
    types = shown.registry.codec("agent_state").types
    names = [set(types[version].__struct_fields__) for version in (1, 3)]
    _, _, table = shown.text.partition("version 1, as stored")
    for name in names[0] ^ names[1]:
        assert f"{name} = " in table


def test_split_is_shown_whole(shown: Shown) -> None:
    """The split field is shown before and after."""
    state: Any = shown.registry.codec("agent_state").decode(shown.entries()[KEY].blob)
    whole = f"{state.provider}/{state.model_name}"
    assert shown.row("split ") == f"split model = {whole!r} provider = {state.provider!r}"


def test_nothing_was_rewritten(shown: Shown) -> None:
    """The tour says that reading rewrote nothing, and the store agrees."""
    assert "200 of 200 blobs are byte for byte as they were, 0 have a new revision." in shown.words
    entries = shown.entries()
    assert len(entries) == 200
    assert sorted(key for key, entry in entries.items() if entry.revision != 1) == [
        "agent-001", "agent-002", "agent-003",
    ]  # fmt: skip


def test_census_is_that_of_the_store(shown: Shown) -> None:
    """The census after the saves is what a census of the store says now."""
    assert "agent_state 1 avro 200 197" in shown.words
    assert "agent_state 3 avro 0 3" in shown.words
    versions = [instar.read_tag(entry.blob).version for entry in shown.entries().values()]
    assert (versions.count(1), versions.count(3)) == (197, 3)


def test_older_reader(shown: Shown) -> None:
    """What version 2 sees is what decoding as version 2 gives."""
    blob = shown.entries()["agent-001"].blob
    older: Any = shown.registry.codec("agent_state").decode(blob, version=2)
    assert f"{older.model!r}, joined again from" in shown.words


def test_flipped_bit(shown: Shown) -> None:
    """The error of the flipped bit is the one that the same bit gives here."""
    damaged = bytearray(shown.entries()["agent-001"].blob)
    damaged[len(damaged) // 2] ^= 8
    with pytest.raises(instar.InstarError) as caught:
        shown.registry.codec("agent_state").decode(damaged)
    assert f"damaged[{len(damaged) // 2}] ^= 8" in shown.text
    assert f"{type(caught.value).__name__}: {caught.value}" in shown.words


@pytest.mark.parametrize("name", ["avro", "protobuf", "msgpack", "json", "yaml"])
def test_sizes_are_those_of_the_formats(shown: Shown, name: Any) -> None:
    """The size of each format is that of the state encoded here."""
    codec: instar.Codec[Any] = shown.registry.codec("agent_state", format=name)
    blob = codec.encode(codec.decode(shown.entries()[KEY].blob))
    assert shown.row(f"instar {name}  ").split()[2] == f"{len(blob):,}"


def test_table_has_plain_json(shown: Shown) -> None:
    """JSON is in the table: as the base, and straight to objects."""
    assert "1.00 [1.00-1.00]" in shown.row("json, to dicts ")
    assert "msgspec json 3" in shown.words  # its size is of five digits


def test_times_of_tool_calls_too(shown: Shown) -> None:
    """The text-only state is not the only one measured: the kinder case is named as such."""
    _, _, ratios = shown.words.partition("With tool calls")
    names = (
        "msgspec json",
        *(f"instar {name}" for name in ("avro", "protobuf", "msgpack", "json")),
    )
    for name in names:
        assert re.search(rf"{name} \d+\.\d\d[,.]", ratios), name


@pytest.fixture
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of a tour goes into measuring, which one tour has shown."""
    monkeypatch.setattr("instar.cli.tour_times._ROUNDS", FEWEST_ROUNDS)


@pytest.fixture
def path() -> str:
    """A search path on which the instar of this environment comes first."""
    folder = str(Path(sys.executable).parent)
    if shutil.which("instar", path=folder) is None:
        pytest.skip("the command instar is not installed beside this Python")
    return os.pathsep.join((folder, os.environ.get("PATH", "")))


@pytest.mark.parametrize("index", range(3))
def test_commands_work_as_printed(shown: Shown, elsewhere: Path, path: str, index: int) -> None:
    """Each of the three commands runs from where the tour was started."""
    commands = shown.commands()
    assert [command[1] for command in commands] == ["census", "inspect", "convert"]
    done = subprocess.run(
        commands[index],
        cwd=elsewhere,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    if index < 2:
        assert "agent_state" in done.stdout
    else:
        converted = (shown.folder / f"{KEY}.json").read_text(encoding="utf-8")
        assert converted.startswith('{"$schema":"agent_state/3#')


@pytest.mark.usefixtures("_few_rounds")
def test_commands_are_short_in_this_project(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a project that has the schemas, the commands do not name them; uv is named if used."""
    pytest.importorskip("grpc_tools", reason="this project's .proto schemas need the compile extra")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("UV", "uv")
    done = run("tour", "--out", tmp_path / "tour")
    assert "--schemas" not in done.out
    assert "  uv run instar census " in done.out
    assert f"--store sqlite:///{tmp_path}/tour/agents.db" in done.out


@pytest.mark.usefixtures("_few_rounds")
def test_again(shown: Shown, run: Run, elsewhere: Path) -> None:
    """A second tour says that it starts afresh, and leaves other files alone."""
    note = shown.folder / "note.txt"
    note.write_text("mine")
    done = run("tour")
    assert done.code == 0
    assert "this one starts afresh" in " ".join(done.out.split())
    assert "agent_state 1 avro 200 197" in " ".join(done.out.split())
    assert note.read_text() == "mine"
    assert [path.name for path in elsewhere.iterdir()] == ["instar-tour"]


@pytest.mark.usefixtures("_few_rounds")
def test_folder_with_a_space(run: Run, outside: Path) -> None:
    """A folder whose name has a space works, and the commands quote it."""
    done = run("tour", "--out", "my tour")
    assert done.code == 0
    assert (outside / "my tour" / "agents.db").is_file()
    assert "--store 'sqlite:///my tour/agents.db'" in done.out


@pytest.mark.parametrize("name", ["agents.db", f"{KEY}.blob", "schemas/agent_state/v1.avsc"])
def test_foreign_files_stay(run: Run, outside: Path, name: str) -> None:
    """A file of the tour's names that no tour has made is left alone, and the tour refuses."""
    theirs = outside / "mine" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("precious")
    done = run("tour", "--out", "mine")
    assert done.code == 2
    assert "no tour has made this file" in done.err
    assert theirs.read_text() == "precious"
    assert [path for path in (outside / "mine").rglob("*") if path.is_file()] == [theirs]


def test_out_is_a_file(run: Run, outside: Path) -> None:
    """A file in place of the folder is refused."""
    (outside / "taken").write_text("")
    done = run("tour", "--out", "taken")
    assert done.code == 2
    assert "no folder" in done.err
