"""Avro schemas: read into the model, written from it, and compared by Avro's own rules."""

from .own_rules import own_findings
from .reader import parse_avro, read_avro
from .resolution import Incompatibility, incompatibilities
from .writer import avsc_text, to_avro

__all__ = [
    "Incompatibility",
    "avsc_text",
    "incompatibilities",
    "own_findings",
    "parse_avro",
    "read_avro",
    "to_avro",
]
