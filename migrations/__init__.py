"""migrations: the steps between the versions of a subject, in both directions.

What a migration file imports is here::

    from instar.migrations import Migration, compute
"""

from .migration import Migration
from .ops import compute

__all__ = ["Migration", "compute"]
