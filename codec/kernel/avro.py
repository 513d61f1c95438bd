"""The avro format, by the kernel."""

from __future__ import annotations

from ..library.avro import ENGINE as LIBRARY
from .avro_reading import compile_reading
from .avro_writing import compile_writing
from .format import KernelFormat

ENGINE = KernelFormat(LIBRARY, compile_reading, compile_writing)
"""The engine of this format."""
