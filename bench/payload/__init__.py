"""The states that ``instar bench`` measures: a user's documents, a store's blobs, or made up."""

from __future__ import annotations

from .chosen import Chosen
from .given import from_files, from_store
from .made import MadeUp, made_up

__all__ = ["Chosen", "MadeUp", "from_files", "from_store", "made_up"]
