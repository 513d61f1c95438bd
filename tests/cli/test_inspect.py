from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.place import Run, blob
from hypothesis import given
from hypothesis import strategies as st

import instar
from instar.cli.inspection import inspect_blob
from instar.cli.partial import partial_spans
from instar.cli.shorten import shorten
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.text_frame import pack_json

WHOLE = pack_binary("avro", 300, 7, b"\x02\x02a")


def test_blob_of_a_file(run: Run, project: Path) -> None:
    """A blob is shown byte by byte, with its schema, its path and its state."""
    (project / "a.blob").write_bytes(blob(project))
    done = run("inspect", "a.blob")
    assert done.code == 0
    assert "c1 49 4e 53" in done.out
    assert "job version 1 of 3, fingerprint" in done.out
    assert "1 -> 2  derived from the two schemas" in done.out
    assert "2 -> 3  migration v2_v3: compute name -> first, last" in done.out
    assert '"first": "Ada"' in done.out


@pytest.mark.parametrize("format_", ["avro", "protobuf", "msgpack", "json", "yaml"])
def test_json_in_every_format(run: Run, project: Path, format_: str) -> None:
    """--json says the same of every format, read from standard input."""
    done = run("inspect", "-", "--json", stdin=blob(project, format=format_))
    seen = done.json
    assert done.code == 0
    assert seen["tag"]["format"] == format_
    assert seen["schema"]["subject"] == "job"
    assert len(seen["schema"]["fingerprint"]) == 16
    assert [(hop["from"], hop["to"]) for hop in seen["path"]] == [(1, 2), (2, 3)]
    assert seen["state"] == {"first": "Ada", "last": "Lovelace", "steps": 7, "log": []}
    assert seen["error"] is None
    assert seen["spans"][-1]["stop"] == seen["size"]


def test_single_object_framing(run: Run, project: Path) -> None:
    """Avro's own framing is known by its wire fingerprint."""
    seen = run("inspect", "-", "--json", stdin=blob(project, framing="avro-single-object")).json
    assert (seen["schema"]["subject"], seen["schema"]["version"]) == ("job", 1)


def test_key_of_a_store(run: Run, project: Path) -> None:
    """A blob can be named by the store and the key that hold it."""
    with instar.open_store("a.db") as store:
        store.put("ada", blob(project), expected=0, write_id="w")
    done = run("inspect", "--store", "a.db", "--key", "ada")
    assert done.code == 0
    assert done.out.startswith("ada: ")


def test_version(run: Run, project: Path) -> None:
    """--version shows the state as a reader of that version sees it, down as well as up."""
    seen = run("inspect", "-", "--version", "2", "--json", stdin=blob(project, 3)).json
    assert seen["state"] == {"name": "Ada Lovelace", "steps": 7, "log": []}
    assert (seen["version"], len(seen["path"])) == (2, 1)


def test_unknown_version(run: Run, project: Path) -> None:
    """A version that is not here is misuse; what the blob is, is told all the same."""
    done = run("inspect", "-", "--version", "9", stdin=blob(project))
    assert done.code == 2
    assert "there is no version 9" in done.err
    assert "job version 1 of 3" in done.out
    seen = run("inspect", "-", "--version", "9", "--json", stdin=blob(project))
    assert (seen.code, seen.json["error"]["error"]) == (2, "NoSuchSubject")


def test_damage_comes_before_an_unknown_version(run: Run, project: Path) -> None:
    """A damaged blob is a finding, whatever version was asked for."""
    assert run("inspect", "-", "--version", "9", stdin=blob(project)[:-1]).code == 1


@pytest.mark.parametrize("options", [[], ["--version", "9"]])
def test_unknown_subject(run: Run, project: Path, options: list[str]) -> None:
    """A blob of a subject that is not here is a finding."""
    foreign = pack_json("nope", 1, 7, b'{"a":1}')
    assert run("inspect", "-", *options, stdin=foreign).code == 1


def test_long_state_is_shortened(run: Run, project: Path) -> None:
    """A long state is cut, and what was cut is said; --full shows all of it."""
    codec = instar.Registry.open().codec("job")
    state = codec.from_builtins(
        {"first": "x" * 500, "last": "", "steps": 1, "log": [f"item {n}" for n in range(99)]}
    )
    long = codec.encode(state)
    done = run("inspect", "-", stdin=long)
    assert "(400 more characters)" in done.out
    assert "(96 more items)" in done.out
    assert "--full" in done.out
    full = run("inspect", "-", "--full", stdin=long).out
    assert json.loads(full.partition("State, as version 3\n")[2]) == codec.to_builtins(state)


def test_outside_of_a_project(run: Run, project: Path, outside: Path) -> None:
    """Without schemas, the tag is still explained, and the schema is said to be unknown."""
    done = run("inspect", "-", stdin=blob(project))
    assert done.code == 0
    assert "unknown (there is no project here): version 1" in done.out
    assert "State" not in done.out


