"""The error for a value of another class or range than its schema says."""

from __future__ import annotations

from ..errors import ValueMismatch

_SHOWN = 60
"""How many characters of a value a message shows."""


def mismatch(expected: str, value: object, mend: str = "") -> ValueMismatch:
    """The error to raise; the path is put before it on the way out."""
    shown = repr(value)
    short = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
    return ValueMismatch(f"expected {expected}, found {type(value).__name__} {short}", mend=mend)
