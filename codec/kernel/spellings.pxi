# Values that JSON and MessagePack have as a short text: dates and times (RFC 3339), durations
# (ISO 8601), UUIDs and decimals, the same text that msgspec writes. What is rare or wrong is given up.

cdef enum:
    LONGEST_SPELLING = 40   # bytes

cdef inline uint8_t *put_two(uint8_t *out, int number) noexcept:
    out[0] = <uint8_t>(48 + number // 10)
    out[1] = <uint8_t>(48 + number % 10)
    return out + 2

cdef inline uint8_t *put_day(uint8_t *out, PyObject *date) noexcept:
    cdef int year = PyDateTime_GET_YEAR(date)
    out = put_two(put_two(out, year // 100), year % 100)
    out[0] = 45
    out = put_two(out + 1, PyDateTime_GET_MONTH(date))
    out[0] = 45
    return put_two(out + 1, PyDateTime_GET_DAY(date))

cdef inline uint8_t *put_clock(
    uint8_t *out, int hour, int minute, int second, int micros
) noexcept:
    out = put_two(out, hour)
    out[0] = 58
    out = put_two(out + 1, minute)
    out[0] = 58
    out = put_two(out + 1, second)
    if micros:
        out[0] = 46
        out = put_two(out + 1, micros // 10000)
        out = put_two(put_two(out, micros // 100 % 100), micros % 100)
    return out

cdef inline bint is_moment(PyObject *value, int64_t unit, PyObject *zone) noexcept:
    """Whether a value is a datetime of this very class and zone, in whole units."""
    if Py_TYPE(value) != PyDateTimeAPI.DateTimeType:
        return False
    if PyDateTime_DATE_GET_TZINFO(value) != zone:
        return False
    return unit == 1 or PyDateTime_DATE_GET_MICROSECOND(value) % unit == 0

cdef Py_ssize_t spell(Node *node, PyObject *value, uint8_t *out) noexcept:
    """Writes the text of a value; how many bytes, or 0 where it is given up."""
    cdef int op = node.op
    cdef uint8_t *stop = out
    cdef uint64_t high, low
    cdef int64_t number
    if op == TIMESTAMP or op == LOCAL_TIMESTAMP:
        if not is_moment(
            value, node.size, PyDateTimeAPI.TimeZone_UTC if op == TIMESTAMP else Py_None
        ):
            return 0
        stop = put_day(stop, value)
        stop[0] = 84
        stop = put_clock(
            stop + 1, PyDateTime_DATE_GET_HOUR(value), PyDateTime_DATE_GET_MINUTE(value),
            PyDateTime_DATE_GET_SECOND(value), PyDateTime_DATE_GET_MICROSECOND(value),
        )
        if op == TIMESTAMP:
            stop[0] = 90
            stop += 1
    elif op == DATE:
        if Py_TYPE(value) != PyDateTimeAPI.DateType:
            return 0
        stop = put_day(stop, value)
    elif op == TIME:
        if not count_of_time(value, node.size, &number):
            return 0
        stop = put_clock(
            stop, PyDateTime_TIME_GET_HOUR(value), PyDateTime_TIME_GET_MINUTE(value),
            PyDateTime_TIME_GET_SECOND(value), PyDateTime_TIME_GET_MICROSECOND(value),
        )
    elif op == UUID_TEXT or op == UUID_BYTES:
        if not bits_of_uuid(value, &high, &low):
            return 0
        format_uuid(high, low, stop)
        stop += 36
    elif op == DECIMAL:
        return spell_decimal(node, value, out)
    elif op == DURATION:
        return spell_duration(value, out)
    return stop - out

cdef Py_ssize_t spell_decimal(Node *node, PyObject *value, uint8_t *out) noexcept:
    """The text of a Decimal of this very class, if that is plain digits which fit."""
    cdef int64_t number
    cdef Py_ssize_t size = 0
    if <PyObject *>Py_TYPE(value) != DECIMAL_CLASS or not 0 <= node.size <= MOST_DIGITS:
        return 0
    cdef PyObject *text = PyObject_Str(value)
    if text == NULL:
        return 0
    if PyUnicode_IS_COMPACT_ASCII(text) and PyUnicode_GET_LENGTH(text) <= LONGEST_SPELLING:
        if parse_unscaled(
            PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text), node.size, node.extra, &number
        ):
            size = PyUnicode_GET_LENGTH(text)
            memcpy(out, PyUnicode_1BYTE_DATA(text), size)
    Py_DECREF(text)
    return size

cdef Py_ssize_t spell_duration(PyObject *value, uint8_t *out) noexcept:
    """Days and seconds: -P1DT2.5S."""
    cdef int64_t micros
    cdef uint64_t size
    cdef uint8_t *stop = out
    if not count_of_duration(value, &micros):
        return 0
    if micros < 0:
        stop[0] = 45
        stop += 1
    stop[0] = 80
    stop += 1
    size = 0 - <uint64_t>micros if micros < 0 else <uint64_t>micros
    if size >= <uint64_t>DAY or size == 0:
        stop = put_whole(stop, size // <uint64_t>DAY)
        stop[0] = 68
        stop += 1
    size %= <uint64_t>DAY
    if size:
        stop[0] = 84
        stop = put_whole(stop + 1, size // <uint64_t>SECOND)
        stop = put_fraction(stop, <int>(size % <uint64_t>SECOND))
        stop[0] = 83
        stop += 1
    return stop - out

cdef uint8_t *put_whole(uint8_t *out, uint64_t number) noexcept:
    cdef char digits[24]
    cdef char *start = digits_before(digits + 24, number, 1)
    memcpy(out, start, digits + 24 - start)
    return out + (digits + 24 - start)

cdef uint8_t *put_fraction(uint8_t *out, int micros) noexcept:
    """The part of a second behind its point, without zeros at the end."""
    cdef int unit = 100000
    if micros:
        out[0] = 46
        out += 1
    while micros:
        out[0] = <uint8_t>(48 + micros // unit)
        out += 1
        micros %= unit
        unit //= 10
    return out

cdef PyObject *duration_of_text(const uint8_t *at, const uint8_t *end) noexcept:
    """A duration as ``spell_duration`` writes it."""
    cdef uint64_t days = 0, seconds = 0
    cdef int64_t micros = 0
    cdef bint negative = at < end and at[0] == 45
    if negative:
        at += 1
    if at == end or at[0] != 80:
        return NULL
    at += 1
    if at == end or (at[0] != 84 and not take_whole(&at, end, 68, &days)):
        return NULL
    if at != end:
        if at[0] != 84:
            return NULL
        at += 1
        if not take_seconds(&at, end, &seconds, &micros) or at != end:
            return NULL
    if days > 106751990 or seconds >= 86400:
        return NULL
    micros += <int64_t>days * DAY + <int64_t>seconds * SECOND
    return duration_of(-micros if negative else micros)

cdef bint take_whole(
    const uint8_t **at, const uint8_t *end, uint8_t mark, uint64_t *found
) noexcept:
    """A number of one to nine digits, with a mark behind it unless that is 0."""
    cdef const uint8_t *start = at[0]
    found[0] = 0
    while at[0] < end and 48 <= at[0][0] <= 57 and at[0] - start < 9:
        found[0] = found[0] * 10 + (at[0][0] - 48)
        at[0] += 1
    if at[0] == start:
        return False
    if mark:
        if at[0] == end or at[0][0] != mark:
            return False
        at[0] += 1
    return True

cdef bint take_seconds(
    const uint8_t **at, const uint8_t *end, uint64_t *seconds, int64_t *micros
) noexcept:
    """Seconds, with up to six digits behind their point."""
    cdef const uint8_t *start
    cdef uint64_t part
    if not take_whole(at, end, 0, seconds):
        return False
    if at[0] < end and at[0][0] == 46:
        at[0] += 1
        start = at[0]
        if not take_whole(at, end, 0, &part) or at[0] - start > 6:
            return False
        micros[0] = <int64_t>(part * POWERS[6 - (at[0] - start)])
    if at[0] == end or at[0][0] != 83:
        return False
    at[0] += 1
    return True

cdef inline bint take_digits(
    const uint8_t **at, const uint8_t *end, int count, uint8_t mark, int *found
) noexcept:
    """So many digits after a mark; where ``mark`` is 0, there is none."""
    cdef const uint8_t *here = at[0]
    cdef int number = 0
    if end - here < count + (1 if mark else 0):
        return False
    if mark:
        if here[0] != mark:
            return False
        here += 1
    for index in range(count):
        if not 48 <= here[index] <= 57:
            return False
        number = number * 10 + (here[index] - 48)
    at[0] = here + count
    found[0] = number
    return True

cdef bint take_day(const uint8_t **at, const uint8_t *end, Civil *day) noexcept:
    """A date of the calendar."""
    cdef int last
    if not (
        take_digits(at, end, 4, 0, &day.year)
        and take_digits(at, end, 2, 45, &day.month)
        and take_digits(at, end, 2, 45, &day.day)
    ):
        return False
    if day.month == 2:
        last = 29 if day.year % 4 == 0 and (day.year % 100 or day.year % 400 == 0) else 28
    else:
        last = 30 if day.month in (4, 6, 9, 11) else 31
    return day.year >= 1 and 1 <= day.month <= 12 and 1 <= day.day <= last

cdef struct Clock:
    int hour
    int minute
    int second
    int micros

cdef bint take_clock(const uint8_t **at, const uint8_t *end, int64_t unit, Clock *clock) noexcept:
    """A time of day in whole units; the six digits of microseconds may be missing."""
    if not (
        take_digits(at, end, 2, 0, &clock.hour)
        and take_digits(at, end, 2, 58, &clock.minute)
        and take_digits(at, end, 2, 58, &clock.second)
    ):
        return False
    clock.micros = 0
    if at[0] < end and at[0][0] == 46 and not take_digits(at, end, 6, 46, &clock.micros):
        return False
    if unit != 1 and clock.micros % unit:
        return False
    return clock.hour < 24 and clock.minute < 60 and clock.second < 60

cdef PyObject *unspelled(Node *node, const uint8_t *at, Py_ssize_t size) noexcept:
    """The value of a text that ``spell`` wrote; NULL where it is given up."""
    cdef int op = node.op
    cdef uint64_t high, low
    cdef int64_t number
    if op == UUID_TEXT or op == UUID_BYTES:
        return uuid_of(high, low) if size == 36 and parse_uuid(at, &high, &low) else NULL
    if op == DECIMAL:
        if size > LONGEST_SPELLING or not parse_unscaled(at, size, node.size, node.extra, &number):
            return NULL
        return decimal_of_text(at, size)
    if op == DURATION:
        return duration_of_text(at, at + size)
    return moment_of_text(node, at, at + size)

cdef PyObject *decimal_of_text(const uint8_t *at, Py_ssize_t size) noexcept:
    """The Decimal of plain digits."""
    cdef PyObject *text = make_text(at, size)
    if text == NULL:
        return NULL
    cdef PyObject *made = PyObject_CallOneArg(DECIMAL_CLASS, text)
    Py_DECREF(text)
    return made

cdef PyObject *moment_of_text(Node *node, const uint8_t *at, const uint8_t *end) noexcept:
    """A date, a time of day, or both."""
    cdef Civil day
    cdef Clock clock
    cdef int op = node.op
    if op != TIME and not take_day(&at, end, &day):
        return NULL
    if op == DATE:
        if at != end:
            return NULL
        return PyDateTimeAPI.Date_FromDate(day.year, day.month, day.day, PyDateTimeAPI.DateType)
    if op != TIME:
        if at == end or at[0] != 84:
            return NULL
        at += 1
    if not take_clock(&at, end, node.size, &clock):
        return NULL
    if op == TIMESTAMP:
        if at == end or at[0] != 90:
            return NULL
        at += 1
    if at != end:
        return NULL
    if op == TIME:
        return PyDateTimeAPI.Time_FromTime(
            clock.hour, clock.minute, clock.second, clock.micros, Py_None, PyDateTimeAPI.TimeType
        )
    return PyDateTimeAPI.DateTime_FromDateAndTime(
        day.year, day.month, day.day, clock.hour, clock.minute, clock.second, clock.micros,
        PyDateTimeAPI.TimeZone_UTC if op == TIMESTAMP else Py_None, PyDateTimeAPI.DateTimeType,
    )
