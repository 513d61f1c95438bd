"""The error for a record or enum that is not of the very class that is due."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from ..errors import ValueMismatch
from ..schemas.model import Schema
from .mismatch import mismatch

_VERSIONS: WeakKeyDictionary[type, tuple[str, int]] = WeakKeyDictionary()
"""Of which subject and version a class is; only errors look it up."""


def remember(classes: Iterable[type], schema: Schema) -> None:
    """Keep in mind that these are classes of ``schema``, for as long as they live."""
    for cls in classes:
        _VERSIONS[cls] = (schema.subject, schema.version)


def other_class(wanted: type, value: object) -> ValueMismatch:
    """The error to raise for a value of another class, which may well have the same name."""
    found = type(value)
    if found.__name__ != wanted.__name__:
        return mismatch(f"a {wanted.__name__}", value)
    due, given = _VERSIONS.get(wanted), _VERSIONS.get(found)
    if due is None or given is None or due == given:
        return _other_module(wanted, found)
    (subject, version), (owner, other) = due, given
    of, by = ("", "") if subject == owner else (f"{subject}, ", f"{owner}, ")
    return ValueMismatch(
        f"expected a {wanted.__name__} of {of}version {version}, found one of {by}version {other}",
        mend=f"use the classes of {of}version {version}, or a codec of {by}version {other}",
    )


def _other_module(wanted: type, found: type) -> ValueMismatch:
    """The error for two classes of which no versions tell them apart."""
    name, due, given = wanted.__name__, wanted.__module__, found.__module__
    if due == given:
        return ValueMismatch(
            f"expected a {name} of {due}, found another class of that name and module",
            mend="use the classes of this codec; a registry without generated ones makes its own",
        )
    return ValueMismatch(
        f"expected a {name} of {due}, found one of {given}",
        mend=f"use the class of {due}",
    )
