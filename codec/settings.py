"""What a codec is made with."""

from __future__ import annotations

from dataclasses import dataclass, field

from .limits import DEFAULT_LIMITS, Limits
from .tag.header import Format, Framing


@dataclass(frozen=True, slots=True)
class Settings:
    """How a codec writes.

    ``version`` is what it reads blobs as, and writes unless ``write_version`` is another one.
    """

    version: int
    format: Format = "avro"
    framing: Framing = "instar"
    compress: bool = False
    limits: Limits = field(default=DEFAULT_LIMITS)
    write_version: int | None = None

    @property
    def written(self) -> int:
        """The version of the blobs that are written."""
        return self.version if self.write_version is None else self.write_version
