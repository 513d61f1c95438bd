"""What a message says of a value that is none of its type."""

from __future__ import annotations

from instar.codec.mismatch import mismatch


def test_no_address_of_an_object() -> None:
    """The same value gives the same message in every process."""
    error = mismatch("a number", object())
    assert error.what == "expected a number, found object <object object>"
    assert mismatch("a number", "at 0x1").what == "expected a number, found str 'at 0x1'"


def test_long_values_are_cut() -> None:
    """A message shows the beginning of a value."""
    assert mismatch("an int", "x" * 100).what == f"expected an int, found str '{'x' * 56}..."
