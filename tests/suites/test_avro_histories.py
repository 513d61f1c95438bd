"""Every .avsc of the real histories is read or refused as Avro's own parsers do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from material import material
from suites.generated_code import Packages, check_imported, check_typed, write_packages

from instar.errors import SchemaError, SchemaSyntaxError
from instar.schemas.avro import read_avro
from instar.schemas.fingerprint import fingerprint
from instar.schemas.model import Schema
from instar.schemas.portable import schema_from_text, schema_to_text

# A union's default that fits another branch than the first: allowed since Avro 1.12.
NEWER_RULE = {"radar-altoida-summary v10"}
COMMENTED = {f"hudi-commit-metadata v{version}" for version in (10, 11, 12, 13)}


def versions() -> Iterator[tuple[str, int, Path, dict[str, str]]]:
    """Family, version, file and what three parsers say, of every version."""
    for meta in sorted(material("histories").glob("*/META.json")):
        family: Any = json.loads(meta.read_text(encoding="utf-8"))
        for known in family["versions"] if family["format"] == "avro" else ():
            number = known["v"]
            inlined = meta.parent / f"v{number}.inlined.avsc"
            path = inlined if inlined.exists() else meta.parent / f"v{number}.avsc"
            yield family["family"], number, path, known["parsers"]


def read(path: Path, subject: str, version: int) -> Schema | None:
    """The schema, comments allowed; none where it is refused."""
    try:
        return read_avro(path, subject.replace("-", "_"), version, lenient=True)
    except SchemaError:
        return None


def test_versions_are_read_where_every_parser_reads_them() -> None:
    """What three parsers of Avro take is read, and what one of them refuses is refused."""
    read_count, refused, differing = 0, 0, set[str]()
    for family, number, path, parsers in versions():
        schema = read(path, family, number)
        if (schema is not None) != all(said == "ok" for said in parsers.values()):
            differing.add(f"{family} v{number}")
        if schema is None:
            refused += 1
            continue
        read_count += 1
        again = schema_from_text(schema_to_text(schema))
        assert (again, fingerprint(again)) == (schema, fingerprint(schema))
    print(f"avro histories: {read_count} read, {refused} refused, {len(differing)} by a newer rule")  # noqa: T201 - a suite shows its count
    assert (read_count, refused) == (112, 5)
    assert differing == NEWER_RULE


def test_comments_need_the_lenient_setting() -> None:
    """By default a version with comments is refused, and named."""
    found: set[str] = set()
    for family, number, path, _ in versions():
        try:
            read_avro(path, "history", number)
        except SchemaSyntaxError as error:
            if "comment" in error.what:
                found.add(f"{family} v{number}")
    assert found == COMMENTED


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """The package of the first and of the last version that is read of each family."""
    families: dict[str, list[Schema]] = {}
    for family, number, path, _ in versions():
        schema = read(path, f"{family}_{number}", 1)
        if schema is not None:
            families.setdefault(family, []).append(schema)
    ends = [schema for line in families.values() for schema in (line[0], line[-1])]
    return write_packages(ends, tmp_path_factory.mktemp("generated"))


def test_generated_modules_are_imported(generated: Packages) -> None:
    """The code of the first and last version of each family imports, and is its schema's."""
    check_imported(generated)


def test_generated_modules_are_typed(generated: Packages) -> None:
    """The same code passes mypy, strict."""
    check_typed(generated)
