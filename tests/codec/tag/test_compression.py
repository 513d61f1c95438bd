"""Compressed payloads, bounded."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import zstandard

from instar.codec.limits import DEFAULT_LIMITS, Limits
from instar.codec.tag.compression import compress, decompress
from instar.errors import CorruptPayload, LimitExceeded, MissingExtra

PAYLOAD = b"state " * 200
FRAME = compress(PAYLOAD, DEFAULT_LIMITS)


def test_round_trip() -> None:
    """What is compressed is decompressed."""
    assert decompress(FRAME, DEFAULT_LIMITS) == PAYLOAD


def test_size_limit_on_write_as_on_read() -> None:
    """A payload too large to be decompressed is not compressed either."""
    exact, less = (Limits(decompressed_bytes=len(PAYLOAD) - by) for by in (0, 1))
    assert decompress(compress(PAYLOAD, exact), exact) == PAYLOAD
    with pytest.raises(LimitExceeded, match="1200 bytes"):
        compress(PAYLOAD, less)
    with pytest.raises(LimitExceeded, match="1200 bytes"):
        decompress(FRAME, less)


def test_bomb() -> None:
    """A small frame that declares a huge content is refused before memory is taken."""
    declared = zstandard.ZstdCompressor().compress(bytes(10_000_000))
    with pytest.raises(LimitExceeded):
        decompress(declared, Limits(decompressed_bytes=1_000_000))


def test_unknown_content_size() -> None:
    """A frame that does not say how large its content is is refused."""
    frame = zstandard.ZstdCompressor(write_content_size=False).compress(PAYLOAD)
    with pytest.raises(CorruptPayload, match="does not declare"):
        decompress(frame, DEFAULT_LIMITS)


def test_lying_content_size() -> None:
    """A frame whose content is not of the declared size is refused."""
    start = FRAME.index((len(PAYLOAD) - 256).to_bytes(2, "little"))
    for declared in (len(PAYLOAD) - 1, len(PAYLOAD) + 1):
        lie = FRAME[:start] + (declared - 256).to_bytes(2, "little") + FRAME[start + 2 :]
        with pytest.raises(CorruptPayload):
            decompress(lie, DEFAULT_LIMITS)


@pytest.mark.parametrize("tail", [b"x", FRAME, bytes.fromhex("502a4d1801000000ff")])
def test_after_the_frame(tail: bytes) -> None:
    """Bytes after the frame, a second frame and a skippable frame are refused."""
    with pytest.raises(CorruptPayload):
        decompress(FRAME + tail, DEFAULT_LIMITS)


@pytest.mark.parametrize("frame", [b"", b"plain", FRAME[:4], FRAME[:-1], FRAME[:20]])
def test_no_frame(frame: bytes) -> None:
    """What is no whole frame is refused."""
    with pytest.raises(CorruptPayload):
        decompress(frame, DEFAULT_LIMITS)


def test_skippable_frame() -> None:
    """A skippable frame is no payload."""
    with pytest.raises(CorruptPayload, match="no Zstandard frame"):
        decompress(bytes.fromhex("502a4d1801000000ff"), DEFAULT_LIMITS)


def test_empty_content() -> None:
    """A frame of nothing is refused: bytes could hide behind it."""
    with pytest.raises(CorruptPayload):
        decompress(zstandard.ZstdCompressor().compress(b"") + b"hidden", DEFAULT_LIMITS)


def test_dictionary() -> None:
    """A frame that needs a dictionary is refused by its id."""
    samples: Any = [b"agent %d is running step %d" % (n, n * 7) for n in range(2000)]
    dictionary = zstandard.train_dictionary(2000, samples)
    frame = zstandard.ZstdCompressor(dict_data=dictionary).compress(PAYLOAD)
    with pytest.raises(CorruptPayload, match=f"dictionary {dictionary.dict_id()}"):
        decompress(frame, DEFAULT_LIMITS)


def test_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without zstandard the error says which extra to install."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match=r"instar\[zstd\]"):
        decompress(FRAME, DEFAULT_LIMITS)
