"""ProtoJSON: the JSON that Protobuf defines for messages, read and written by protobuf itself."""

from .document import ProtoJson

__all__ = ["ProtoJson"]
