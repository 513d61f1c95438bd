"""The vectors of Avro's own implementations, where they lie beside the checkout."""

from __future__ import annotations

import ast
import json
import re
from typing import Any, Final

from fastavro import schema as avro
from material import material
from suites.avro_cases import Case, Tally, cases, untag, wrapped

from instar.codec.library.avro_guard import read_varint
from instar.errors import SchemaError, SchemaSyntaxError
from instar.schemas.avro import Incompatibility, incompatibilities, parse_avro, to_avro

VECTORS = "avro-vectors"
_PLACE: Final = re.compile(r"case\.avsc:[0-9]+:[0-9]+")
INNER = "/fields/0/type"
"""Where the type of a case is, since it is wrapped in a record."""


def written(node: Any) -> Any:
    """A type as we write it, after we have read it."""
    document: Any = to_avro(wrapped(node))
    return document["fields"][0]["type"]


def form(node: Any) -> str:
    """The Parsing Canonical Form of a type that we have read and written again."""
    return avro.to_parsing_canonical_form(written(node))


def test_validity() -> None:
    """What Avro's own parser takes is read, and what it refuses is refused."""
    tally = Tally("avro-vectors, validity")
    for index, case in enumerate(cases(VECTORS, "schema-validity.handout.jsonl")):
        try:
            wrapped(case["schema"])
            valid = True
        except SchemaSyntaxError:
            valid = False
        tally.check(f"line {index + 1}", valid, case["valid"])
    tally.report()


def test_refusals_have_places() -> None:
    """Whatever is refused of both projects' schemas, bare or in a record, has line and column."""
    tally = Tally("avro-vectors and fastavro-vectors, places of refusals")
    names = sorted(path.name for path in material("suites", VECTORS).glob("*.jsonl"))
    other = sorted(path.name for path in material("suites", "fastavro-vectors").glob("*.jsonl"))
    files = [(VECTORS, name) for name in names] + [("fastavro-vectors", name) for name in other]
    for suite, name in files:
        for index, case in enumerate(cases(suite, name)):
            for node in _schemas(case):
                found = _refusal(node)
                if found is not None:
                    tally.check(f"{name} {index + 1}", bool(_PLACE.fullmatch(found)), True)
    tally.report()


def _schemas(case: dict[str, Any]) -> list[Any]:
    """Every schema of a case, as it is and as the type of a field."""
    found = [case[key] for key in ("schema", "writer", "reader", "type") if key in case]
    found += [node for node in [case.get("args", {}).get("schema")] if node is not None]
    fields = [[{"name": "value", "type": node}] for node in found]
    return found + [{"type": "record", "name": "Outer__", "fields": part} for part in fields]


def _refusal(node: Any) -> str | None:
    """Where a schema is refused; none where it is read."""
    try:
        parse_avro(json.dumps(node, indent=1), subject="case", version=1, where="case.avsc")
    except SchemaError as error:
        return error.where
    return None


def test_compatibility() -> None:
    """Avro's rules of resolution find what its own checker finds: kind, place and message."""
    tally = Tally("avro-vectors, compatibility")
    for index, case in enumerate(cases(VECTORS, "schema-compatibility.handout.jsonl")):
        found = incompatibilities(wrapped(case["writer"]), wrapped(case["reader"]))
        kinds = sorted(finding.kind for finding in found)
        messages = sorted(_message(finding.message) for finding in found)
        # Avro's checker for Python also lists the places of parts that are compatible.
        places = sorted({_place(finding) for finding in found} - {"/"})
        wanted = (
            sorted(case["incompatibilities"]),
            sorted(map(_message, case["messages"])),
            sorted(set(case["locations"]) - {"/"}),
        )
        tally.check(f"line {index + 1}", (kinds, messages, places), wanted)
    tally.report()


def _place(finding: Incompatibility) -> str:
    return finding.location.removeprefix(INNER) or "/"


def _message(text: str) -> str:
    return str(sorted(ast.literal_eval(text))) if text.startswith("{") else text


def test_canonical_forms() -> None:
    """A schema that we read and write again has the official canonical form and fingerprint."""
    tally = Tally("avro-vectors, canonical forms")
    for case in json.loads(material("suites", VECTORS, "schema-tests.json").read_text()):
        found = form(json.loads(case["input"]))
        tally.check(f"{case['id']}", found, case["canonical"])
        if "fingerprint" in case:
            raw = bytes.fromhex(avro.fingerprint(found, "CRC-64-AVRO"))
            number = int.from_bytes(raw, "little", signed=True)
            tally.check(f"{case['id']} fingerprint", number, int(case["fingerprint"]))
    tally.report()


def test_fingerprints() -> None:
    """A schema that we read and write again has Avro's fingerprints."""
    tally = Tally("avro-vectors, fingerprints")
    for index, case in enumerate(cases(VECTORS, "fingerprints.handout.jsonl")):
        found = [
            avro.fingerprint(form(case["schema"]), name)
            for name in ("CRC-64-AVRO", "md5", "sha256")
        ]
        wanted = [case["crc64_avro_le_hex"], case["md5"], case["sha256"]]
        tally.check(f"line {index + 1}", found, wanted)
    tally.report()


def test_binary_encodings() -> None:
    """A datum is encoded as Avro encodes it, and read back."""
    tally = Tally("avro-vectors, binary encodings")
    for index, case in enumerate(cases(VECTORS, "binary-encodings.handout.jsonl")):
        one, datum, payload = Case(case["schema"]), untag(case["datum"]), bytes.fromhex(case["hex"])
        tally.check(f"line {index + 1} encoded", one.encode(datum).hex(), payload.hex())
        tally.check(f"line {index + 1} decoded", one.decode(payload), datum)
    tally.report()


def test_default_values() -> None:
    """A default of a field that the writer does not have is read as Avro reads it."""
    tally = Tally("avro-vectors, default values")
    for index, case in enumerate(cases(VECTORS, "default-values.handout.jsonl")):
        fields = [{"name": "H", "type": case["type"], "default": case["default"]}]
        empty = Case({"type": "record", "name": "Test", "fields": []})
        full = Case({"type": "record", "name": "Test", "fields": fields})
        wanted = {"H": untag(case["value"])}
        tally.check(f"line {index + 1}", empty.decode(b"", full), wanted)
    tally.report()


def test_zigzag() -> None:
    """Numbers are read from their zig-zag form."""
    tally = Tally("avro-vectors, zig-zag")
    for number, text in json.loads(material("suites", VECTORS, "zigzag.json").read_text()):
        raw = bytes.fromhex(text)
        tally.check(text, read_varint(raw, 0), (number, len(raw)))
        tally.check(f"{text} written", Case("long").encode(number), raw)
    tally.report()
