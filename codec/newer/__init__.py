"""Newer states in older code: what a version cannot express is kept, and comes back."""

from .bridge import Bridge
from .decoding import make_keeping_decoder
from .lowering import make_lowering

__all__ = ["Bridge", "make_keeping_decoder", "make_lowering"]
