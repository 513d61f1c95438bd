"""Documents beside the states of a store: small, written once, under names of their own."""

from __future__ import annotations

import re
from typing import Final

from ..errors import ConfigError, InvalidKey, LimitExceeded

DOCUMENT_LIMIT: Final = 4 * 1024 * 1024
"""Bytes in the largest document."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def check_document(name: object, content: object = b"") -> None:
    """Raise what is wrong with a document that can be known before it is read or written.

    InvalidKey for a name that is not 1 to 64 of ``[a-z0-9-]``, ConfigError for content that is
    no bytes, LimitExceeded for more than 4 MiB.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidKey(
            "this is no name of a document",
            where=repr(name),
            mend="use 1 to 64 of a-z, 0-9 and -, and begin with no -",
        )
    if not isinstance(content, bytes):
        raise ConfigError(
            f"a document is bytes, and this one is {type(content).__name__}", where=name
        )
    if len(content) > DOCUMENT_LIMIT:
        raise LimitExceeded(
            f"the document has {len(content)} bytes, and stores take {DOCUMENT_LIMIT}", where=name
        )
