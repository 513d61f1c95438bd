"""YAML text to plain values and back, strictly."""

from .dump import dump_yaml
from .load import load_yaml

__all__ = ["dump_yaml", "load_yaml"]
