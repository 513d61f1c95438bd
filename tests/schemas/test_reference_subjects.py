from __future__ import annotations

import pytest
from material import ROOT

from instar.schemas.avro import avsc_text
from instar.schemas.fingerprint import fingerprint
from instar.schemas.folder import load_subjects
from instar.schemas.model import Enum, Record, Schema
from instar.schemas.portable import schema_from_text, schema_to_text


@pytest.fixture(scope="module")
def subjects() -> dict[str, tuple[Schema, ...]]:
    return load_subjects(ROOT / "schemas")


def numbers(schema: Schema) -> dict[str, int | None]:
    return {field.name: field.number for field in schema.record.fields}


def test_the_reference_subjects_load(subjects: dict[str, tuple[Schema, ...]]) -> None:
    """The subjects that come with the project load, each from its first version on."""
    assert {name: len(versions) for name, versions in subjects.items()} == {
        "agent_command": 2,
        "agent_state": 3,
    }


def test_everything_in_them_is_documented(subjects: dict[str, tuple[Schema, ...]]) -> None:
    """Each type and field of the reference subjects says what it is for."""
    for schema in (schema for versions in subjects.values() for schema in versions):
        for named in schema.types.values():
            assert named.doc, named.name
            parts = named.fields if isinstance(named, Record) else ()
            assert [part.name for part in parts if not part.doc] == []


def test_their_versions_differ_and_travel(subjects: dict[str, tuple[Schema, ...]]) -> None:
    """Each version has a fingerprint of its own, comes back from text and is written as Avro."""
    schemas = [schema for versions in subjects.values() for schema in versions]
    assert len({fingerprint(schema) for schema in schemas}) == len(schemas)
    for schema in schemas:
        assert schema_from_text(schema_to_text(schema)) == schema
        assert avsc_text(schema)


def test_agent_state_keeps_its_numbers(subjects: dict[str, tuple[Schema, ...]]) -> None:
    """A rename keeps its number, and what was removed leaves a hole."""
    first, second, third = (numbers(schema) for schema in subjects["agent_state"])
    assert second["messages"] == first["msgs"]
    assert first["scratchpad"] not in second.values()
    assert first["model"] not in third.values()
    assert third["tags"] == second["tags"]


def test_agent_state_symbols_are_inserted_without_moving(
    subjects: dict[str, tuple[Schema, ...]],
) -> None:
    """A symbol that is inserted between others leaves their numbers alone."""
    first, second, _ = (schema.types["instar.agent.Status"] for schema in subjects["agent_state"])
    assert isinstance(first, Enum)
    assert isinstance(second, Enum)
    before = {symbol.name: symbol.number for symbol in first.symbols}
    after = {symbol.name: symbol.number for symbol in second.symbols}
    assert before.items() <= after.items()
    assert len(set(after.values())) == len(after)
