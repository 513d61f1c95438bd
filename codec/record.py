"""The base of every record type."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A record of some schema: typed attributes, equality by value, keyword arguments."""
