from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from infer.json_documents import values

from instar.errors import DocumentError
from instar.schemas.infer import Document, read_documents
from instar.schemas.infer.strict_json import parse


def write(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_object_array_and_lines(tmp_path: Path) -> None:
    """A file is one document, an array of them, or one on each line that is not blank."""
    paths = [
        write(tmp_path, "one.json", '{"a": 1}'),
        write(tmp_path, "two.json", '[{"a": 2}, {"a": 3}]'),
        write(tmp_path, "run.traj", '\ufeff{"a": 4}'),
        write(tmp_path, "log.jsonl", '{"a": 5}\n\n  \n{"a": 6}\n'),
    ]
    documents = list(read_documents(paths))
    assert [document.value for document in documents] == [{"a": n} for n in range(1, 7)]
    assert [document.key for document in documents] == [
        "one",
        "two#1",
        "two#2",
        "run",
        "log#1",
        "log#4",
    ]


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ('{"a": 1,\n5}', "is not JSON", 2),
        ("", "is not JSON", 1),
        ('{"a": 1}\n{"a": 2}', "Extra data", 2),
        ('{"NaN": "NaN",\n"a":\nNaN}', "NaN is no JSON number", 3),
        ('{"b": "-Infinity",\n"a": -Infinity}', "-Infinity is no JSON number", 2),
        ('{"b": 1,\n"a": 1e999}', "beyond what a double holds", 2),
        ('{"b": 1,\n"a": ' + "9" * 5000 + "}", "5000 digits", 2),
        ('{"a": {"b": 1},\n"c": {"b": 2},\n"a": 3}', "the key 'a' occurs twice", 3),
        ('{"x": [{"\\u0061": 1,\n"a": 2}]}', "the key 'a' occurs twice", 2),
        ('{"ok": "\\ud83d\\ude00",\n"a": "\\ud83d"}', "half a surrogate pair", 2),
        ('{"a": "]]]",\n"b": ' + "[" * 100 + "]" * 100 + "}", "nested deeper than 100", 2),
        ("[" * 100_000, "nested deeper than 100", 1),
    ],
)
def test_what_is_not_strict_json(tmp_path: Path, text: str, reason: str, line: int) -> None:
    """Whatever would be lost or guessed is refused, with file and line."""
    path = write(tmp_path, "bad.json", text)
    with pytest.raises(DocumentError, match=reason) as caught:
        list(read_documents([path]))
    assert caught.value.where == f"{path}:{line}"


def test_line_of_a_bad_line(tmp_path: Path) -> None:
    """In a file of lines the error names the line of the file."""
    path = write(tmp_path, "bad.jsonl", b'{"a": 1}\n\n{"a": \xff}\n')
    with pytest.raises(DocumentError, match="is not UTF-8") as caught:
        list(read_documents([path]))
    assert caught.value.where == f"{path}:3"


def test_lines_in_a_json_file(tmp_path: Path) -> None:
    """Lines in a file that is not named for it are refused with the way to mend it."""
    path = write(tmp_path, "log.json", '{"a": 1}\n{"a": 2}\n')
    with pytest.raises(DocumentError, match=r"\.jsonl"):
        list(read_documents([path]))


def test_errors_can_be_collected(tmp_path: Path) -> None:
    """With a place for errors, one bad line or file stops no other document."""
    paths = [
        write(tmp_path, "log.jsonl", '{"a": 1}\n{\n{"a": 2}\n'),
        tmp_path / "missing.json",
        write(tmp_path, "bad.json", "{"),
        write(tmp_path, "good.json", '{"a": 3}'),
    ]
    errors: list[DocumentError] = []
    documents = list(read_documents(paths, on_error=errors.append))
    assert [document.value for document in documents] == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert [error.where for error in errors] == [
        f"{paths[0]}:2",
        str(paths[1]),
        f"{paths[2]}:1",
    ]


def test_missing_file(tmp_path: Path) -> None:
    """A file that cannot be read is an error that names it."""
    with pytest.raises(DocumentError, match="cannot be read"):
        list(read_documents([tmp_path / "missing.json"]))


def test_document_that_is_no_object() -> None:
    """A document that is no object says so, and how to mend it."""
    with pytest.raises(DocumentError, match=r"log\.jsonl#3: .* an array; wrap it"):
        Document("log.jsonl", [1], 3).members()


@given(values(), st.booleans())
def test_strict_json_reads_what_json_writes(value: Any, ascii_only: bool) -> None:
    """Every JSON value that is written is read back the same."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    found = parse(text.encode(), "sample")
    assert json.dumps(found, ensure_ascii=ascii_only) == text


@given(st.binary(max_size=40) | st.text('{}[]":,\\ud8 1eN-.a\n', max_size=30).map(str.encode))
def test_any_bytes_are_json_or_an_error(data: bytes) -> None:
    """Whatever the bytes, the parser returns a value or raises DocumentError."""
    try:
        parse(data, "sample")
    except DocumentError as error:
        assert error.where.startswith("sample:")  # noqa: PT017  # both outcomes are right
