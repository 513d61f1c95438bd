"""What was seen at one place of the sample documents.

A :class:`Shape` is a lattice: ``merge`` is associative and commutative but for the order
of keys and texts, and observing values one by one is merging the shapes of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ...errors import DocumentError
from .texts import TEXT_FORMS, TextForm
from .thresholds import DEPTH, ENUM_SYMBOLS

INT_LEAST = -(2**31)
INT_MOST = 2**31 - 1
LONG_LEAST = -(2**63)
LONG_MOST = 2**63 - 1
UNSIGNED_MOST = 2**64 - 1


@dataclass(slots=True)
class Numbers:
    """Counts of integers and floats, and whether each integer fits 32 bits, 64 and a double."""

    integers: int = 0
    floats: int = 0
    fits_int: bool = True
    fits_long: bool = True
    fits_double: bool = True

    def observe_integer(self, value: int) -> None:
        """Count one integer. Raises DocumentError beyond 64 bits, which no format holds."""
        if not LONG_LEAST <= value <= UNSIGNED_MOST:
            raise DocumentError(
                f"the integer {value} has more than 64 bits", mend="write it as text"
            )
        self.integers += 1
        self.fits_int = self.fits_int and INT_LEAST <= value <= INT_MOST
        self.fits_long = self.fits_long and value <= LONG_MOST
        self.fits_double = self.fits_double and is_exact_double(value)

    def merge(self, other: Numbers) -> None:
        """Add what ``other`` has seen."""
        self.integers += other.integers
        self.floats += other.floats
        self.fits_int = self.fits_int and other.fits_int
        self.fits_long = self.fits_long and other.fits_long
        self.fits_double = self.fits_double and other.fits_double


@dataclass(slots=True)
class Texts:
    """How many texts, which forms fit all of them, and the distinct ones while few."""

    count: int = 0
    forms: tuple[TextForm, ...] = TEXT_FORMS
    distinct: dict[str, None] | None = field(default_factory=dict[str, None])

    def observe(self, text: str) -> None:
        """Count one text."""
        self.count += 1
        if self.forms:
            self.forms = tuple(form for form in self.forms if form.fits(text))
        if self.distinct is not None:
            self.distinct[text] = None
            self._forget_many()

    def merge(self, other: Texts) -> None:
        """Add what ``other`` has seen."""
        self.count += other.count
        self.forms = tuple(form for form in self.forms if form in other.forms)
        if self.distinct is None or other.distinct is None:
            self.distinct = None
        else:
            self.distinct |= other.distinct
            self._forget_many()

    def _forget_many(self) -> None:
        if self.distinct is not None and len(self.distinct) > ENUM_SYMBOLS:
            self.distinct = None


@dataclass(slots=True)
class Shape:
    """Everything seen at one place. Each count is a number of values.

    ``fields`` has the shape of each key's values over all objects, in order of first
    sight; ``items`` that of all items of all arrays, or None before the first item.
    """

    nulls: int = 0
    booleans: int = 0
    numbers: Numbers = field(default_factory=Numbers)
    texts: Texts = field(default_factory=Texts)
    arrays: int = 0
    items: Shape | None = None
    objects: int = 0
    fields: dict[str, Shape] = field(default_factory=dict[str, "Shape"])

    @property
    def count(self) -> int:
        """How many values were seen here, nulls among them."""
        numbers = self.numbers.integers + self.numbers.floats
        return self.nulls + self.booleans + numbers + self.texts.count + self.arrays + self.objects

    @property
    def kinds(self) -> tuple[str, ...]:
        """The JSON kinds seen here, in a fixed order, null left out."""
        seen = {
            "boolean": self.booleans,
            "number": self.numbers.integers + self.numbers.floats,
            "string": self.texts.count,
            "array": self.arrays,
            "object": self.objects,
        }
        return tuple(kind for kind, count in seen.items() if count)

    def observe(self, value: object, depth: int = 0) -> None:
        """Count one JSON value and all within it.

        Raises DocumentError for what is not JSON, and for nesting beyond ``DEPTH``.
        """
        match value:
            case None:
                self.nulls += 1
            case bool():
                self.booleans += 1
            case int():
                self.numbers.observe_integer(value)
            case float() if math.isfinite(value):
                self.numbers.floats += 1
            case str():
                self.texts.observe(value)
            case list() | dict() if depth >= DEPTH:
                raise DocumentError(
                    f"nested deeper than {DEPTH} levels", mend="flatten the document"
                )
            case list():
                self._observe_array(value, depth + 1)  # pyright: ignore[reportUnknownArgumentType]  # items are checked one by one
            case dict():
                self._observe_object(value, depth + 1)  # pyright: ignore[reportUnknownArgumentType]  # as above
            case _:
                raise DocumentError(f"{value!r} ({type(value).__name__}) is no JSON value")

    def _observe_array(self, values: list[object], depth: int) -> None:
        self.arrays += 1
        for value in values:
            self.items = self.items or Shape()
            self.items.observe(value, depth)

    def _observe_object(self, members: dict[object, object], depth: int) -> None:
        self.objects += 1
        for key, value in members.items():
            if not isinstance(key, str):
                raise DocumentError(f"the key {key!r} is no text")
            self.fields.setdefault(key, Shape()).observe(value, depth)

    def merge(self, other: Shape) -> None:
        """Add what ``other`` has seen, which stays as it is."""
        self.nulls += other.nulls
        self.booleans += other.booleans
        self.numbers.merge(other.numbers)
        self.texts.merge(other.texts)
        self.arrays += other.arrays
        self.objects += other.objects
        if other.items:
            self.items = self.items or Shape()
            self.items.merge(other.items)
        for key, shape in other.fields.items():
            self.fields.setdefault(key, Shape()).merge(shape)


def merged(shapes: list[Shape]) -> Shape:
    """One shape of all that ``shapes`` have seen; they stay as they are."""
    total = Shape()
    for shape in shapes:
        total.merge(shape)
    return total


def is_exact_double(value: int) -> bool:
    """Whether a double holds the integer ``value``, of 64 bits, exactly."""
    return int(float(value)) == value
