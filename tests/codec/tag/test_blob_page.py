"""The specification of the blob is true."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.explain import explain
from instar.codec.tag.single_object import pack_single_object
from instar.codec.tag.text_frame import pack_json, pack_yaml

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "blob.md").read_text()
FINGERPRINT = 0x0123456789ABCDEF
BINARY = {
    "binary": pack_binary("avro", 300, FINGERPRINT, b"\x02\x02a"),
    "single-object": pack_single_object(0xC6012DE0C3AD09D2, b"\x02\x02a"),
}
TEXT = {
    "json": pack_json("agent_state", 3, FINGERPRINT, b'{"id":1,"note":"a"}'),
    "yaml": pack_yaml("agent_state", 3, FINGERPRINT, b"id: 1\nnote: a\n"),
}


def example(name: str) -> str:
    """The text of the example of that name on the page."""
    found = re.search(rf"<!-- example: {name} -->\n```\w*\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", BINARY)
def test_bytes_of_example(name: str) -> None:
    """The bytes on the page are those that our code writes."""
    assert bytes.fromhex(example(name)) == BINARY[name]


@pytest.mark.parametrize("name", BINARY)
def test_fields_of_example(name: str) -> None:
    """The table under an example is what explain says of it."""
    spans = explain(BINARY[name])
    rows = [f"| {s.start} | `{s.raw.hex(' ')}` | {s.field} | {s.meaning} |" for s in spans]
    assert "\n".join(rows) in PAGE


@pytest.mark.parametrize("name", TEXT)
def test_text_of_example(name: str) -> None:
    """The text on the page is what our code writes."""
    assert example(name).strip().encode() == TEXT[name].strip()


def test_limits() -> None:
    """The limits on the page are the defaults."""
    for name, value in asdict(DEFAULT_LIMITS).items():
        assert f"| `{name}` | {value} |" in PAGE
