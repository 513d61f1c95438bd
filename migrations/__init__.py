"""migrations: the steps between the versions of a subject, in both directions.

What a migration file imports is here::

    from instar.migrations import Migration, add, convert, rename, table
"""

from .compute import compute
from .migration import Migration
from .ops import (
    add,
    convert,
    head,
    hoist,
    join,
    move,
    plunge,
    remove,
    rename,
    within,
    wrap,
)
from .rules import cast, null_if, or_else, retime, scale, split, table, ticks, time_text
from .todo import todo

__all__ = [
    "Migration",
    "add",
    "cast",
    "compute",
    "convert",
    "head",
    "hoist",
    "join",
    "move",
    "null_if",
    "or_else",
    "plunge",
    "remove",
    "rename",
    "retime",
    "scale",
    "split",
    "table",
    "ticks",
    "time_text",
    "todo",
    "within",
    "wrap",
]
