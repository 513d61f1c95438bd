"""The peers that ``instar bench`` sets beside instar: one row for each, and small files of them."""

from __future__ import annotations

from .entry import Entry
from .rows import find_entry

__all__ = ["Entry", "find_entry"]
