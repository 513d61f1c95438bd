"""rules: changes of values that are data, for ``convert`` and ``join``."""

from typing import TypeAlias

from .cast import Cast, cast
from .or_else import OrElse, or_else
from .retime import Retime, retime
from .rounding import Rounding
from .rule import BaseRule, Scalar
from .scale import Scale, scale
from .split import Split, split
from .table import Table, table
from .ticks import Ticks, ticks
from .time_text import TimeText, time_text

Rule: TypeAlias = Cast | OrElse | Retime | Scale | Split | Table | Ticks | TimeText

__all__ = [
    "BaseRule",
    "Cast",
    "OrElse",
    "Retime",
    "Rounding",
    "Rule",
    "Scalar",
    "Scale",
    "Split",
    "Table",
    "Ticks",
    "TimeText",
    "cast",
    "or_else",
    "retime",
    "scale",
    "split",
    "table",
    "ticks",
    "time_text",
]
