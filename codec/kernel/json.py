"""The json format, by the kernel."""

from __future__ import annotations

from functools import partial

from ..library.json import ENGINE as LIBRARY
from .format import KernelFormat
from .keyed_reading import compile_reading
from .keyed_writing import compile_writing
from .spelling import JSON

ENGINE = KernelFormat(LIBRARY, partial(compile_reading, JSON), partial(compile_writing, JSON))
"""The engine of this format."""
