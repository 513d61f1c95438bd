"""Schemas whose records lead into each other deeper than Python's stack is."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..errors import SchemaError


@contextmanager
def stack_errors(subject: str) -> Generator[None]:
    """Raise SchemaError, with ``subject`` as its place, where walking a schema ends the stack."""
    try:
        yield
    except RecursionError:
        raise SchemaError(
            "its types lead into each other deeper than Python's stack allows here",
            where=subject,
            mend="keep them flatter, or raise sys.setrecursionlimit before it is opened",
        ) from None
