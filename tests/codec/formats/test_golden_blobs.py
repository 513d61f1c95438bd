"""The bytes of every format are fixed: blobs that are stored today must read for ever."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from codec.formats.golden_states import STATES
from material import ROOT

from instar import Registry
from instar.codec.tag.header import Format, Framing

GOLDEN = ROOT / "tests" / "golden" / "blobs"
FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")


@dataclass(frozen=True)
class Writer:
    """How a golden blob is written, and the ending of its file."""

    suffix: str
    format: Format
    framing: Framing = "instar"
    compress: bool = False


WRITERS = [
    *(Writer(format_, format_) for format_ in FORMATS),
    Writer("zst", "avro", compress=True),
    Writer("single-object", "avro", "avro-single-object"),
]


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.suffix)
@pytest.mark.parametrize(("subject", "version"), STATES)
def test_a_golden_blob_is_written_and_read_alike(
    reference: Registry,
    golden: Callable[[Path, bytes], None],
    subject: str,
    version: int,
    writer: Writer,
) -> None:
    """Encoding gives the recorded bytes, and they decode to the recorded value."""
    codec = reference.codec(
        subject,
        format=writer.format,
        version=version,
        framing=writer.framing,
        compress=writer.compress,
    )
    state = codec.from_builtins(STATES[subject, version])
    path = GOLDEN / f"{subject}_v{version}.{writer.suffix}"
    # What zstd makes of the payload is its own affair, and changes between its releases.
    golden(path, path.read_bytes() if writer.compress and path.exists() else codec.encode(state))
    assert codec.decode(path.read_bytes()) == state
