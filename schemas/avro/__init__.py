"""Avro schemas: read into the model, and written from it."""

from .reader import parse_avro, read_avro
from .writer import avsc_text, to_avro

__all__ = ["avsc_text", "parse_avro", "read_avro", "to_avro"]
