"""Rules between times, numbers and text."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from rule_samples import (
    DATE,
    DECIMAL,
    DOUBLE,
    INT,
    LOCAL,
    LONG,
    OLD,
    SPAN,
    SPAN_NANOS,
    STAMP,
    STAMP_MILLIS,
    STAMP_NANOS,
    STRING,
    TIME,
    UUID,
    values,
)

from instar.errors import MigrationError, NotExpressible
from instar.migrations import retime, ticks, time_text
from instar.migrations.rules import Rule, Scalar, TimeText

JUNE = dt.datetime(2025, 6, 1, 8, tzinfo=dt.UTC)
SECONDS = 1748764800


@pytest.mark.parametrize(
    ("rule", "number", "time", "value", "expected"),
    [
        (ticks("seconds"), LONG, STAMP, SECONDS, JUNE),
        (ticks("seconds"), DOUBLE, STAMP, SECONDS + 0.5, JUNE + dt.timedelta(seconds=0.5)),
        (ticks("seconds"), DOUBLE, STAMP, 0.1, dt.datetime(1970, 1, 1, 0, 0, 0, 100000, dt.UTC)),
        (ticks("millis"), LONG, STAMP, -1, dt.datetime(1969, 12, 31, 23, 59, 59, 999000, dt.UTC)),
        (ticks("micros"), LONG, LOCAL, 1, dt.datetime(1970, 1, 1, 0, 0, 0, 1)),  # noqa: DTZ001
        (ticks("seconds"), LONG, STAMP_NANOS, 2, 2 * 10**9),
        (ticks("days"), INT, DATE, -1, dt.date(1969, 12, 31)),
        (ticks("minutes"), INT, TIME, 510, dt.time(8, 30)),
        (ticks("millis"), INT, SPAN, 1500, dt.timedelta(seconds=1.5)),
        (ticks("hours"), DOUBLE, SPAN, 0.25, dt.timedelta(minutes=15)),
        (ticks("seconds"), DECIMAL, SPAN, Decimal("1.25"), dt.timedelta(seconds=1.25)),
        (ticks("nanos"), LONG, SPAN_NANOS, 7, 7),
    ],
)
def test_ticks(rule: Rule, number: Scalar, time: Scalar, value: Any, expected: Any) -> None:
    """A number counts time from 1970, from midnight, or of a duration, whichever comes first."""
    found = rule.bind(number, time, forward=True)(value)
    assert found == expected
    assert type(found) is type(expected)
    assert rule.bind(time, number, forward=True)(expected) == value


@pytest.mark.parametrize(
    ("rule", "source", "target", "value", "reason"),
    [
        (ticks("nanos"), LONG, STAMP, 1, "no whole microsecond"),
        (ticks("seconds"), STAMP, LONG, JUNE.replace(microsecond=1), "no whole number"),
        (ticks("days"), LONG, STAMP, 10**9, "is beyond timestamp"),
        (ticks("seconds"), LONG, TIME, 86400, "is beyond time"),
        (ticks("seconds"), LONG, STAMP_NANOS, 2**40, "is beyond timestamp in nanos"),
        (ticks("seconds"), DOUBLE, STAMP, float("nan"), "nan is no number"),
        (retime(), STAMP, STAMP_MILLIS, JUNE.replace(microsecond=1), "no whole millisecond"),
        (retime(), STAMP, DATE, JUNE, "no whole day"),
        (time_text(), STRING, STAMP, "2025-06-01T08:00:00", "has no offset from UTC"),
        (time_text(), STRING, STAMP, "2025-06-01", "no timestamp of ISO 8601"),
        (time_text(), STRING, STAMP, "2025-02-30T00:00:00Z", "no day of the calendar"),
        (time_text(), STRING, STAMP, "2025-06-01T24:00:00Z", "no time of day"),
        (time_text(), STRING, STAMP, "2025-06-01T08:00:00+24:00", "no offset from UTC"),
        (time_text(), STRING, STAMP, "2025-06-01T08:00:00.0000001Z", "no whole microsecond"),
        (time_text(), STRING, STAMP, "0001-01-01T00:00:00+01:00", "is beyond timestamp"),
        (time_text(), STRING, SPAN, "P", "no duration of ISO 8601"),
        (time_text(), STRING, SPAN, "P1Y", "no duration of ISO 8601"),
        (time_text("%d.%m.%Y"), STRING, DATE, "1.6.2025", "not of the format"),
        (time_text("%Y%j"), STRING, DATE, "2025366", "no day of the calendar"),
        (time_text("%Y%j"), STRING, DATE, "2025000", "no day of the calendar"),
        (time_text("%H:%M"), TIME, STRING, dt.time(8, 0, 1), "no whole minute"),
    ],
)
def test_refused(rule: Rule, source: Scalar, target: Scalar, value: Any, reason: str) -> None:
    """What is no such time, or finer than the target, is refused."""
    with pytest.raises(NotExpressible, match=reason):
        rule.bind(source, target, forward=True)(value)


@pytest.mark.parametrize(
    ("rule", "type_", "text", "value", "again"),
    [
        (time_text(), STAMP, "2025-06-01T08:00:00Z", JUNE, "2025-06-01T08:00:00Z"),
        (time_text(), STAMP, "2025-06-01 10:00+0200", JUNE, "2025-06-01T08:00:00Z"),
        (time_text(utc=True), STAMP, "2025-06-01T08:00:00", JUNE, "2025-06-01T08:00:00Z"),
        (
            time_text(),
            STAMP_NANOS,
            "1970-01-01T00:00:00.000000001Z",
            1,
            "1970-01-01T00:00:00.000000001Z",
        ),
        (time_text(), DATE, "2025-06-01", dt.date(2025, 6, 1), "2025-06-01"),
        (time_text(), TIME, "08:30", dt.time(8, 30), "08:30:00"),
        (time_text(), TIME, "08:30:00,5", dt.time(8, 30, 0, 500000), "08:30:00.500000"),
        (time_text(), SPAN, "P1DT2H3M4.5S", dt.timedelta(1, 7384.5), "P1DT7384.5S"),
        (time_text(), SPAN, "-PT1S", dt.timedelta(seconds=-1), "-PT1S"),
        (time_text(), SPAN_NANOS, "PT0S", 0, "P0D"),
        (time_text("%d.%m.%Y"), DATE, "01.06.2025", dt.date(2025, 6, 1), "01.06.2025"),
        (time_text("%Y%j"), DATE, "2024366", dt.date(2024, 12, 31), "2024366"),
        (
            time_text("[%Y-%m-%d %H:%M:%S.%f]", utc=True),
            STAMP,
            "[2025-06-01 08:00:00.0]",
            JUNE,
            "[2025-06-01 08:00:00.000000]",
        ),
        (time_text("%Y%m%dT%H%M%S%z"), STAMP, "20250601T100000+0200", JUNE, "20250601T080000+0000"),
        (time_text("%H%%%M"), TIME, "08%30", dt.time(8, 30), "08%30"),
    ],
)
def test_text(rule: TimeText, type_: Scalar, text: str, value: Any, again: str) -> None:
    """Text is read in many forms and written in one."""
    assert rule.bind(STRING, type_, forward=True)(text) == value
    assert rule.bind(type_, STRING, forward=False)(value) == again


@pytest.mark.parametrize("type_", [STAMP, LOCAL, DATE, TIME, SPAN], ids=lambda kind: kind.kind)
def test_text_is_json_form(type_: Scalar) -> None:
    """ISO text is written as it is in JSON form."""
    show = time_text().bind(type_, STRING, forward=True)

    @given(values(type_))
    def check(value: Any) -> None:
        assert show(value) == msgspec.to_builtins(value)

    check()


@given(values(LOCAL))
def test_format_is_strftime(moment: dt.datetime) -> None:
    """A format writes what strftime does, from the year 1000 on."""
    # 2000 years later the calendar is the same.
    moment = moment.replace(year=moment.year + (2000 if moment.year < 1000 else 0))
    text = "%Y-%m-%d/%j %H:%M:%S.%f"
    with pytest.raises(MigrationError, match="does not say"):
        time_text(text).bind(LOCAL, STRING, forward=True)
    for one in ("%Y-%m-%d %H:%M:%S.%f", "%S %M %H %f %j%%%Y"):
        shown = time_text(one).bind(LOCAL, STRING, forward=True)(moment)
        assert shown == moment.strftime(one)
        assert time_text(one).bind(STRING, LOCAL, forward=False)(shown) == moment


@pytest.mark.parametrize(
    ("rule", "source", "target", "value", "expected"),
    [
        (
            retime(rounding="floor"),
            STAMP,
            STAMP_MILLIS,
            JUNE.replace(microsecond=1999),
            JUNE.replace(microsecond=1000),
        ),
        (retime(rounding="floor"), STAMP, DATE, JUNE, dt.date(2025, 6, 1)),
        (retime(), DATE, STAMP, dt.date(2025, 6, 1), dt.datetime(2025, 6, 1, tzinfo=dt.UTC)),
        (retime(), STAMP, LOCAL, JUNE, JUNE.replace(tzinfo=None)),
        (retime(), STAMP_NANOS, STAMP, SECONDS * 10**9, JUNE),
        (retime(rounding="half-up"), SPAN_NANOS, SPAN, 1500, dt.timedelta(microseconds=2)),
    ],
)
def test_retime(rule: Rule, source: Scalar, target: Scalar, value: Any, expected: Any) -> None:
    """A time becomes one of another unit or kind."""
    found = rule.bind(source, target, forward=True)(value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("rule", "source", "target"),
    [
        (ticks("seconds"), LONG, LONG),
        (ticks("seconds"), STAMP, DATE),
        (ticks("seconds"), STRING, STAMP),
        (retime(), STAMP, TIME),
        (retime(), SPAN, STAMP),
        (retime(), LONG, STAMP),
        (time_text(), STRING, STRING),
        (time_text(), LONG, STRING),
        (time_text(), OLD, STAMP),
        (time_text(), STAMP, UUID),
        (time_text("%H:%M"), STRING, STAMP),
        (time_text("%Y-%m-%d"), STRING, STAMP),
        (time_text("%Y-%m-%d%z"), STRING, DATE),
        (time_text("%Y-%m-%d %H"), STRING, DATE),
        (time_text("%Y-%m-%d %M", utc=True), STRING, STAMP),
        (time_text("%S"), STRING, SPAN),
        (time_text(otherwise="never"), STRING, STAMP),
    ],
)
def test_types(rule: Rule, source: Scalar, target: Scalar) -> None:
    """Types that a rule is not for, and formats that do not say what they have to, are errors."""
    with pytest.raises(MigrationError) as caught:
        rule.bind(source, target, forward=True)
    assert caught.value.mend


@pytest.mark.parametrize("text", ["%b", "%y", "%", "%H %H", "%p", "%-d", "%Y" + "x" * 100])
def test_format(text: str) -> None:
    """A directive that depends on the machine, or stands twice, is an error where it is given."""
    with pytest.raises(MigrationError, match="format"):
        time_text(text)


@pytest.mark.parametrize(
    ("rule", "source", "target", "lost", "refused"),
    [
        (ticks("seconds"), LONG, STAMP, "", "what is out of range"),
        (ticks("millis", rounding="floor"), STAMP, LONG, "rounded to a whole number", ""),
        (ticks("millis"), INT, SPAN, "", ""),
        (retime(), DATE, STAMP, "", ""),
        (retime(), STAMP, DATE, "", "what is no whole day"),
        (time_text(), STAMP, STRING, "", ""),
        (time_text("%Y-%m-%d"), STRING, DATE, "", "text that is no date"),
        (time_text("%Y-%m-%d"), DATE, STRING, "", ""),
        (
            time_text(otherwise="1970-01-01"),
            STRING,
            DATE,
            "'1970-01-01' stands for text that is no date",
            "",
        ),
    ],
)
def test_words(rule: Rule, source: Scalar, target: Scalar, lost: str, refused: str) -> None:
    """Losses and refusals are those of the two types."""
    assert rule.losses(source, target, forward=True) == lost
    assert rule.refuses(source, target, forward=True) == refused
