"""The recorded cases of fastavro's own tests, where they lie beside the checkout."""

from __future__ import annotations

import io
import json
from typing import Any

import fastavro
from fastavro import schema as avro
from suites.avro_cases import Case, Tally, bare_payload, cases, untag, wrapped

from instar.errors import InstarError, MigrationMismatch, SchemaSyntaxError, ValueMismatch
from instar.schemas.avro import to_avro

UUID = {"type": "string", "logicalType": "uuid"}
VECTORS = "fastavro-vectors"


def opened(tally: Tally, node: Any) -> Case | None:
    """The case of a type, or None and a reason in the tally."""
    try:
        return Case(node)
    except SchemaSyntaxError as error:
        reason = error.what.rpartition("' ")[2].rpartition("'")[2].strip()
        tally.inapplicable[f"schemas that Avro does not allow: {reason}"] += 1
        return None


def test_decoding() -> None:
    """A payload is decoded to the value that fastavro gives."""
    tally = Tally("fastavro-vectors, decode")
    for index, case in enumerate(cases(VECTORS, "decode-and-resolve.handout.jsonl")):
        if case.get("opts"):
            tally.inapplicable[OPTION] += 1
            continue
        writer = opened(tally, case["writer"])
        if writer is None:
            continue
        target = Case(case["reader"]) if "reader" in case else None
        try:
            found: Any = writer.decode(untag(case["data"]), target)
        except ValueMismatch as error:
            found = error
        id_ = f"line {index + 1}"
        if "raises" in case:
            tally.check(id_, isinstance(found, ValueMismatch), True)
        elif not _beyond(tally, found):
            tally.check(id_, found, untag(case["returns"]))
    tally.report({OPTION: 2, PRECISION: 132, NAME: 4})


OPTION = "ask for an option of fastavro"
NAME = "schemas that Avro does not allow: is no Avro name"
ALIAS = "schemas that Avro does not allow: is not a list"
HYPHENS = "give a UUID without hyphens, which we write with them"
PASSED_OVER = "are decimals that the specification asks to pass over"
CONTAINER = "are about the container alone"
RENAMED = "rename a record in its place, which we read as the same one"
MIGRATION = "need a migration for the step, though not for this value"
ROUNDED = "round a whole number to a float, which we refuse"
PRECISION = "hold a decimal beyond its precision, which we refuse"
DATETIME = "give a datetime for a date, which we refuse"
ISO_DATE = "give text for a date, which we refuse"
ZONE = "give a zone for a local timestamp, which we refuse"
LAX: tuple[tuple[str, str], ...] = (
    ("expected a float, found int", ROUNDED),
    ("a whole number that a float of 32 bits holds exactly", ROUNDED),
    ("digits", PRECISION),
    ("expected a date, found datetime", DATETIME),
    ("can only concatenate", ISO_DATE),
    ("without a time zone", ZONE),
)


def _beyond(tally: Tally, found: object) -> bool:
    """Whether the value is one that fastavro takes, or rounds, and we refuse on purpose."""
    what = found.what if isinstance(found, ValueMismatch) else ""
    reason = next((reason for part, reason in LAX if part in what), None)
    if reason is not None:
        tally.inapplicable[reason] += 1
    return reason is not None


def test_encoding() -> None:
    """A datum is encoded to the bytes that fastavro writes."""
    tally = Tally("fastavro-vectors, encode")
    for index, case in enumerate(cases(VECTORS, "encode.handout.jsonl")):
        if case.get("opts"):
            tally.inapplicable[OPTION] += 1
            continue
        one = opened(tally, case["schema"])
        if one is None:
            continue
        if case["schema"] == UUID and "-" not in case["record"]:
            tally.inapplicable[HYPHENS] += 1
            continue
        try:
            found: Any = one.encode(untag(case["record"]))
        except ValueMismatch as error:
            found = error
        id_ = f"line {index + 1}"
        if "raises" in case:
            tally.check(id_, isinstance(found, ValueMismatch), True)
        elif not _beyond(tally, found):
            tally.check(id_, found, untag(case["data"]))
    tally.report(
        {OPTION: 4, HYPHENS: 56, PRECISION: 133, NAME: 8, DATETIME: 1, ISO_DATE: 1, ZONE: 2}
    )


def test_parsing() -> None:
    """A schema that fastavro parses is read, and one that it refuses is refused."""
    tally = Tally("fastavro-vectors, parse")
    for index, case in enumerate(cases(VECTORS, "parse.handout.jsonl")):
        if case.get("raises") and '"decimal"' in json.dumps(case["args"]["schema"]):
            tally.inapplicable[PASSED_OVER] += 1
            continue
        try:
            wrapped(case["args"]["schema"])
            found = "read"
        except InstarError as error:
            found = str(error)
        wanted = "refused" if "raises" in case else "read"
        tally.check(f"line {index + 1}", "read" if found == "read" else "refused", wanted)
    tally.report({PASSED_OVER: 4})


def test_canonical_forms() -> None:
    """A schema that we read and write again has the canonical form that fastavro gives."""
    tally = Tally("fastavro-vectors, canonical forms")
    for index, case in enumerate(cases(VECTORS, "canonical-form.handout.jsonl")):
        one = opened(tally, case["args"]["schema"])
        if one is None:
            continue
        document: Any = to_avro(one.schema)
        found = avro.to_parsing_canonical_form(document["fields"][0]["type"])
        tally.check(f"line {index + 1}", found, case["returns"])
    tally.report({ALIAS: 1})


def test_validation() -> None:
    """A datum that fastavro takes can be encoded, and one that it refuses cannot."""
    tally = Tally("fastavro-vectors, validate")
    for index, case in enumerate(cases(VECTORS, "validate.handout.jsonl")):
        arguments = case["args"]
        try:
            Case(arguments["schema"]).encode(untag(arguments["datum"]))
            found = "taken"
        except ValueMismatch:
            found = "refused"
        tally.check(f"line {index + 1}", found, "refused" if "raises" in case else "taken")
    tally.report()


def test_resolution() -> None:
    """Records of a container, read with another schema, are those that fastavro gives.

    The container itself is fastavro's matter: it is opened with its own schema, and each
    record is encoded bare for us to read.
    """
    tally = Tally("fastavro-vectors, resolve")
    for index, case in enumerate(cases(VECTORS, "container-resolve.handout.jsonl")):
        if "reader" not in case or case.get("opts"):
            tally.inapplicable[CONTAINER] += 1
            continue
        _resolve(tally, f"line {index + 1}", case)
    tally.report({CONTAINER: 45, MIGRATION: 4, RENAMED: 1, ROUNDED: 9, ALIAS: 3})


def _resolve(tally: Tally, id_: str, case: dict[str, Any]) -> None:
    container = fastavro.reader(io.BytesIO(untag(case["data"])))
    node = json.loads(container.metadata["avro.schema"])
    writer, reader = opened(tally, node), opened(tally, case["reader"])
    if writer is None or reader is None:
        return
    found: Any = []
    try:
        for record in container:
            payload = bare_payload(container.writer_schema, record)
            found.append(writer.decode(payload, reader))
        if not found:
            writer.decode(b"", reader)
    except (MigrationMismatch, ValueMismatch) as error:
        found = error
    if case["source_test"].endswith("should_fail_with_different_names"):
        tally.inapplicable[RENAMED] += 1
    elif "raises" in case:
        tally.check(id_, isinstance(found, InstarError), True)
    elif isinstance(found, MigrationMismatch):
        tally.inapplicable[MIGRATION] += 1
    elif not _beyond(tally, found):
        tally.check(id_, found, untag(case["returns"]))
