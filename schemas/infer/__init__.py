"""Proposes a first schema from sample JSON documents."""

from __future__ import annotations

from .documents import Document, read_documents
from .infer import infer_schema

__all__ = ["Document", "infer_schema", "read_documents"]
