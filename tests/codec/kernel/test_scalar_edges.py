"""Times, decimals and UUIDs at their ends: the kernel gives what the library engine gives."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_pair import Pair, Refused, field_of, pair_of, with_field, zigzag

from instar.schemas.model import Fixed, Logical, LogicalKind, Primitive, Reference, Unit

INT, LONG, BYTES = Primitive("int"), Primitive("long"), Primitive("bytes")
DAY = 86_400_000_000
FIRST, LAST = -719_162 * DAY, 2_932_897 * DAY - 1
"""The first and the last microsecond of the calendar, counted from 1970."""
COUNTED: tuple[tuple[LogicalKind, Unit | None, Primitive, int], ...] = (
    ("date", None, INT, DAY),
    ("time", "millis", INT, 1000),
    ("time", "micros", LONG, 1),
    ("timestamp", "millis", LONG, 1000),
    ("timestamp", "micros", LONG, 1),
    ("local-timestamp", "millis", LONG, 1000),
    ("local-timestamp", "micros", LONG, 1),
    ("duration", "micros", LONG, 1),
)
PAIRS = [(pair_of(Logical(kind, base, unit)), scale) for kind, unit, base, scale in COUNTED]
NAMES = [f"{kind}-{unit}" for kind, unit, *_ in COUNTED]


def ends(scale: int) -> list[int]:
    """Counts around every end that a unit of ``scale`` microseconds has."""
    around = [0, FIRST, LAST, DAY, -DAY, 2**63, -(2**63), 2**31 * scale, -(2**31) * scale]
    # 64 bits of microseconds come round again at these.
    around += [2**64, -(2**64), 2**64 + DAY, 10**9 * DAY, -(10**9) * DAY, FIRST * 1000, LAST * 1000]
    found = {n // scale + more for n in around for more in (-1, 0, 1)}
    return sorted(n for n in found | set(around) if -(2**63) <= n < 2**63)


@pytest.mark.parametrize(("pair", "scale"), PAIRS, ids=NAMES)
def test_every_end_of_the_calendar_is_where_python_has_it(pair: Pair, scale: int) -> None:
    """A count is accepted exactly where Python has a value for it, and then gives that value."""
    for count in ends(scale):
        payload = zigzag(count)
        wanted = pair.wanted(payload)
        if isinstance(wanted, Refused):
            assert pair.state(payload) is NotImplemented, count
        else:
            assert repr(pair.state(payload)) == repr(wanted), count
            assert pair.payload(wanted) == payload == pair.write(wanted), count


def test_a_count_that_overflows_is_no_moment() -> None:
    """2**64 / 1000 milliseconds once came round to 1970."""
    for kind in ("timestamp", "local-timestamp"):
        pair = pair_of(Logical(kind, LONG, "millis"))
        assert pair.state(zigzag(18_446_744_073_709_552)) is NotImplemented
        assert pair.state(zigzag(-18_446_744_073_709_551)) is NotImplemented


@given(st.integers(FIRST // 1000, LAST // 1000))
def test_any_millisecond_of_the_calendar(count: int) -> None:
    """The kernel counts as `datetime` does, on either side of 1970."""
    pair = PAIRS[3][0]
    found = field_of(pair.state(zigzag(count)))
    assert found == dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=count)
    assert pair.payload(with_field(pair, found)) == zigzag(count)


MOMENT = dt.datetime(2026, 1, 2, 3, 4, 5, 6000, dt.UTC)


class OtherDatetime(dt.datetime):
    """A class of a user's own."""


@pytest.mark.parametrize(
    "value",
    [
        MOMENT.astimezone(dt.timezone(dt.timedelta(hours=5, minutes=30))),
        MOMENT.replace(tzinfo=dt.timezone(dt.timedelta(0), "mine")),
        MOMENT.replace(fold=1),
        OtherDatetime(2026, 1, 2, tzinfo=dt.UTC),
        dt.datetime.min.replace(tzinfo=dt.UTC),
        dt.datetime.max.replace(microsecond=999_000, tzinfo=dt.UTC),
    ],
)
def test_a_moment_is_written_alike_however_it_is_told(value: dt.datetime) -> None:
    """Other zones, folds and subclasses give the library engine's bytes, in either unit."""
    for pair, _ in PAIRS[3:5]:
        state = with_field(pair, value)
        assert pair.payload(state) == pair.write(state)


