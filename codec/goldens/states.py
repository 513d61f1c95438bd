"""The states of one version that are worth keeping as goldens, each with a name.

They are chosen, not drawn: the same on every run, with nothing to seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import fields

from ..compatibility.choices import choices
from ..types import SchemaTypes
from .pack import pack

DEFAULTS = "defaults"
"""The state that gives no more than it must; all the rest is what the schema says."""


def named_states(types: SchemaTypes) -> Iterator[tuple[str, Any]]:
    """Each state after its name; none where the root holds itself without an end.

    Between them they hold every symbol of each enum, every branch of each union, something and
    nothing of each optional, full and empty containers, and the ends of numbers, texts and times.
    """
    packed = pack(choices(types, edges=True))
    if packed:
        needed = [field.name for field in fields(types.root) if field.required]
        yield DEFAULTS, types.root(**{name: getattr(packed[0], name) for name in needed})
    for number, state in enumerate(packed, start=1):
        yield f"choices-{number:02}", state
