"""The suites of Protobuf and the payloads of real histories, by the kernel alone."""

from __future__ import annotations

from typing import Any

import pytest
from codec.kernel.protobuf_pairs import REFUSED, Pair
from material import material
from same import same
from suites.protobuf_cases import (
    FAMILIES,
    Families,
    Tally,
    compile_once,
    families,
    lines,
)

from instar.codec.subject import Subject
from instar.schemas.protobuf import read_proto

__all__ = ["compile_once", "families"]


class Pairs:
    """A pair for each message, made once."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, str], Pair] = {}

    def of(self, path: Any, message: str) -> Pair:
        if (path, message) not in self._made:
            subject = Subject([read_proto(path, "case", 1, root=message)])
            self._made[path, message] = Pair(subject)
        return self._made[path, message]


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return Pairs()


def problem(pair: Pair, payload: bytes) -> str | None:
    """What is wrong with the kernel's reading, or with its writing of what was read."""
    found, theirs = pair.read_by_kernel(payload), pair.read_by_library(payload)
    if found == REFUSED:
        return None if theirs == REFUSED else _left(pair, payload, theirs)
    if not same(found, theirs):
        return "another value"
    if pair.written_by_kernel(found) != pair.written_by_library(found):
        return "other bytes"
    return None


def _left(pair: Pair, payload: bytes, state: Any) -> str | None:
    """What the library alone takes must be what our encoder does not write."""
    return "left to the library" if pair.written_by_library(state) == payload else None


@pytest.mark.parametrize("family", FAMILIES)
def test_payloads_of_real_histories(family: str, families: Families, pairs: Pairs) -> None:
    """Each is read as the library reads it, and written byte for byte as it writes."""
    tally = Tally(f"cross-version-protobuf {family}, by the kernel")
    suite = material("suites", "cross-version-protobuf", "handout")
    for name, case in lines(suite / f"{family}.jsonl"):
        pair = pairs.of(families.path(family, case["to"]), case["message_to"])
        tally.check(name, problem(pair, bytes.fromhex(case["blob_hex"])))
    tally.report()
    assert tally.failed == {}, str(tally.failed)
    assert tally.passed


def test_payloads_of_the_conformance_suite(pairs: Pairs) -> None:
    """The same for every binary payload of the official suite, and for what comes of it."""
    tally = Tally("protobuf-conformance, by the kernel")
    suite = material("suites", "protobuf-conformance")
    for name, case in lines(suite / "handout.jsonl"):
        for side, key in (("in", "payload_hex"), ("out", "result_hex")):
            if case[side] == "binary" and case.get(key) is not None:
                pair = pairs.of(suite / "protos", case["message"])
                tally.check(f"{name} {side}", problem(pair, bytes.fromhex(case[key])))
    tally.report()
    assert tally.failed == {}, str(tally.failed)
    assert tally.passed
