# Dates and times of counted units, and back; `times.py` is the same in Python.
# The calendar is that of Howard Hinnant's days_from_civil and civil_from_days.

cdef enum:
    FIRST_DAY = -719162     # 0001-01-01, counted from 1970-01-01
    LAST_DAY = 2932896      # 9999-12-31

cdef extern from *:
    """
    #define INSTAR_DAY 86400000000LL
    #define INSTAR_SECOND 1000000LL
    """
    # In microseconds. Constants to the compiler, which then divides by multiplying.
    const int64_t DAY "INSTAR_DAY"
    const int64_t SECOND "INSTAR_SECOND"

cdef struct Civil:
    int year
    int month
    int day

cdef inline Civil civil_of(int64_t days) noexcept:
    """The date of days since 1970, which are within the years 1 to 9999."""
    cdef Civil found
    cdef int32_t z = <int32_t>days + 719468
    cdef int32_t era = z // 146097
    cdef int32_t doe = z - era * 146097
    cdef int32_t yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    cdef int32_t doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    cdef int32_t mp = (5 * doy + 2) // 153
    found.day = doy - (153 * mp + 2) // 5 + 1
    found.month = mp + 3 if mp < 10 else mp - 9
    found.year = yoe + era * 400 + (1 if found.month <= 2 else 0)
    return found

cdef inline int64_t days_of(int year, int month, int day) noexcept:
    """Days since 1970 of a date."""
    cdef int32_t y = year - (1 if month <= 2 else 0)
    cdef int32_t era = y // 400
    cdef int32_t yoe = y - era * 400
    cdef int32_t doy = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    return <int64_t>era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468

cdef PyObject *date_of(int64_t days) noexcept:
    if not FIRST_DAY <= days <= LAST_DAY:
        return NULL
    cdef Civil civil = civil_of(days)
    return PyDateTimeAPI.Date_FromDate(
        civil.year, civil.month, civil.day, PyDateTimeAPI.DateType
    )

# The moments of one state are mostly of one day, so the last date is kept.
cdef struct LastDate:
    int64_t days
    Civil civil

cdef PyObject *moment_of(int64_t count, int64_t unit, PyObject *zone, LastDate *last) noexcept:
    """A datetime of units of ``unit`` microseconds since 1970."""
    if unit != 1:
        if not FIRST_DAY * DAY // unit <= count < (LAST_DAY + 1) * DAY // unit:
            return NULL  # and so the product cannot overflow
        count *= unit
    cdef int64_t days = count // DAY
    cdef int64_t rest = count - days * DAY
    if rest < 0:
        days, rest = days - 1, rest + DAY
    if not FIRST_DAY <= days <= LAST_DAY:
        return NULL
    # No date is kept yet where the year is 0.
    if days != last.days or last.civil.year == 0:
        last.days, last.civil = days, civil_of(days)
    cdef uint32_t second = <uint32_t>(rest // SECOND)
    cdef uint32_t micros = <uint32_t>(rest - <int64_t>second * SECOND)
    return PyDateTimeAPI.DateTime_FromDateAndTime(
        last.civil.year, last.civil.month, last.civil.day,
        second // 3600, second // 60 % 60, second % 60, micros,
        zone, PyDateTimeAPI.DateTimeType,
    )

cdef PyObject *time_of(int64_t count, int64_t unit) noexcept:
    if not 0 <= count < DAY // unit:
        return NULL
    cdef int64_t micros = count * unit
    cdef int32_t second = <int32_t>(micros // SECOND)
    return PyDateTimeAPI.Time_FromTime(
        second // 3600, second // 60 % 60, second % 60, <int32_t>(micros % SECOND),
        Py_None, PyDateTimeAPI.TimeType,
    )

cdef PyObject *duration_of(int64_t micros) noexcept:
    cdef int64_t days = micros // DAY
    cdef int64_t rest = micros - days * DAY
    if rest < 0:
        days, rest = days - 1, rest + DAY
    if not -999999999 <= days <= 999999999:
        return NULL
    return PyDateTimeAPI.Delta_FromDelta(
        <int32_t>days, <int32_t>(rest // SECOND), <int32_t>(rest % SECOND), 0,
        PyDateTimeAPI.DeltaType,
    )

cdef inline bint units_of(int64_t micros, int64_t unit, int64_t *found) noexcept:
    """Whole units; False where some microseconds are left over."""
    if unit != 1 and micros % unit:
        return False
    found[0] = micros // unit
    return True

cdef bint count_of_moment(PyObject *value, int64_t unit, PyObject *zone, int64_t *found) noexcept:
    """Units since 1970 of a datetime of this very class and zone."""
    if Py_TYPE(value) != PyDateTimeAPI.DateTimeType:
        return False
    if PyDateTime_DATE_GET_TZINFO(value) != zone:
        return False
    cdef int64_t days = days_of(
        PyDateTime_GET_YEAR(value), PyDateTime_GET_MONTH(value), PyDateTime_GET_DAY(value)
    )
    cdef int64_t second = (
        PyDateTime_DATE_GET_HOUR(value) * 60 + PyDateTime_DATE_GET_MINUTE(value)
    ) * 60 + PyDateTime_DATE_GET_SECOND(value)
    cdef int64_t micros = days * DAY + second * SECOND + PyDateTime_DATE_GET_MICROSECOND(value)
    return units_of(micros, unit, found)

cdef bint count_of_time(PyObject *value, int64_t unit, int64_t *found) noexcept:
    """Units since midnight of a time of this very class, without a zone."""
    if Py_TYPE(value) != PyDateTimeAPI.TimeType or PyDateTime_TIME_GET_TZINFO(value) != Py_None:
        return False
    cdef int64_t second = (
        PyDateTime_TIME_GET_HOUR(value) * 60 + PyDateTime_TIME_GET_MINUTE(value)
    ) * 60 + PyDateTime_TIME_GET_SECOND(value)
    return units_of(
        second * SECOND + PyDateTime_TIME_GET_MICROSECOND(value), unit, found
    )

cdef bint count_of_duration(PyObject *value, int64_t *found) noexcept:
    """Microseconds of a timedelta of this very class, if 64 bits hold them."""
    if Py_TYPE(value) != PyDateTimeAPI.DeltaType:
        return False
    cdef int64_t days = PyDateTime_DELTA_GET_DAYS(value)
    # 106751991 days are the last that fit whole, on either side.
    if not -106751991 < days < 106751991:
        return False
    found[0] = (
        days * DAY
        + PyDateTime_DELTA_GET_SECONDS(value) * SECOND
        + PyDateTime_DELTA_GET_MICROSECONDS(value)
    )
    return True

cdef bint count_of_date(PyObject *value, int64_t *found) noexcept:
    """Days since 1970 of a date of this very class."""
    if Py_TYPE(value) != PyDateTimeAPI.DateType:
        return False
    found[0] = days_of(
        PyDateTime_GET_YEAR(value), PyDateTime_GET_MONTH(value), PyDateTime_GET_DAY(value)
    )
    return True
