"""Decoders that lead a state by way of the bridge, where something would get lost otherwise."""

from __future__ import annotations

from typing import Any

from ..formats import Provenance, make_decoder
from ..library.format import Decode
from ..limits import Limits
from ..plan import Plan
from ..subject import Subject
from ..tag.header import Format
from .bridge import Bridge
from .token import NOTHING, kept_in


def make_keeping_decoder(  # noqa: PLR0913, PLR0917 - those of make_decoder, and the bridge
    format_: Format,
    subject: Subject,
    plan: Plan,
    limits: Limits,
    provenance: Provenance,
    bridge: Bridge,
) -> Decode:
    """A decoder that runs ``plan`` and keeps what the reader cannot express.

    It is that of the plan alone wherever there is nothing to keep.
    """
    source, target = plan.source, plan.target
    direct = make_decoder(format_, subject, plan, limits, provenance)
    is_newer = source > target
    if source == target or (provenance != "residue" and not is_newer):
        return direct
    if provenance == "ours" and bridge.is_lossless(source, target):
        return direct
    read = make_decoder(format_, subject, Plan(source, source, ()), limits, provenance)

    def decode(payload: Any) -> Any:
        state = read(payload)
        raised = NotImplemented if is_newer else bridge.raise_at_once(state, source, target)
        if raised is not NotImplemented:
            return raised
        found = NOTHING if is_newer else kept_in(state)
        if is_newer or found.tokens:
            return bridge.lead(state, source, target, found)
        # Residue of messages alone, which the plan restores.
        return direct(payload)

    return decode
