"""Old versions are read by the kernel alone: no step of structure calls into Python."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.bench.ten_versions import SUBJECT, first_document, ten_versions
from instar.codec.tag.header import Format


def functions_called(run: Any) -> list[str]:
    """The names of the functions in Python that a call runs, itself left out."""
    names: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            names.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return names[1:]


@pytest.mark.parametrize("format_", ["avro", "protobuf"])
def test_nine_versions_cost_no_call(format_: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renamed, widened, added and removed fields are read in one pass, defaults included."""
    registry = ten_versions()
    old, new = registry.codec(SUBJECT, format=format_, version=1), registry.codec(SUBJECT)
    blob = old.encode(old.from_builtins(first_document(3)))
    found = new.decode(blob)
    assert functions_called(lambda: new.decode(blob)) == ["decode"]
    monkeypatch.setenv("INSTAR_ENGINE", "library")
    assert registry.codec(SUBJECT).decode(blob) == found
