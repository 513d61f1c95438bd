"""States to write and to take values from, the same for the same seed."""

from __future__ import annotations

from typing import Any, Final

from ...codec.codec import Codec
from ...codec.compatibility.values import states
from ...codec.extras import import_hypothesis
from ...errors import InstarError

_MOST: Final = 60


def samples(codec: Codec[Any], seed: int) -> list[Any]:
    """States of the codec's version that it can write, some at the edges of the schema.

    Raises MissingExtra without hypothesis, and InstarError where there is none.
    """
    hypothesis: Any = import_hypothesis()
    found: list[Any] = []

    def collect(state: Any) -> None:
        try:
            codec.encode(state)
        except InstarError:
            return  # as a float that a text format does not have
        found.append(state)

    settings = hypothesis.settings(
        max_examples=_MOST,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    run = hypothesis.given(states(codec.schema_types()))(collect)
    hypothesis.seed(seed)(settings(run))()
    if not found:
        raise InstarError(
            f"no state of version {codec.version} can be written in {codec.format}",
            where=codec.subject,
        )
    return found
