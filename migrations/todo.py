"""The mark for a function of a migration that somebody still has to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ..errors import MigrationError


def todo(function: Callable[..., object]) -> NoReturn:
    """Stand in a migration for ``function`` until that is written.

    Raises MigrationError, so that nobody uses the migration before, and ``instar check``
    names the file and the line.
    """
    name = getattr(function, "__name__", repr(function))
    raise MigrationError(
        f"{name} is not written yet", mend=f"write it, and put {name} in the place of todo({name})"
    )
