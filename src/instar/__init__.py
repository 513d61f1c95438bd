"""instar: schema-versioned serialization and migration for AI-agent state.

Define state in versioned Avro or Protobuf schemas, open them as a :class:`Registry`, and
let a :class:`Codec` turn typed objects into blobs that say what they are. A blob of an
older version is upgraded as it is read. A :class:`Repository` keeps blobs in a store.
"""

from __future__ import annotations

from .codec.codec import Codec
from .codec.engines import Engine, engine
from .codec.limits import Limits
from .codec.record import Record
from .codec.registry import Registry
from .codec.residue import read_residue, strip_residue
from .codec.tag import Format, Framing, Tag, read_tag
from .codec.views import ListView, MapView, RecordView
from .errors import InstarError
from .migrations import Migration, compute
from .schemas.model import JsonValue, Schema
from .store.repository import Repository
from .store.store import Entry, Store
from .store.url import open_store

__all__ = [
    "Codec",
    "Engine",
    "Entry",
    "Format",
    "Framing",
    "InstarError",
    "JsonValue",
    "Limits",
    "ListView",
    "MapView",
    "Migration",
    "Record",
    "RecordView",
    "Registry",
    "Repository",
    "Schema",
    "Store",
    "Tag",
    "compute",
    "engine",
    "open_store",
    "read_residue",
    "read_tag",
    "strip_residue",
]
