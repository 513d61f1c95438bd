"""The checksum of a blob: the low half of XXH3 of 64 bits, seed 0, over its bytes in order."""

from __future__ import annotations

import xxhash

_LOW_HALF = 0xFFFFFFFF


def checksum(*parts: bytes) -> int:
    """The low 32 bits of XXH3 (64 bits) of the parts, one after the other."""
    # Joining costs a copy and still takes a fifth of the time of hashing part by part.
    return xxhash.xxh3_64_intdigest(b"".join(parts)) & _LOW_HALF
