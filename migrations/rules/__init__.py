"""rules: changes of values that are data, for ``convert`` and ``join``."""

from typing import TypeAlias

from .rule import Scalar
from .split import Split, split
from .table import Table, table

Rule: TypeAlias = Split | Table

__all__ = ["Rule", "Scalar", "Split", "Table", "split", "table"]
