"""Old versions are read by the kernel alone: no step of structure calls into Python."""

from __future__ import annotations

import pytest
from kernel_hooks import functions_called

from instar.bench.ten_versions import SUBJECT, first_document, ten_versions
from instar.codec.tag.header import Format


@pytest.mark.parametrize("format_", ["avro", "protobuf", "json", "msgpack"])
def test_nine_versions_cost_no_call(format_: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renamed, widened, added and removed fields are read in one pass, defaults included."""
    monkeypatch.setenv("INSTAR_ENGINE", "kernel")
    registry = ten_versions()
    old, new = registry.codec(SUBJECT, format=format_, version=1), registry.codec(SUBJECT)
    blob = old.encode(old.from_builtins(first_document(3)))
    found = new.decode(blob)
    assert functions_called(lambda: new.decode(blob)) == ["decode"]
    monkeypatch.setenv("INSTAR_ENGINE", "library")
    assert registry.codec(SUBJECT).decode(blob) == found
