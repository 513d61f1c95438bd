"""What a codec is made with."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..schemas.arguments import check_argument, check_version
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

    def __post_init__(self) -> None:
        """Raise ConfigError for what is of another type; whether it exists is for others."""
        check_version("version", self.version)
        if self.write_version is not None:
            check_version("write_version", self.write_version)
        check_argument("compress", self.compress, bool, "True or False")
        check_argument("limits", self.limits, Limits, "instar.Limits(...)")

    @property
    def written(self) -> int:
        """The version of the blobs that are written."""
        return self.version if self.write_version is None else self.write_version
