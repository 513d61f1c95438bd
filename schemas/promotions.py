"""Which primitives are read as which: Avro's promotions, which instar's own reading shares.

After the specification (1.12, "Schema Resolution").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_PROMOTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "int": ("long", "float", "double"),
    "long": ("float", "double"),
    "float": ("double",),
    "string": ("bytes",),
    "bytes": ("string",),
}


def promotes(written: str, read: str) -> bool:
    """Whether a value of the one type is read as one of the other, which is another type."""
    return read in _PROMOTIONS.get(written, ())
