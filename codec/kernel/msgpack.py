"""The msgpack format, by the kernel."""

from __future__ import annotations

from functools import partial

from ..library.msgpack import ENGINE as LIBRARY
from .format import KernelFormat
from .keyed_reading import compile_reading
from .keyed_writing import compile_writing
from .spelling import MSGPACK

ENGINE = KernelFormat(LIBRARY, partial(compile_reading, MSGPACK), partial(compile_writing, MSGPACK))
"""The engine of this format."""
