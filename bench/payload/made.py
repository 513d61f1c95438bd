"""States that are made up: of the reference subject as an agent has them, of others by schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...errors import InstarError
from ..peers import Versions
from ..sample import document_of
from .chosen import Chosen, size_text
from .maker import Maker, main_field

ITEMS: Final = (2, 100, 2000)
"""How many items the main list of a state of each size has."""

_REFERENCE = "agent_state"
_OTHER_ITEMS, _SEED, _OTHER_SEEDS = 3, 7, range(8, 40)


@dataclass(frozen=True, slots=True)
class MadeUp:
    """Makes up states of one version; the same on every machine."""

    versions: Versions
    sample: bool

    @classmethod
    def of(cls, versions: Versions) -> MadeUp:
        """The sample of an agent for the reference subject, and the schema's own for others."""
        return cls(versions, _fits_sample(versions))

    @property
    def origin(self) -> str:
        """Where the states come from, in words."""
        return "made up as an agent has them" if self.sample else "made up from the schema"

    @property
    def grows(self) -> bool:
        """Whether states have a list that can be of any length."""
        return self.sample or main_field(self._types()) is not None

    def document(self, items: int, seed: int = _SEED) -> dict[str, Any]:
        """A state in JSON form, whose main list has so many items."""
        if self.sample:
            return document_of(self.versions.version, items, seed=seed)
        state = Maker(self._types(), items, seed).state()
        return dict(self.versions.codec("json").to_builtins(state))

    def other(self, than: dict[str, Any]) -> dict[str, Any]:
        """A small state in JSON form to check peers with, that differs from ``than``.

        Equal to it only where the subject seems to have no second state.
        """
        tries = (self.document(_OTHER_ITEMS, seed) for seed in _OTHER_SEEDS)
        return next((found for found in tries if found != than), than)

    def _types(self) -> Any:
        subject = self.versions.registry.subject(self.versions.subject)
        return subject.types(self.versions.version)


def made_up(versions: Versions, items: Sequence[int]) -> list[Chosen]:
    """A state for each number of items; only one where there is no list to grow."""
    maker = MadeUp.of(versions)
    wanted = list(dict.fromkeys(items)) if maker.grows else [1]
    return [_chosen(maker, number) for number in wanted]


def _chosen(maker: MadeUp, items: int) -> Chosen:
    codec = maker.versions.codec("json")
    document = maker.document(items)
    size = len(codec.encode(codec.from_builtins(document)))
    label = f"{items} items, {size_text(size)}" if maker.grows else size_text(size)
    grown = items if maker.grows else 0
    return Chosen(label, maker.origin, grown, document, maker.other(document))


def _fits_sample(versions: Versions) -> bool:
    """Whether the subject is the reference subject, or one of the same form."""
    if versions.subject != _REFERENCE:
        return False
    codec = versions.codec("json")
    try:
        codec.from_builtins(document_of(versions.version, 1))
    except InstarError:
        return False
    return True
