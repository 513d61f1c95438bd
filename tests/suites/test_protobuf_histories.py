"""Every .proto of the real histories is read, and gives code that can be imported."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from suites.generated_code import Packages, check_imported, check_typed, write_packages
from suites.protobuf_cases import FAMILIES, Families, Tally, compile_once, compiled, families

from instar.errors import InstarError
from instar.schemas.avro import avsc_text, parse_avro
from instar.schemas.fingerprint import fingerprint, wire_fingerprint
from instar.schemas.model import Schema
from instar.schemas.portable import schema_from_text, schema_to_text
from instar.schemas.protobuf import read_proto
from instar.schemas.protobuf.files import Definitions

__all__ = ["compile_once", "families"]


def messages(path: Path) -> list[str]:
    """The messages of a file that no other one uses, by full name; with them, all are read."""
    found: dict[str, set[str]] = {}
    for file in compiled(path).file:
        for message in file.message_type:
            found[f"{file.package}.{message.name}".removeprefix(".")] = used_by(message)
    used = {name for outer, names in found.items() for name in names if name != outer}
    return [name for name in found if name not in used and not name.startswith("google.")]


def used_by(message: Any) -> set[str]:
    names = {field.type_name.removeprefix(".") for field in message.field}
    return names.union(*(used_by(nested) for nested in message.nested_type))


def problem(path: Path) -> str | None:
    """What is wrong with a version: each message is read, the widest has whole written forms."""
    try:
        schema = widest(path, "case")
        again = schema_from_text(schema_to_text(schema))
        written = parse_avro(avsc_text(schema), subject="case", version=1, where="written")
    except InstarError as error:
        return str(error)
    if again != schema or fingerprint(again) != fingerprint(schema):
        return "it does not come back from its text"
    return None if wire_fingerprint(written) == wire_fingerprint(schema) else "other Avro"


def test_every_version_of_every_family_is_read(families: Families) -> None:
    """Each version loads, with each of its messages as root; protoc calls none invalid."""
    tally = Tally("protobuf histories, version by version")
    with ThreadPoolExecutor(2) as pool:  # Each compilation waits for a process of its own.
        for each in families.versions():
            pool.submit(compiled, families.path(*each))
    for family, version in families.versions():
        tally.check(f"{family} v{version}", problem(families.path(family, version)))
    tally.report()
    assert tally.failed == {}, str(tally.failed)
    assert tally.passed == 189


def widest(path: Path, subject: str) -> Schema:
    """The schema whose root is the message of the file that uses most types."""
    # Each root would have the same definitions looked up again.
    definitions = Definitions(compiled(path), {path.name: str(path)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("instar.schemas.protobuf.reader.Definitions", lambda *_: definitions)
        found = [read_proto(path, subject, 1, root=root) for root in messages(path)]
    return max(found, key=lambda schema: len(schema.types))


@pytest.fixture(scope="module")
def generated(families: Families, tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """The package of the first and of the last version of each family."""
    numbers = list(families.versions())
    schemas: list[Schema] = []
    for family in FAMILIES:
        own = [version for name, version in numbers if name == family]
        for version in (own[0], own[-1]):
            subject = f"{family}_{version}".replace("-", "_")
            schemas.append(widest(families.path(family, version), subject))
    return write_packages(schemas, tmp_path_factory.mktemp("generated"))


def test_generated_modules_are_imported(generated: Packages) -> None:
    """The code of the first and last version of each family imports, and is its schema's."""
    check_imported(generated)


def test_generated_modules_are_typed(generated: Packages) -> None:
    """The same code passes mypy, strict."""
    check_typed(generated)
