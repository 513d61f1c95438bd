"""Foreign JSON documents as typed states of a subject that was inferred from them, and back."""

from .changes import ABSENT, Change, ChangeKind, differences
from .codec import DocumentCodec

__all__ = ["ABSENT", "Change", "ChangeKind", "DocumentCodec", "differences"]
