"""Payloads of one version: the encoders of its types, each made when first needed."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import CarriesResidue
from .formats import make_encoder, make_residue_encoder
from .library.format import Encode, LeftPayload
from .residue import read_residue, strip_residue
from .settings import Settings
from .types import SchemaTypes

if TYPE_CHECKING:
    from .protojson import ProtoJson

_SHOWN = 5
"""How many places an error names."""


class Payloads:
    """Writes the payloads of states of ``types``; ``encode`` is for those without residue."""

    def __init__(self, settings: Settings, types: SchemaTypes) -> None:
        self._settings, self._types = settings, types
        self.encode = make_encoder(settings.format, types, settings.limits)

    def write(self, state: Any, *, is_new: bool = False) -> tuple[bytes, bool]:
        """The payload of a state, and whether there is residue in it or beside it. ``is_new`` says
        that all residue was made just now.

        Raises ``ValueMismatch``, and ``CarriesResidue`` where the framing has no place for it.
        """
        has_place = self._settings.framing == "instar"
        if is_new and has_place:
            return self._with_residue(state, None, is_new)
        try:
            return self.encode(state), False
        except CarriesResidue as error:
            if not has_place:
                raise _refusal(self._settings.framing, state) from None
            payload = error.payload if isinstance(error, LeftPayload) else None
        return self._with_residue(state, payload, False)

    def protojson(self, state: Any, texts: ProtoJson) -> str:
        """The ProtoJSON text of a state, which leaves residue out. Raises ``ValueMismatch``."""
        return texts.from_payload(self._protobuf(state))

    @cached_property
    def _with_residue(self) -> Callable[[Any, bytes | None, bool], tuple[bytes, bool]]:
        settings = self._settings
        return make_residue_encoder(settings.format, self._types, settings.limits)

    @cached_property
    def _protobuf(self) -> Encode:
        """Writes Protobuf, whatever the format."""
        limits = self._settings.limits
        encode = make_encoder("protobuf", self._types, limits)

        def run(state: Any) -> bytes:
            try:
                return encode(state)
            except CarriesResidue:
                plain = deepcopy(state)
                strip_residue(plain)
                return encode(plain)

        return run


def _refusal(framing: str, state: Any) -> CarriesResidue:
    paths = [path or "the state itself" for path in read_residue(state)]
    more = [f"{len(paths) - _SHOWN} more"] if len(paths) > _SHOWN else []
    return CarriesResidue(
        f"the framing {framing} has no place for the residue of {', '.join(paths[:_SHOWN] + more)}",
        mend='use framing="instar", or drop it first: instar.strip_residue(state)',
    )
