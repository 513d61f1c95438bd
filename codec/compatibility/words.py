"""Types in a few words, for people."""

from __future__ import annotations

from ...schemas.describe import describe
from .fit import Typed


def told(typed: Typed) -> str:
    """A type in a few words."""
    return describe(*typed)
