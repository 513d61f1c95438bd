"""propose: the migration that may join two versions, as far as their schemas tell."""

from .proposal import Proposal, Proposed, Stub
from .propose import propose
from .text import file_text

__all__ = ["Proposal", "Proposed", "Stub", "file_text", "propose"]
