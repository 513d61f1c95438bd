"""How a project wants its schema files read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TimeUnit: TypeAlias = Literal["micros", "nanos"]
"""What a Timestamp or Duration of Protobuf is in Python: a datetime or timedelta, which end at
the microsecond, or a whole number of nanoseconds.
"""


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How schemas are read: ``roots`` names the root of a subject by its full name, and
    ``lenient`` lets comments and trailing commas in ``.avsc`` files pass.

    ``protobuf_times`` is the unit of times in ``.proto`` files: for all of them, or, by
    subject, the first version that has them in nanoseconds. It is part of the fingerprint,
    so a subject that is released takes nanoseconds from its next version on.
    """

    roots: Mapping[str, str] = field(default_factory=dict[str, str])
    lenient: bool = False
    protobuf_times: TimeUnit | Mapping[str, int] = "micros"

    def time_unit(self, subject: str, version: int) -> TimeUnit:
        """The unit of times in the ``.proto`` files of one version."""
        if isinstance(self.protobuf_times, str):
            return self.protobuf_times
        first = self.protobuf_times.get(subject)
        return "micros" if first is None or version < first else "nanos"
