"""The kernel's reader of plain binary tags, where there is a kernel."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .header import LARGEST_VERSION


def _no_kernel(*_: Any) -> Any:
    return NotImplemented


def _find() -> tuple[Callable[..., Any], Callable[..., Any]]:
    if os.environ.get("INSTAR_ENGINE") == "library":
        return _no_kernel, _no_kernel
    try:
        from ..kernel.core import framed, head_of  # noqa: PLC0415 - there may be no kernel
    except ImportError:
        return _no_kernel, _no_kernel
    return head_of, framed


_head_of, _framed = _find()


def quick_head(blob: object) -> Any:
    """Format, version, fingerprint, start and size of the payload, and the checksum, compared,
    of a plain binary blob; ``NotImplemented`` for any other.
    """
    return _head_of(blob)


def quick_frame(code: int, version: int, fingerprint: int, payload: bytes, largest: int) -> Any:
    """A payload behind its tag; ``NotImplemented`` where the tag cannot say this, or the blob
    has more than ``largest`` bytes.
    """
    if not 1 <= version <= LARGEST_VERSION or not 0 <= fingerprint < 1 << 64:
        return NotImplemented
    return _framed(code, version, fingerprint, payload, largest)
