"""Message classes as protoc's own code has them, each schema in a pool of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool, message_factory

from instar.schemas.protobuf import compile_proto


def message_class(path: Path, name: str) -> Any:
    """The class of the message ``name`` of the file or folder at ``path``."""
    pool = descriptor_pool.DescriptorPool()
    for file in compile_proto(path).file:
        pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
