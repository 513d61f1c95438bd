"""Avro types and Python values in a few words, for the tables of the tour."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeAlias
from uuid import UUID

AvroType: TypeAlias = str | list[Any] | dict[str, Any]
"""A type as an ``.avsc`` file writes it."""

_WIDTH: Final = 36


def fields_in(file: Path) -> dict[str, Any]:
    """The Avro type of each field in an ``.avsc`` file, by name."""
    schema = json.loads(file.read_text(encoding="utf-8"))
    return {field["name"]: field["type"] for field in schema["fields"]}


def type_words(kind: AvroType) -> str:
    """An Avro type in words: ``array of Message``, ``null or string``."""
    if isinstance(kind, list):
        return " or ".join(type_words(branch) for branch in kind)
    if isinstance(kind, str):
        return kind
    match kind["type"]:
        case "array":
            return f"array of {type_words(kind['items'])}"
        case "map":
            return f"map of {type_words(kind['values'])}"
        case "enum" | "record":
            return str(kind["name"])
        case primitive:
            return f"{primitive} ({kind['logicalType']})"


def value_words(value: object, width: int = _WIDTH) -> str:
    """A Python value in at most ``width`` columns."""
    text = str(value) if isinstance(value, datetime | Enum | UUID) else repr(value)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def items_words(items: Sequence[object]) -> str:
    """A list by its length and the class of its items: ``[100 x Message]``."""
    return f"[{len(items)} x {type(items[0]).__name__}]" if items else "[]"
