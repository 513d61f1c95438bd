"""Whatever a call of the Python API is given, it is one of instar's errors that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import instar
from instar.errors import BlobError, ConfigError, InstarError, ValueMismatch
from instar.schemas.model import Field, Primitive, Record, Schema

RECORD = Record("Crew", (Field("name", Primitive("string")),))
SCHEMA = Schema("crew", 1, "avro", "Crew", {"Crew": RECORD})

# As a type checker would not let it; a line is a call that has to raise.
MISUSED = [
    "Registry.open(1)",
    "Registry.open([])",
    'Registry.open("x", 1)',
    "Registry.open(subjects=1)",
    'Registry.open(subjects="crew")',
    "Registry.open(subjects=[1])",
    "Registry.collect(1)",
    "Registry.of(None)",
    "Registry.of([1])",
    "Registry.of([], None)",
    "Registry.of([], [1])",
    'Registry.of([codec.line.schema(1)], classes="x")',
    'Registry.of([codec.line.schema(1)], classes={"crew": 1})',
    'Registry.of([codec.line.schema(1)], classes={"crew": {1: None}})',
    'Registry.of([codec.line.schema(1)], classes={"crew": {1: {"Crew": 1}}})',
    "registry.extended(None)",
    "registry.subject([])",
    "registry.subject(None)",
    "registry.codec([])",
    'registry.codec("crew", version=[])',
    'registry.codec("crew", version="1")',
    'registry.codec("crew", version=True)',
    'registry.codec("crew", version=9)',
    'registry.codec("crew", write_version=[])',
    'registry.codec("crew", write_version="1")',
    'registry.codec("crew", limits=None)',
    'registry.codec("crew", limits=5)',
    'registry.codec("crew", format=None)',
    'registry.codec("crew", format=[])',
    'registry.codec("crew", framing={})',
    'registry.codec("crew", compress=None)',
    "codec.replace(write_version=[])",
    "codec.replace(limits=1)",
    "codec.replace(format=[])",
    "codec.decode(blob, version=[])",
    'codec.decode(blob, version="1")',
    "codec.decode(blob, version=7)",
    "codec.decode(blob, legacy=[])",
    "codec.decode(blob, legacy=4)",
    "codec.decode(None)",
    'codec.decode("text")',
    "codec.encode(None)",
    "codec.encode([])",
    "codec.view(None)",
    "codec.project(None)",
    "codec.project(blob, None)",
    "codec.project(blob, [])",
    "codec.project(blob, 1)",
    "codec.peek(None)",
    "codec.extended(None, None)",
    "codec.extended([], None)",
    "codec.extended([1], [])",
    "codec.writer_version(None)",
    "codec.writer_version(blob)",
    "codec.schema_types([])",
    "codec.schema_types(9)",
    "codec.from_builtins(None)",
    "codec.from_builtins([])",
    "codec.from_builtins({1: 2})",
    "codec.to_builtins(None)",
    "codec.to_builtins([])",
    "codec.from_protojson(None)",
    'codec.from_protojson("{}", legacy=[])',
    "codec.to_protojson(None)",
    "codec.line.schema([])",
    "codec.line.types([])",
    "codec.line.fingerprint([])",
    "codec.line.wire_fingerprint(None)",
    "codec.line.plan([], 1)",
    "codec.line.plan(1, 9)",
    "codec.line.extended(None)",
    "Limits(depth=None)",
    'Limits(depth="1")',
    "read_tag(None)",
    'read_tag("x")',
    "read_residue(5)",
    "read_residue(None)",
    "strip_residue([])",
    "open_store(None)",
    "open_store(1)",
    'Repository(None, "memory:")',
    "Repository(codec, None)",
    'Repository(type(codec), "memory:")',
    'Repository(codec, "memory:", write_back=[])',
    "states.load(None)",
    "states.load([])",
    "states.get(1)",
    'states.save("k", state, expected=None)',
    'states.save("k", state, expected="1")',
    'states.save("k", None, expected=1)',
    "states.save(None, state, expected=0)",
    "states.create([], state)",
    'states.create("n", 5)',
    'states.update("k", None)',
    'states.update("k", lambda x: 5)',
    'states.update("k", lambda x: x, attempts=None)',
    'states.update("k", lambda x: x, attempts=0)',
    "states.update(None, lambda x: x)",
    "states.edit([]).__enter__()",
    'states.delete("k", expected=None)',
    "states.delete(None, expected=1)",
    "list(states.keys(1))",
    "list(states.keys(None))",
    "list(states.scan(1))",
    "states.scan(errors=1)",
    "list(states.scan([], errors=[]))",
    "states.census(1)",
    "states.census([])",
    "states.rewrite(1)",
    "states.prune(keep=None)",
    "states.prune(keep=1, prefix=1)",
    "states.prune(keep=1, separator=None)",
    "states.prune(keep=1, on_group=1)",
]


def names() -> dict[str, Any]:
    """What the lines name: one subject, one state of it, and a store that holds that."""
    registry = instar.Registry.of([SCHEMA])
    codec = registry.codec("crew")
    state = codec.from_builtins({"name": "Ada"})
    states = instar.Repository(codec, "memory:")
    states.create("k", state)
    made = {
        "registry": registry,
        "codec": codec,
        "state": state,
        "blob": codec.encode(state),
        "states": states,
    }
    return {**{name: getattr(instar, name) for name in instar.__all__}, **made}


@pytest.mark.parametrize("call", MISUSED)
def test_misuse_is_an_error_of_ours(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call raises an InstarError, and leaves what is stored as it was."""
    monkeypatch.chdir(tmp_path)
    given = names()
    with pytest.raises(InstarError):
        eval(call, given)  # noqa: S307 - the lines above
    assert given["states"].load_entry("k").blob == given["blob"]
    assert [*given["states"].keys()] == ["k"]


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        ("Registry.open(1)", ConfigError, "schemas is 1, of the type int; give the path"),
        ('Registry.open(subjects="crew")', ConfigError, "give a list of names"),
        ("Registry.of(None)", ConfigError, "schemas is None, of the type NoneType; give a list"),
        ('registry.codec("crew", version=[])', ConfigError, "version is [], of the type list"),
        ('registry.codec("crew", limits=None)', ConfigError, "give instar.Limits(...)"),
        ("codec.decode(blob, version=[])", ConfigError, "give the number of a version"),
        ("codec.decode(None)", BlobError, "this is NoneType"),
        ('states.update("k", None)', ConfigError, "give a function of the state"),
        ("states.scan(errors=1)", ConfigError, "errors is 1, of the type int; give a list"),
        ("read_residue(5)", ValueMismatch, "expected a record, as a codec decodes it, found int 5"),
    ],
)
def test_what_was_given_and_what_is_wanted(call: str, kind: type[InstarError], text: str) -> None:
    """The class fits, and the message has the argument, its value, and what to give."""
    with pytest.raises(kind, match=re.escape(text)):
        eval(call, names())  # noqa: S307 - the lines above
