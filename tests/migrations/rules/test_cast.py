"""Rules that read a value as another type."""

from __future__ import annotations

import math
import uuid
from decimal import Decimal
from typing import Any

import pytest
from rule_samples import (
    BOOLEAN,
    BYTES,
    DATE,
    DECIMAL,
    DOUBLE,
    INT,
    LONG,
    NEW,
    OLD,
    STRING,
    UUID,
)

from instar.errors import MigrationError, NotExpressible
from instar.migrations import cast, or_else
from instar.migrations.rules import Cast, Scalar
from instar.schemas.model import Fixed

ID = "6f0c9f5e-3a57-4a0e-9d33-0d5f3c3c9b11"


@pytest.mark.parametrize(
    ("source", "target", "value", "expected", "again"),
    [
        (STRING, INT, "42", 42, "42"),
        (STRING, INT, "-007", -7, "-7"),
        (STRING, LONG, "+5", 5, "5"),
        (STRING, DOUBLE, "1.50", 1.5, "1.5"),
        (STRING, DOUBLE, "1e3", 1000.0, "1000.0"),
        (STRING, DOUBLE, "-Infinity", -math.inf, "-Infinity"),
        (STRING, DECIMAL, "12.5", Decimal("12.5"), "12.5"),
        (STRING, BOOLEAN, "True", True, "true"),
        (STRING, OLD, "DONE", "DONE", "DONE"),
        (STRING, UUID, ID.upper(), uuid.UUID(ID), ID),
        (STRING, BYTES, "AAE=", b"\x00\x01", "AAE="),
        (STRING, Fixed("F", 2), "AAE=", b"\x00\x01", "AAE="),
        (INT, BOOLEAN, 1, True, 1),
        (INT, DOUBLE, 3, 3.0, 3),
        (DECIMAL, INT, Decimal("3.00"), 3, Decimal(3)),
        (UUID, BYTES, uuid.UUID(ID), uuid.UUID(ID).bytes, uuid.UUID(ID)),
        (UUID, Fixed("F", 16), uuid.UUID(ID), uuid.UUID(ID).bytes, uuid.UUID(ID)),
    ],
)
def test_change(source: Scalar, target: Scalar, value: Any, expected: Any, again: Any) -> None:
    """A value is read as the other type, and written in one way on the way back."""
    found = cast().bind(source, target, forward=True)(value)
    assert found == expected
    assert type(found) is type(expected)
    assert cast().bind(target, source, forward=False)(found) == again


@pytest.mark.parametrize(
    ("source", "target", "value"),
    [
        *((STRING, INT, text) for text in ("", " 1", "1.0", "0x1", "1_000", "٣", "9" * 30)),
        *((STRING, DOUBLE, text) for text in ("", "inf", "1e999", "1,5", "nan")),
        *((STRING, DECIMAL, text) for text in ("1e3", "1.234", "99999999", "NaN")),
        *((STRING, BOOLEAN, text) for text in ("yes", "1", "")),
        (STRING, OLD, "done"),
        *((STRING, UUID, text) for text in (f"{{{ID}}}", f"urn:uuid:{ID}", ID[:-1])),
        *((STRING, BYTES, text) for text in ("AAE", "AAF=", "A\nAE=", "é")),
        (STRING, Fixed("F", 2), "AA=="),
        (INT, BOOLEAN, 2),
        (DOUBLE, INT, 0.5),
        (BYTES, UUID, b"\x00"),
    ],
)
def test_refused(source: Scalar, target: Scalar, value: Any) -> None:
    """What is no value of the other type is refused, or otherwise stands for it."""
    with pytest.raises(NotExpressible):
        cast().bind(source, target, forward=True)(value)


def test_otherwise() -> None:
    """The value for all others is given in JSON form, for each direction."""
    rule = cast(otherwise=0, otherwise_down="none")
    assert rule.bind(STRING, INT, forward=True)("x") == 0
    assert rule.losses(STRING, INT, forward=True) == (
        "leading zeros and plus signs; 0 stands for text that is no int"
    )
    assert rule.refuses(STRING, INT, forward=True) == ""
    assert cast(otherwise="AA==").bind(STRING, BYTES, forward=True)("?") == b"\x00"


def test_hex() -> None:
    """Bytes may be hex."""
    rule = cast(encoding="hex")
    assert rule.bind(STRING, BYTES, forward=True)("00fF") == b"\x00\xff"
    assert rule.bind(BYTES, STRING, forward=False)(b"\x00\xff") == "00ff"
    with pytest.raises(NotExpressible, match="is no hex"):
        rule.bind(STRING, BYTES, forward=True)("0 0")


@pytest.mark.parametrize(
    ("source", "target"),
    [(STRING, STRING), (OLD, NEW), (OLD, INT), (BOOLEAN, DOUBLE), (STRING, DATE), (DATE, INT)],
)
def test_types(source: Scalar, target: Scalar) -> None:
    """Types that have nothing to do with each other are an error that names other rules."""
    with pytest.raises(MigrationError, match=r"cast\(...\) does not lead") as caught:
        cast().bind(source, target, forward=True)
    assert "(...)" in caught.value.mend


@pytest.mark.parametrize(
    ("source", "target", "lost", "refused"),
    [
        (INT, STRING, "", ""),
        (STRING, BYTES, "", "text that is no bytes"),
        (STRING, BOOLEAN, "capital letters", "text that is no boolean"),
        (BOOLEAN, INT, "", ""),
        (INT, BOOLEAN, "", "numbers other than 0 and 1"),
        (LONG, DOUBLE, "digits beyond those of a float", ""),
    ],
)
def test_words(source: Scalar, target: Scalar, lost: str, refused: str) -> None:
    """What a text says beside its value is lost."""
    assert Cast().losses(source, target, forward=True) == lost
    assert Cast().refuses(source, target, forward=True) == refused


def test_or_else() -> None:
    """Null becomes a value, which stays one on the way down, or becomes null again."""
    rule, again = or_else(0), or_else(0, null_again=True)
    assert [rule.bind(INT, LONG, forward=True)(value) for value in (None, 0, 5)] == [0, 0, 5]
    assert [rule.bind(LONG, INT, forward=False)(value) for value in (0, 5)] == [0, 5]
    assert [again.bind(LONG, INT, forward=False)(value) for value in (0, 5)] == [None, 5]
    with pytest.raises(NotExpressible, match="beyond int"):
        rule.bind(LONG, INT, forward=False)(2**40)
    assert rule.losses(INT, LONG, forward=True) == "null becomes 0"
    assert rule.losses(LONG, INT, forward=False) == ""
    assert or_else("2025-06-01").bind(DATE, DATE, forward=True)(None).year == 2025


@pytest.mark.parametrize(
    ("value", "source", "target"),
    [("x", INT, INT), (0, INT, STRING), ("x", OLD, NEW), (True, INT, INT)],
)
def test_or_else_types(value: Any, source: Scalar, target: Scalar) -> None:
    """The value is one of the type, and the type stays what it is."""
    with pytest.raises(MigrationError):
        or_else(value).bind(source, target, forward=True)
