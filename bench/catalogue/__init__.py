"""The peers that ``instar bench`` sets beside instar: one row for each, and small files of them."""

from __future__ import annotations

from .entry import Entry
from .rows import ENTRIES, FAMILIES, find_entry

__all__ = ["ENTRIES", "FAMILIES", "Entry", "find_entry"]
