"""rules: changes of values that are data, for ``convert`` and ``join``."""

from typing import TypeAlias

from .split import Split, split
from .table import Table, table

Rule: TypeAlias = Split | Table

__all__ = ["Rule", "Split", "Table", "split", "table"]
