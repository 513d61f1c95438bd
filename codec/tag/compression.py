"""Zstandard frames of known size: one frame, no dictionary, nothing after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import CorruptPayload, LimitExceeded
from ..extras import import_zstandard
from ..limits import Limits, check_decompressed_size

if TYPE_CHECKING:
    from types import ModuleType


def compress(payload: bytes, limits: Limits) -> bytes:
    """One Zstandard frame that holds ``payload``.

    Raises LimitExceeded where the payload could not be read back, MissingExtra without
    zstandard.
    """
    check_decompressed_size(len(payload), limits)
    frame: bytes = import_zstandard().ZstdCompressor().compress(payload)
    return frame


def decompress(frame: bytes, limits: Limits) -> bytes:
    """The payload that ``frame`` holds.

    The size that the frame declares is checked before any memory is taken. Raises
    CorruptPayload, LimitExceeded, MissingExtra.
    """
    zstandard = import_zstandard()
    _check_frame(zstandard, frame, limits)
    try:
        payload: bytes = zstandard.ZstdDecompressor().decompress(frame, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise CorruptPayload(f"the compressed payload does not decompress: {error}") from error
    except MemoryError as error:
        raise LimitExceeded("the payload does not fit into memory decompressed") from error
    return payload


def _check_frame(zstandard: ModuleType, frame: bytes, limits: Limits) -> None:
    # zstandard ignores max_output_size where the frame declares its content size, and
    # returns at once, tail unread, where that size is 0: both are decided here.
    if not frame.startswith(zstandard.FRAME_HEADER):
        raise CorruptPayload("the payload is flagged as compressed and is no Zstandard frame")
    try:
        declared = zstandard.get_frame_parameters(frame)
    except zstandard.ZstdError as error:
        raise CorruptPayload(f"the Zstandard frame header does not read: {error}") from error
    if declared.content_size in {0, zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR}:
        raise CorruptPayload("the Zstandard frame does not declare the size of its content")
    if declared.dict_id:
        raise CorruptPayload(f"the Zstandard frame needs dictionary {declared.dict_id}")
    check_decompressed_size(declared.content_size, limits)