def test_unknown_fingerprint(run: Run, project: Path) -> None:
    """A blob of a schema that the project does not hold is an error that names it."""
    done = run("inspect", "-", stdin=WHOLE)
    assert done.code == 1
    assert "unknown (not in this registry)" in done.out
    assert "0000000000000007 (it claims version 300)" in done.err


@pytest.mark.parametrize(
    ("damaged", "error"),
    [
        (b"", "EmptyBlob"),
        (b"\x00\x01", "Untagged"),
        (WHOLE[:-1], "TruncatedBlob"),
        (WHOLE[:5], "TruncatedBlob"),
        (WHOLE + b"x", "TrailingBytes"),
        (WHOLE[:-1] + b"b", "ChecksumMismatch"),
        (WHOLE[:4] + b"\x09" + WHOLE[5:], "NewerFrame"),
        (WHOLE[:5] + b"\x0f" + WHOLE[6:], "MalformedTag"),
        (b'{"a": 1}', "Untagged"),
        (pack_json("job", 1, 7, b'{"a":1}')[:-1], "TruncatedBlob"),
        (pack_json("nope", 1, 7, b'{"a":1}'), "NoSuchSubject"),
        (pack_json("job", 9, 7, b'{"a":1}'), "NewerVersion"),
    ],
)
def test_damage(run: Run, project: Path, damaged: bytes, error: str) -> None:
    """A damaged or unknown blob is explained as far as it goes, and the error says the rest."""
    done = run("inspect", "-", "--json", stdin=damaged)
    assert done.code == 1
    assert done.json["error"]["error"] == error
    spans = done.json["spans"]
    assert (spans[-1]["stop"] if spans else 0) == len(damaged)
    told = run("inspect", "-", stdin=damaged)
    assert told.code == 1
    assert told.err.startswith("error: ")


def test_damaged_blob_still_tells_its_schema(run: Run, project: Path) -> None:
    """The fingerprint of a cut blob is looked up, and marked as a claim."""
    done = run("inspect", "-", stdin=blob(project)[:-1])
    assert "the blob is damaged; its tag says job version 1" in done.out


def test_control_characters_are_escaped(run: Run, project: Path) -> None:
    """Stored text cannot steer the terminal."""
    codec = instar.Registry.open().codec("job")
    state = codec.from_builtins({"first": "\x1b[2J\x9b", "last": "", "steps": 1})
    done = run("inspect", "-", stdin=codec.encode(state))
    assert "\x1b" not in done.out
    assert "\x9b" not in done.out


@pytest.mark.parametrize(
    "args",
    [
        *([], ["--store", "a.db"], ["--key", "ada"]),
        ["a.blob", "--store", "a.db", "--key", "ada"],
    ],
)
def test_one_blob_at_a_time(run: Run, project: Path, args: list[str]) -> None:
    """Neither or both of a file and a store key is misuse."""
    done = run("inspect", *args)
    assert done.code == 2
    assert "name a FILE, or give --store URL and --key KEY" in done.err


def test_broken_project_is_a_warning(run: Run, project: Path) -> None:
    """Schemas that do not open are warned of, and the tag is explained all the same."""
    whole = blob(project)
    (project / "schemas" / "job" / "v1.avsc").write_text("{")
    done = run("inspect", "-", stdin=whole)
    assert done.code == 1
    assert done.err.startswith("warning: ")
    assert "c1 49 4e 53" in done.out


@given(data=st.binary(max_size=60) | st.binary(max_size=60).map(lambda tail: WHOLE[:7] + tail))
def test_any_bytes(data: bytes) -> None:
    """Whatever the bytes, they are explained from the first to the last, or there is an error."""
    seen = inspect_blob("x", data, None)
    assert b"".join(span.raw for span in seen.spans) == data
    assert (seen.tag is None) == (seen.error is not None)


@given(stop=st.integers(0, len(WHOLE)))
def test_cut_binary_tag(stop: int) -> None:
    """A cut binary tag is told field by field up to the cut."""
    spans = partial_spans(WHOLE[:stop])
    assert b"".join(span.raw for span in spans) == WHOLE[:stop]
    told = {span.field: span.meaning for span in spans}
    if stop >= 17:
        assert (told["version"], told["fingerprint"]) == ("300", "0000000000000007")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(value=json_values)
def test_short_values_are_whole(value: instar.JsonValue) -> None:
    """What is shortened never grows in lines, and a value without long parts stays as it is."""
    before = json.dumps(value, indent=1).count("\n")
    shown = shorten(value)
    assert json.dumps(shown, indent=1).count("\n") <= before
    if not isinstance(value, list | dict | str):
        assert shown == value
