"""The protobuf format, by the kernel."""

from __future__ import annotations

from ..library.protobuf import ENGINE as LIBRARY
from .format import KernelFormat
from .protobuf_reading import compile_reading
from .protobuf_writing import compile_writing

ENGINE = KernelFormat(LIBRARY, compile_reading, compile_writing)
"""The engine of this format."""
