"""The error for a value of another class or range than its schema says."""

from __future__ import annotations

import re

from ..errors import ValueMismatch

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
"""Where an object is in memory, which says nothing to whoever reads a message."""
_SHOWN = 60
"""How many characters of a value a message shows."""


def mismatch(expected: str, value: object, mend: str = "") -> ValueMismatch:
    """The error to raise; the path is put before it on the way out."""
    shown = _ADDRESS.sub("", repr(value))
    short = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
    return ValueMismatch(f"expected {expected}, found {type(value).__name__} {short}", mend=mend)
