"""Protobuf fields that began or ceased to tell a default from no value.

On the wire an absent field and a default are one thing where a field has no presence.
"""

from __future__ import annotations

from instar.migrations import convert, null_if, or_else
from instar.migrations.ops import Op
from instar.migrations.rules.values import Constant


def without(name: str, default: Constant) -> Op:
    """The field loses its presence: null becomes the default, and stays it on the way down."""
    return convert(name, or_else(default))


def with_presence(name: str, default: Constant, new: str | None = None) -> Op:
    """The field gains presence: a default becomes null, and null the default on the way down."""
    return convert(name, null_if(default), into=new)
