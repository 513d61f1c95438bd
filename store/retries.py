"""When a repository tries again, and how long it waits before."""

from __future__ import annotations

from collections.abc import Callable
from random import SystemRandom
from time import sleep
from typing import Final, TypeVar

from ..errors import StoreError

R = TypeVar("R")

_TRIES: Final = 3
_FIRST_PAUSE: Final = 0.001
_LONGEST_PAUSE: Final = 0.25


def persist(write: Callable[[], R]) -> R:
    """Do ``write``, up to three times where the store could not say how it went.

    That is a StoreError that is none of its leaves. ``write`` must carry one write id each time.
    Raises the last error.
    """
    for attempt in range(_TRIES - 1):
        try:
            return write()
        except StoreError as error:
            if type(error) is not StoreError:
                raise
            pause(attempt)
    return write()


def pause(attempt: int) -> None:
    """Sleep for a random time of at most 1 ms * 2**attempt, and never more than 0.25 s.

    The algorithm is "full jitter" from Exponential Backoff and Jitter (Marc Brooker, AWS, 2015).
    """
    sleep(SystemRandom().uniform(0, min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE)))
