from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import Run, write_schema

TEXT = {"type": "string"}


@pytest.fixture
def ticket(outside: Path) -> Path:
    """A subject of two versions: a field with another name, and one that was split."""
    folder = outside / "schemas" / "ticket"
    write_schema(folder, 1, [{"name": "titel", **TEXT}, {"name": "owner", **TEXT}])
    write_schema(folder, 2, [{"name": "title", **TEXT}, {"name": "owner", **TEXT}])
    return outside


def test_a_path_in_words(run: Run, project: Path) -> None:
    """Each field is told with where it comes from, and each step with what it loses."""
    done = run("migration", "path", "job", "1", "3")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "job 1 -> 3: 2 steps in 1 pass over the state"
    assert any(text.split() == ["first", "name", "by", "split()"] for text in lines)
    assert "  as they were: steps" in lines
    assert "  2 -> 3: compute name -> first, last" in lines
    assert max(map(len, lines)) <= 80


def test_a_path_down(run: Run, project: Path) -> None:
    """On the way down it says what is dropped, and what is refused."""
    done = run("migration", "path", "job", "3", "1")
    assert "  steps  refused  numbers out of the range of int" in done.out
    assert "  log    dropped  version 1 has no place for it" in done.out
    assert "          steps: refused: numbers out of the range of int" in done.out


def test_a_path_as_json(run: Run, project: Path) -> None:
    """--json gives the passes with their fields, the losses, and each step with its own."""
    found = run("migration", "path", "job", "3", "1", "--json").json
    assert (found["subject"], found["from"], found["to"]) == ("job", 3, 1)
    (one,) = found["passes"]
    assert one["fields"][0] == {
        "path": "name",
        "sources": ["first", "last"],
        "steps": "by join()",
        "function": "join",
    }
    assert [(loss["path"], loss["kind"]) for loss in found["losses"]] == [
        ("steps", "refused"),
        ("log", "dropped"),
    ]
    assert [step["ops"] for step in found["steps"]] == [["compute name -> first, last"], []]


def test_a_path_to_itself(run: Run, project: Path) -> None:
    """From a version to itself there is nothing to do."""
    assert run("migration", "path", "job", "2", "2").out == "job 2 -> 2: nothing to do\n"


def test_a_path_to_nowhere(run: Run, project: Path) -> None:
    """A version that is not there is misuse."""
    done = run("migration", "path", "job", "1", "9")
    assert done.code == 2
    assert "versions here are 1 to 3" in done.err


def test_a_new_migration(run: Run, ticket: Path) -> None:
    """The file has the op that was guessed, marked so, and check is content with it."""
    assert run("check").code == 1
    done = run("migration", "new", "ticket")
    assert done.code == 0
    path = Path("migrations/ticket/v1_v2.py")
    assert done.out.startswith(f"{path}\n")
    assert 'rename("titel", "title"),  # confirm: a similar name' in path.read_text()
    assert run("check").code == 0


def test_a_migration_that_is_there(run: Run, ticket: Path) -> None:
    """A file that is there is left as it is, and asking for it is misuse."""
    path = ticket / "migrations" / "ticket" / "v1_v2.py"
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    done = run("migration", "new", "ticket")
    assert done.code == 2
    assert "the file is there already" in done.err
    assert path.read_text() == "mine"


def test_a_function_that_is_to_be_written(run: Run, ticket: Path) -> None:
    """check names the line at which a function is missing, until it is written."""
    fields = [{"name": n, **TEXT} for n in ("title", "first", "last")]
    write_schema(ticket / "schemas" / "ticket", 2, fields)
    assert "make_first_and_last" in run("migration", "new", "ticket").out
    path = Path("migrations/ticket/v1_v2.py")
    done = run("check", "--json")
    (finding,) = done.json["findings"]
    number = path.read_text().splitlines().index("        up=todo(make_first_and_last),") + 1
    assert finding["id"] == "migration-file"
    assert finding["where"] == f"{path}:{number}"
    assert finding["what"] == "make_first_and_last is not written yet"


def test_no_op_is_needed(run: Run, ticket: Path) -> None:
    """Where the schemas say it all, so it is told, and nothing is written."""
    fields = [{"name": n, **TEXT} for n in ("titel", "owner")]
    more = {"name": "tags", "type": {"type": "array", "items": "string"}, "default": []}
    write_schema(ticket / "schemas" / "ticket", 2, [*fields, more])
    done = run("migration", "new", "ticket")
    assert done.code == 0
    assert done.out.startswith("ticket 1 -> 2 needs no migration")
    assert "tags is new, with its default" in done.out
    assert not Path("migrations").exists()


def test_a_dry_run(run: Run, ticket: Path) -> None:
    """--dry-run prints the file and writes none; --json says what would be in it."""
    done = run("migration", "new", "ticket", "--dry-run")
    assert 'migration = Migration(\n    "ticket",\n    1,\n    2,\n' in done.out
    found = run("migration", "new", "ticket", "--dry-run", "--json").json
    assert found["written"] is None
    assert found["ops"] == [
        {"path": "", "op": 'rename("titel", "title")', "confirm": "a similar name"}
    ]
    assert found["text"] in done.out
    assert not Path("migrations").exists()


def test_one_version_alone(run: Run, ticket: Path) -> None:
    """Before there is a second version there is nothing to write."""
    (ticket / "schemas" / "ticket" / "v2.avsc").unlink()
    done = run("migration", "new", "ticket")
    assert done.code == 2
    assert "instar new ticket" in done.err


def test_losses_in_a_diff(run: Run, project: Path) -> None:
    """diff says what instar loses in each direction, by field."""
    done = run("diff", "job", "1", "2", "--rules")
    assert "Lost when a state of 1 is read as 2 by instar\n  nothing" in done.out
    assert "  log    dropped  version 1 has no place for it" in done.out
    up, down = run("diff", "job", "1", "2", "--rules", "--json").json["losses"]
    assert (up["from"], up["to"], up["losses"]) == (1, 2, [])
    assert [loss["path"] for loss in down["losses"]] == ["steps", "log"]


def test_losses_in_a_check(run: Run, project: Path) -> None:
    """check tells what the newest step loses, and finds no fault in it."""
    path = project / "migrations" / "job" / "v2_v3.py"
    text = path.read_text().replace("down=join", 'down=None, lossy="name"')
    path.write_text(text)
    schema = project / "schemas" / "job" / "v2.avsc"
    schema.write_text(
        schema.read_text().replace(
            '"string"}, {"name": "steps"', '"string", "default": "nobody"}, {"name": "steps"'
        )
    )
    done = run("check")
    assert done.code == 0
    assert "    2 -> 3 changes name\n    3 -> 2 drops first, last\n" in done.out
    losses = run("check", "--json").json["checked"]["losses"]["job"]
    assert [(way["from"], way["to"]) for way in losses] == [(2, 3), (3, 2)]


def test_a_downgrade_that_cannot_be(run: Run, project: Path) -> None:
    """check and diff tell of a way down that there is not, and go on."""
    path = project / "migrations" / "job" / "v2_v3.py"
    path.write_text(path.read_text().replace("down=join", 'down=None, lossy="name"'))
    done = run("check")
    assert done.code == 0
    assert "job.name has no default" in done.out.replace("\n      ", " ")
    assert "there is no way: " in run("diff", "job", "2", "3", "--rules").out
