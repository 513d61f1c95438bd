"""Schemas that were really committed, faults and all, where they lie beside the checkout."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from material import material
from suites.avro_cases import Tally, cases

from instar.errors import SchemaSyntaxError
from instar.schemas.avro import avsc_text, own_findings, parse_avro, read_avro

SUITE = ("avsc-dirty", "handout")
LATER_BRANCH = ("017", "023", "024", "044")
"""Their parsers disagree over a default of a later branch: we read it, and may not release it."""
NOT_A_NUMBER = ("051", "058")
"""Their parsers disagree over the default "NaN" of a double: we read it."""
BAD_DEFAULT = (
    *("014", "019", "033", "034", "046", "047", "055", "068", "069", "070"),
    *("072", "073", "074", "076"),
)
"""Their parsers disagree over a default that fits no type of the field: we refuse it."""
NO_NAME = ("057",)
"""One parser lets a record without a name pass: we refuse it."""
FAULTY_ANYWAY = ("001", "012", "018", "020", "027", "035", "040", "042", "043", "045", "056")
"""No JSON, and refused in the lenient way too: more is wrong with them than commas."""


def outcome(path: Path, *, lenient: bool) -> str:
    """What the reader makes of a file: read, or the reason why not."""
    try:
        schema = read_avro(path, "dirty", 1, lenient=lenient)
    except SchemaSyntaxError as error:
        return (
            error.what
            if re.fullmatch(rf"{re.escape(str(path))}:\d+:\d+", error.where)
            else "misplaced"
        )
    assert parse_avro(avsc_text(schema), subject="dirty", version=1, where="written") == schema
    return "read"


def is_read(case: dict[str, Any]) -> bool:
    """Whether a schema of sound JSON is one to read: as all parsers say, or as we decided."""
    verdicts = {found == "ok" for found in case["parsers"].values()}
    if len(verdicts) == 1:
        return verdicts == {True}
    stem = case["file"].removesuffix(".avsc")
    assert stem in {*LATER_BRANCH, *NOT_A_NUMBER, *BAD_DEFAULT, *NO_NAME, "028"}
    return stem in {*LATER_BRANCH, *NOT_A_NUMBER}


def test_schemas_of_the_wild_strictly() -> None:
    """What is no JSON is refused with its place; a schema is read where Avro allows it."""
    tally = Tally("avsc-dirty, default")
    for case in cases(*SUITE, "manifest.jsonl"):
        found = outcome(material("suites", *SUITE, case["file"]), lenient=False)
        assert found != "misplaced"
        wanted = case["strict_json"] and is_read(case)
        tally.check(case["file"], found == "read", wanted)
    tally.report()


def test_schemas_of_the_wild_leniently() -> None:
    """Comments and trailing commas pass where the reader is told so, and nothing else does."""
    tally = Tally("avsc-dirty, lenient")
    for case in cases(*SUITE, "manifest.jsonl"):
        found = outcome(material("suites", *SUITE, case["file"]), lenient=True)
        if case["cls"] == "invalid-json":
            wanted = case["file"].removesuffix(".avsc") not in FAULTY_ANYWAY
        else:
            wanted = is_read(case)
        tally.check(case["file"], found == "read", wanted)
    tally.report()


def test_defaults_of_later_branches_may_not_be_released() -> None:
    """The schemas whose union default is of a later branch are findings of our own rules."""
    for stem in LATER_BRANCH:
        findings = own_findings(material("suites", *SUITE, f"{stem}.avsc"))
        assert findings
        assert all("first branch" in finding.what for finding in findings)
