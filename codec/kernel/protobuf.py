"""The protobuf format, by the kernel."""

from __future__ import annotations

from ..library.protobuf import ENGINE

__all__ = ["ENGINE"]
