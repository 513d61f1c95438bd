"""How many examples a property is tried on, in proportion to the profile of hypothesis.

The profile ``instar`` stands for 100, so ``--hypothesis-profile=deep`` tries ten times as many,
and ``brief`` a quarter.
"""

from __future__ import annotations

from hypothesis import settings

_USUAL = 100


def examples(usual: int) -> int:
    """The number that is ``usual`` ones in the profile that is in use, but two at least."""
    return max(min(usual, 2), usual * settings().max_examples // _USUAL)
