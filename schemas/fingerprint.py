"""The two identities of a schema, each a 64-bit number that no process computes otherwise."""

from __future__ import annotations

import hashlib

from .canonical import canonical_text
from .model import Schema


def fingerprint(schema: Schema) -> int:
    """Identity of all that ``schema`` means: the first 8 bytes, big-endian, of the SHA-256
    of its canonical text. Docs, subject and version are no part of it.
    """
    digest = hashlib.sha256(canonical_text(schema).encode("ascii")).digest()
    return int.from_bytes(digest[:8], "big")


def wire_fingerprint(schema: Schema) -> int:
    """CRC-64-AVRO of the Avro Parsing Canonical Form of ``schema``.

    Avro's own identity for single-object encoding. It covers the layout of the bytes only:
    schemas that differ in defaults, aliases or logical types share it.
    """
    from fastavro import schema as avro  # noqa: PLC0415  # only for those who write Avro

    from .avro import to_avro  # noqa: PLC0415  # as fastavro

    form = avro.to_parsing_canonical_form(to_avro(schema))
    # fastavro gives the hex of the little-endian bytes, the order of the blob's header.
    return int.from_bytes(bytes.fromhex(avro.fingerprint(form, "CRC-64-AVRO")), "little")
