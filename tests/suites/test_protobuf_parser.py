"""Snippets from protoc's own tests, and broken files of other projects: read as protoc does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from material import material
from suites.protobuf_cases import Tally, lines

from instar.codec.types import build_types
from instar.errors import SchemaError, SchemaSyntaxError
from instar.schemas.protobuf import compile_proto, read_proto

DOES_NOT_LINK = "the snippet is for the parser alone; protoc's linker refuses it"
# The suite is of another commit than grpcio-tools, whose protoc finds these while linking.
OTHER_PROTOC = dict.fromkeys(
    ("parser-unittest.handout:81", "parser-unittest.handout:82"),
    "other words: Reserved range end number must be greater than start number.",
)


def refusal(path: Path, expected: str) -> str | None:
    """What is wrong with how the file is refused; ``expected`` counts lines from 0."""
    place, _, reason = expected.partition(": ")
    line, column = (int(part) + 1 for part in place.split(":"))
    try:
        compile_proto(path)
    except SchemaSyntaxError as error:
        if error.what != reason:
            return f"other words: {error.what}"
        return None if error.where == f"{path}:{line}:{column}" else f"other place: {error.where}"
    return "accepted"


def reading(path: Path, expected: str) -> str | None:
    """What is wrong with how the file is read: its descriptor, or a message of it as root."""
    found = next(file for file in compile_proto(path).file if file.name == path.name)
    wanted = text_format.Parse(expected, FileDescriptorProto())
    for message in found.message_type:
        name = f"{found.package}.{message.name}".removeprefix(".")
        build_types(read_proto(path, "case", 1, root=name))
    return None if plain(found) == plain(wanted) else "another descriptor"


def plain(file: Any) -> Any:
    """A descriptor less what linking adds to it."""
    file.ClearField("source_code_info")
    file.ClearField("name")
    if file.syntax == "proto2":
        file.ClearField("syntax")
    for message in file.message_type:
        _plain_message(message)
    _plain_fields(file.extension)
    return file


def _plain_message(message: Any) -> None:
    # The parser leaves options as they are written.
    message.ClearField("options")
    _plain_fields(message.field)
    _plain_fields(message.extension)
    for nested in message.nested_type:
        _plain_message(nested)


def _plain_fields(fields: Any) -> None:
    for field in fields:
        field.ClearField("json_name")
        if field.type_name:
            # The parser alone cannot know what a name stands for.
            field.type_name = field.type_name.rpartition(".")[2]
            field.ClearField("type")


def test_snippets_of_protoc(tmp_path: Path) -> None:
    """What protoc reads is read, with every message; what it refuses is refused in its words."""
    tally = Tally("protobuf-parser")
    for name, case in lines(material("suites", "protobuf-parser", "parser-unittest.handout.jsonl")):
        path = tmp_path / "foo.proto"
        path.write_text(case["proto"], encoding="utf-8")
        if case["kind"] != "parses":
            tally.check(name, refusal(path, case["messages"].splitlines()[0]))
            continue
        try:
            tally.check(name, reading(path, case["file_descriptor_textproto"]))
        except SchemaSyntaxError:
            tally.pass_over(DOES_NOT_LINK)
    tally.report()
    assert tally.failed == OTHER_PROTOC
    assert tally.passed


def test_broken_files_of_other_projects() -> None:
    """Broken files are refused with protoc's own place and reason, alone and as a folder."""
    tally = Tally("proto-invalid")
    for expected in sorted(material("suites", "proto-invalid", "handout").glob("*/expected.json")):
        case = json.loads(expected.read_text(encoding="utf-8"))
        with pytest.raises(SchemaError) as caught:
            compile_proto(expected.parent)
        place, reason = split(case["protoc_error"])
        found = (caught.value.where, caught.value.what)
        wanted = (f"{expected.parent / place}", reason)
        tally.check(expected.parent.name, None if found == wanted else f"{found} != {wanted}")
    tally.report()
    assert tally.failed == {}, str(tally.failed)
    assert tally.passed


def split(report: str) -> tuple[str, str]:
    """The place and the reason of a line of protoc's."""
    place, _, reason = report.partition(": ")
    return place, reason
