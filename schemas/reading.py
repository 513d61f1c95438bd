"""How a project wants its schema files read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How schemas are read: ``roots`` names the root of a subject by its full name, and
    ``lenient`` lets comments and trailing commas in ``.avsc`` files pass.
    """

    roots: Mapping[str, str] = field(default_factory=dict[str, str])
    lenient: bool = False
