"""migrations: the steps between the versions of a subject, in both directions.

What a migration file imports is here::

    from instar.migrations import Migration, add, convert, rename
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
from .rules import split, table

__all__ = [
    "Migration",
    "add",
    "compute",
    "convert",
    "head",
    "hoist",
    "join",
    "move",
    "plunge",
    "remove",
    "rename",
    "split",
    "table",
    "within",
    "wrap",
]
