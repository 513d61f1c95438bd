from __future__ import annotations

import json

import pytest
from avro_documents import documents
from hypothesis import given
from hypothesis import strategies as st

from instar.errors import SchemaSyntaxError
from instar.schemas.avro import parse_avro
from instar.schemas.model import Schema


def parse(text: str, *, lenient: bool) -> Schema:
    return parse_avro(text, subject="s", version=1, where="s.avsc", lenient=lenient)


LAX = {
    "a line comment": (
        '{"type": "record",\n// a, "b"\n"name": "T", "fields": []}',
        "2:1",
        "comment",
    ),
    "a comment at the end": (
        '{"type": "record", "name": "T", "fields": []}\n// end',
        "2:1",
        "comment",
    ),
    "a block comment": (
        '/* a\n// b */{"type": "record", "name": "T", "fields": []}',
        "1:1",
        "comment",
    ),
    "a comma in an object": (
        '{"type": "record", "name": "T",\n"fields": []\n,\n\n}',
        "3:1",
        "comma",
    ),
    "a comma in an array": (
        '{"type": "record", "name": "T", "fields": [\n{"name": "a", "type": "int"} ,\n\n]}',
        "2:30",
        "comma",
    ),
}


@pytest.mark.parametrize(("text", "place", "word"), LAX.values(), ids=LAX)
def test_comments_and_trailing_commas_pass_only_leniently(text: str, place: str, word: str) -> None:
    """What other tools let pass is refused at its place, and read where that is asked for."""
    with pytest.raises(SchemaSyntaxError, match=word) as caught:
        parse(text, lenient=False)
    assert caught.value.where == f"s.avsc:{place}"
    assert "lenient = true" in caught.value.mend
    assert parse(text, lenient=True).root == "T"


def test_text_in_strings_is_never_touched() -> None:
    """What looks like a comment or a trailing comma in a string stays there."""
    doc = 'a // b /* c */ ,] ,} \\" // \\\\'
    document = {"type": "record", "name": "T", "doc": doc, "fields": []}
    assert parse(json.dumps(document), lenient=True).record.doc == doc


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"type": "record",\n,"name": "T", "fields": []}', "2:1"),
        ('{"type": "record", /* never ends\n"name": "T"}', "1:20"),
        ('// one\n{"type": "record", "name": "T", "fields": [],,}', "2:47"),
    ],
)
def test_other_faults_are_faults_leniently_too(text: str, place: str) -> None:
    """Leniency is for comments and trailing commas; other faults keep their place."""
    with pytest.raises(SchemaSyntaxError, match="not JSON") as caught:
        parse(text, lenient=True)
    assert caught.value.where == f"s.avsc:{place}"


@given(documents(), st.integers(0, 4))
def test_a_sound_schema_is_the_same_leniently(document: object, indent: int) -> None:
    """Leniency changes nothing in what needs none."""
    text = json.dumps(document, indent=indent or None)
    assert parse(text, lenient=True) == parse(text, lenient=False)
