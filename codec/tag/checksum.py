"""The checksum of a blob: xxHash, 32 bits, seed 0, over its bytes in order."""

from __future__ import annotations

import xxhash


def checksum(*parts: bytes) -> int:
    """XXH32 of the parts, one after the other."""
    # Joining costs a copy and still takes a fifth of the time of hashing part by part.
    return xxhash.xxh32_intdigest(b"".join(parts))
