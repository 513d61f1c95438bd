"""Goldens: blobs of released versions that are kept for ever, and must always be read alike."""

from .check import check_goldens
from .finding import Finding, Rule
from .layout import Golden
from .record import Draft, draft_goldens
from .replay import Replay, find_goldens, replay

__all__ = [
    "Draft",
    "Finding",
    "Golden",
    "Replay",
    "Rule",
    "check_goldens",
    "draft_goldens",
    "find_goldens",
    "replay",
]
