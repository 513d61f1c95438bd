"""The kernel's reader of plain binary tags, where there is a kernel."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def _no_kernel(_: Any) -> Any:
    return NotImplemented


def _find() -> Callable[[Any], Any]:
    if os.environ.get("INSTAR_ENGINE") == "library":
        return _no_kernel
    try:
        from ..kernel.core import head_of  # noqa: PLC0415 - there may be no kernel
    except ImportError:
        return _no_kernel
    return head_of


quick_head = _find()
"""Format, version, fingerprint, start and size of the payload, and the checksum, compared, of a
plain binary blob; ``NotImplemented`` for any other.
"""
