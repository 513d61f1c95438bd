"""What a codec is made with."""

from __future__ import annotations

from dataclasses import dataclass, field

from .limits import DEFAULT_LIMITS, Limits
from .tag.header import Format, Framing


@dataclass(frozen=True, slots=True)
class Settings:
    """How a codec writes: ``version`` is what it reads blobs up to, and writes."""

    version: int
    format: Format = "avro"
    framing: Framing = "instar"
    compress: bool = False
    limits: Limits = field(default=DEFAULT_LIMITS)
