"""The laws of migrations, run: generated states go up, down, around, and come out as they must."""

from .law import Broken, Law, Outcome, Settings
from .run import Run, prepare, verify

__all__ = ["Broken", "Law", "Outcome", "Run", "Settings", "prepare", "verify"]
