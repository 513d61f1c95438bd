"""Every number that inference decides by, each with its reason."""

from __future__ import annotations

from typing import Final

DEPTH: Final = 100
"""Levels of nesting in a document; the codec accepts no more."""

UNION_BRANCHES: Final = 3
"""Kinds of value at one place, null not counted. More than that is no design, but any JSON."""

REPEATS_OF_KEY: Final = 3
"""A key that occurs so often on one path is a tree of unknown height; it ends as ``json``."""

RECORD_DEPTH: Final = 16
"""Records within records; deeper ones are ``json``."""

KEYS_AS_DATA: Final = 0.25
"""Share of keys that no programmer would choose as a name (paths, ids, ``branch:to:x``)
from which on keys are data, and the object a map."""

DIGITS_OF_ID: Final = 5
"""A key with so many digits is an id."""

KEY_LENGTH: Final = 64
"""A longer key is data."""

MANY_KEYS: Final = 64
"""So many different keys with values of one shape make a map, not a record."""

FEW_KEYS: Final = 4
"""Below this, objects without a common key are still a record of optional fields."""

SPARSE: Final = 0.5
"""An object that holds fewer of the known keys than this on average may be a map."""

NEW_KEYS: Final = 0.5
"""Keys seen once, for each object seen: how many unknown keys the next object will bring
(Good-Turing). From this on the keys keep changing."""

OBJECTS_TO_JUDGE: Final = 4
"""Objects to see before anything is said about keys that keep changing."""

SHARED_LEAST: Final = 0.2
"""Objects without a common key that hold less of the known keys than this share too little
to be one record."""

ENUM_SYMBOLS: Final = 12
"""An inferred enum has at most this many symbols."""

ENUM_REPEATS: Final = 3
"""Each symbol of an inferred enum was seen this often on average."""

SYMBOL_LENGTH: Final = 40
"""A longer text is no enum symbol."""
