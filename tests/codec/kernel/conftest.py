"""Subjects that are read from a ``.proto``, once for all tests here."""

from __future__ import annotations

import pytest
from codec.formats.test_protobuf_wire import SCHEMAS
from codec.kernel.protobuf_pairs import Pair

from instar.codec.subject import Subject
from instar.schemas.protobuf import read_proto
from instar.schemas.reading import TimeUnit


@pytest.fixture(scope="session")
def protos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """Groups, closed enums, wrappers: what a schema from Avro has not, by name of the file."""
    found: dict[str, Pair] = {}
    for name, text in SCHEMAS.items():
        path = tmp_path_factory.mktemp("wire") / "v1.proto"
        path.write_text(text, encoding="utf-8")
        unit: TimeUnit = "nanos" if "nanos" in name else "micros"
        found[name] = Pair(Subject([read_proto(path, "state", 1, times=unit)]))
    return found
