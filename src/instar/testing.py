"""Property tests of your own: generated states of any version of a subject.

Needs hypothesis: ``pip install 'instar[test]'``. The laws of migrations need no test of your
own: ``instar verify`` runs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .codec.codec import Codec
from .codec.compatibility.values import states as _states

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["states"]


def states(codec: Codec[Any], version: int | None = None) -> SearchStrategy[Any]:
    """A hypothesis strategy for the states of a version: objects of ``codec.types[version]``.

    They belong to the registry that made the codec. Without ``version``, they are of the version
    that the codec writes. Every value that the schema allows can come up, and those at the edges
    often do: empty and null, the ends of numbers, NaN, text with separators. Recursive types end
    after two records.

    Raises ``NoSuchSubject`` for a version that is not there, and ``MissingExtra`` where
    hypothesis is not installed.
    """
    found: SearchStrategy[Any] = _states(codec.schema_types(version))
    return found
