"""rules: changes of values that are data, for ``convert`` and ``join``."""

from typing import TypeAlias

from .cast import Cast, cast
from .or_else import NullIf, NullRule, OrElse, null_if, or_else
from .retime import Retime, retime
from .rounding import Rounding
from .rule import BaseRule, Scalar
from .scale import Scale, scale
from .split import Split, split
from .table import Table, table
from .ticks import Ticks, ticks
from .time_text import TimeText, time_text

Rule: TypeAlias = Cast | NullIf | OrElse | Retime | Scale | Split | Table | Ticks | TimeText

__all__ = [
    "BaseRule",
    "Cast",
    "NullIf",
    "NullRule",
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
    "null_if",
    "or_else",
    "retime",
    "scale",
    "split",
    "table",
    "ticks",
    "time_text",
]