@pytest.mark.parametrize(
    ("precision", "scale"), [(1, 0), (4, 2), (9, 2), (18, 0), (18, 18), (19, 4)]
)
def test_decimals_at_the_edge_of_their_precision(precision: int, scale: int) -> None:
    """Every count of bytes and every sign gives the library's Decimal, digit for digit."""
    pair = pair_of(Logical("decimal", BYTES, precision=precision, scale=scale))
    top = 10**precision
    numbers = [0, 1, -1, 127, 128, -128, -129, top - 1, top, 1 - top, -top, 2**63, -(2**63), 10**40]
    for number in numbers:
        for spare in (0, 1, 7, 8):
            raw = number.to_bytes((number.bit_length() // 8) + 1 + spare, "big", signed=True)
            payload = zigzag(len(raw)) + raw
            wanted = pair.wanted(payload)
            assert pair.agrees(payload), number
            assert isinstance(wanted, Refused) == (abs(number) >= top)
            if not isinstance(wanted, Refused):
                assert pair.state(payload) is not NotImplemented
                assert pair.payload(wanted) == pair.write(wanted)
    assert pair.agrees(b"\x00")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=None))
def test_any_decimal_is_written_alike_or_refused(value: Decimal) -> None:
    """The kernel writes a Decimal as the library engine does, or leaves it to it."""
    pair = DECIMAL
    state = with_field(pair, value)
    found = outcome(pair, state)
    assert pair.payload(state) in (found, NotImplemented)


@given(st.integers(-(10**9) + 1, 10**9 - 1))
def test_plain_decimals_are_the_kernels_own(number: int) -> None:
    """Digits that fit are accepted and come back, whatever their sign."""
    state = with_field(DECIMAL, Decimal(f"{number}E-2"))
    payload = DECIMAL.payload(state)
    assert payload == DECIMAL.write(state)
    assert repr(DECIMAL.state(payload)) == repr(DECIMAL.read(payload))


DECIMAL = pair_of(Logical("decimal", BYTES, precision=9, scale=2))


def outcome(pair: Pair, state: Any) -> Any:
    """The library engine's bytes, or NotImplemented where it refuses the state."""
    try:
        return pair.write(state)
    except Exception:  # noqa: BLE001 - whatever it raises, the kernel has to leave it to it
        return NotImplemented


SIXTEEN = Fixed("Sixteen", 16)


@given(st.integers(0, 2**128 - 1))
def test_uuids_in_text_and_in_bytes(number: int) -> None:
    """A UUID equals the library's, and is as safe, hashable and printable."""
    value = uuid.UUID(int=number)
    for pair in (TEXT_UUID, BYTES_UUID):
        payload = pair.payload(with_field(pair, value))
        assert payload == pair.write(with_field(pair, value))
        found = field_of(pair.state(payload))
        assert (found, hash(found), str(found)) == (value, hash(value), str(value))
        assert (found.is_safe, found.int, found.fields) == (value.is_safe, number, value.fields)


TEXT_UUID = pair_of(Logical("uuid", Primitive("string")))
BYTES_UUID = pair_of(Logical("uuid", Reference("Sixteen")), SIXTEEN)


@pytest.mark.parametrize(
    "text",
    [
        "00000000-0000-4000-8000-00000000000A",
        "{00000000-0000-4000-8000-00000000000a}",
        "urn:uuid:00000000-0000-4000-8000-00000000000a",
        "0000000000004000800000000000000a",
        "00000000-0000-4000-8000-00000000000g",
        "00000000-0000-4000-8000 00000000000a",
        "0000000000-00-4000-8000-00000000000a",
        "+0000000-0000-4000-8000-00000000000a",
        "\uff10\uff10000000-0000-4000-8000-0000000000",
        "",
    ],
)
def test_text_that_may_be_a_uuid(text: str) -> None:
    """Forms that `uuid.UUID` takes give its value; all else is refused by both."""
    raw = text.encode()
    payload = zigzag(len(raw)) + raw
    wanted, found = TEXT_UUID.wanted(payload), TEXT_UUID.state(payload)
    assert (found is NotImplemented) == isinstance(wanted, Refused)
    assert TEXT_UUID.agrees(payload)
