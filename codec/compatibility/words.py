"""Types in a few words, for people: without their namespaces."""

from __future__ import annotations

import re

from ...migrations.derive import describe
from ...schemas.model import Type


def told(kind: Type) -> str:
    """A type in a few words, each name by its last part."""
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", describe(kind))
