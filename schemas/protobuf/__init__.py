"""Protobuf schemas: compiled by protoc, then read into the model."""

from .protoc import compile_proto
from .reader import read_proto

__all__ = ["compile_proto", "read_proto"]
