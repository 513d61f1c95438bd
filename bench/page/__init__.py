"""What a run of the bench found as one HTML page, which needs nothing beside itself."""

from __future__ import annotations

from .file import check_place, write_page
from .page import render

__all__ = ["check_place", "render", "write_page"]
