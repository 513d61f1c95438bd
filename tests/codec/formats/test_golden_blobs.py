"""The bytes of every format are fixed: blobs that are stored today must read for ever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from codec.formats.golden_states import STATES
from material import ROOT

from instar import Registry
from instar.codec.tag.header import Format, Framing

GOLDEN = ROOT / "tests" / "golden" / "blobs"
FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
WRITERS: list[tuple[str, Format, Framing, bool]] = [
    *((format_, format_, "instar", False) for format_ in FORMATS),
    ("zst", "avro", "instar", True),
    ("single-object", "avro", "avro-single-object", False),
]


@pytest.mark.parametrize(("suffix", "format_", "framing", "compress"), WRITERS)
@pytest.mark.parametrize(("subject", "version"), STATES)
def test_a_golden_blob_is_written_and_read_alike(
    reference: Registry,
    golden: Callable[[Path, bytes], None],
    subject: str,
    version: int,
    suffix: str,
    format_: Format,
    framing: Framing,
    compress: bool,
) -> None:
    """Encoding gives the recorded bytes, and they decode to the recorded value."""
    codec = reference.codec(
        subject, format=format_, version=version, framing=framing, compress=compress
    )
    state = codec.from_builtins(STATES[subject, version])
    path = GOLDEN / f"{subject}_v{version}.{suffix}"
    # What zstd makes of the payload is its own affair, and changes between its releases.
    golden(path, path.read_bytes() if compress and path.exists() else codec.encode(state))
    assert codec.decode(path.read_bytes()) == state
