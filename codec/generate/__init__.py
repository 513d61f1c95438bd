"""The code generator: from schemas to typed modules."""

from .files import check_generated, write_generated
from .generate import generate

__all__ = ["check_generated", "generate", "write_generated"]
