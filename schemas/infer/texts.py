"""Texts that stand for a UUID or a point in time.

A form is recognised only where the text is exactly what its ``write`` gives back, so a
document that was read through it is written unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Final, TypeVar
from uuid import UUID

from ..model import Logical, Primitive

_Moment = TypeVar("_Moment", datetime, time)


def read_instant(text: str) -> datetime:
    """Read ISO 8601 with an offset as an aware time in UTC.

    Raises ValueError where ``text`` is no such time, or has no offset.
    """
    moment = datetime.fromisoformat(text)
    if moment.utcoffset() is None:
        raise ValueError(f"{text!r} has no offset from UTC")
    return moment.astimezone(UTC)


def read_local(text: str) -> datetime:
    """Read ISO 8601 without an offset. Raises ValueError where ``text`` is no such time."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None:
        raise ValueError(f"{text!r} has an offset from UTC")
    return moment


def write_millis(moment: datetime) -> str:
    """Write an aware time as JavaScript's ``toISOString`` does: three digits and ``Z``."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def write_micros(moment: datetime) -> str:
    """Write an aware time as Python's ``isoformat`` does, in UTC."""
    return moment.astimezone(UTC).isoformat()


def write_rfc3339(moment: datetime) -> str:
    """Write an aware time in UTC with ``Z``, and a fraction only where there is one."""
    return write_micros(moment).removesuffix("+00:00") + "Z"


def write_local(moment: datetime) -> str:
    """Write a naive time as Python's ``isoformat`` does."""
    return moment.isoformat()


def truncate_to_millis(moment: _Moment) -> _Moment:
    """Drop what a unit of milliseconds cannot hold."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form of text and the logical type that stands for it.

    ``lengths`` are the lengths in characters that the form can have.
    """

    logical: Logical
    lengths: tuple[int, ...]
    rewrite: Callable[[str], str]

    def fits(self, text: str) -> bool:
        """Whether ``text`` is exactly as this form writes it."""
        if len(text) not in self.lengths:
            return False
        try:
            return self.rewrite(text) == text
        except (ValueError, OverflowError):
            return False


TEXT_FORMS: Final = (
    TextForm(
        Logical("uuid", Primitive("string")),
        (36,),
        lambda text: str(UUID(text)),
    ),
    TextForm(
        Logical("timestamp", Primitive("long"), "millis"),
        (24,),
        lambda text: write_millis(read_instant(text)),
    ),
    TextForm(
        Logical("timestamp", Primitive("long"), "micros"),
        (25, 32),
        lambda text: write_micros(read_instant(text)),
    ),
    TextForm(
        Logical("timestamp", Primitive("long"), "micros", text_form="rfc3339"),
        (20, 27),
        lambda text: write_rfc3339(read_instant(text)),
    ),
    TextForm(
        Logical("local-timestamp", Primitive("long"), "micros"),
        (19, 26),
        lambda text: write_local(read_local(text)),
    ),
)
"""The forms that inference knows. No text fits two of them."""
