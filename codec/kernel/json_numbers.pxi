# Numbers of JSON text (RFC 8259, section 6), read. None is the last thing in a text: whoever reads
# one looks at what stands behind it.

cdef enum:
    MOST_INT_DIGITS = 19    # of which 64 bits hold any

cdef inline bint take_json_digits(Cursor *c, uint64_t *found) noexcept:
    """A whole number of 64 bits, without zeros before it."""
    cdef const uint8_t *at = c.at
    cdef uint64_t value = 0
    cdef uint64_t digit
    while at < c.end and 48 <= at[0] <= 57:
        digit = at[0] - 48
        if at - c.at >= MOST_INT_DIGITS and value > (<uint64_t>-1 - digit) // 10:
            return False
        value = value * 10 + digit
        at += 1
    if at == c.at or (c.at[0] == 48 and at - c.at > 1):
        return False
    c.at = at
    found[0] = value
    return True

cdef bint take_json_int(Cursor *c, uint64_t *magnitude, bint *negative) noexcept:
    """An integer of up to 64 bits; not the last thing in the text, nor part of a float."""
    negative[0] = c.at < c.end and c.at[0] == 45
    if negative[0]:
        c.at += 1
    if not take_json_digits(c, magnitude) or c.at >= c.end:
        return False
    return c.at[0] not in (46, 69, 101)

cdef PyObject *read_json_number(Cursor *c) noexcept:
    """A number that is not the last thing in the text."""
    cdef const uint8_t *start = c.at
    cdef uint64_t magnitude
    cdef bint negative
    cdef double number
    if take_json_int(c, &magnitude, &negative):
        return signed_number(magnitude, negative) if in_range(LONG, magnitude, negative) else NULL
    c.at = start
    return PyFloat_FromDouble(number) if take_json_float(c, &number) else NULL

cdef extern from *:
    """
    /* Powers of ten that a double holds exactly. */
    static const double instar_tens[] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    /* A number divided by a power of ten, rounded once: as Clinger has it (1990) where both are
       exact. Where not, in the 64 bits that some machines have for it; their last eleven are
       rounded away, and nothing is known where they are so near one half that the bits behind
       them would decide. */
    static inline int instar_quotient(uint64_t number, Py_ssize_t places, double *found)
    {
        if (places > 22)
            return 0;
        if (number <= 1ULL << 53) {
            *found = (double)number / instar_tens[places];
            return 1;
        }
    #if defined(__x86_64__) && defined(__GNUC__) && __LDBL_MANT_DIG__ == 64
        long double exact = (long double)number / (long double)instar_tens[places];
        uint64_t bits;
        memcpy(&bits, &exact, 8);
        bits &= 0x7FF;
        if (bits >= 0x3FF && bits <= 0x401)
            return 0;
        *found = (double)exact;
        return 1;
    #else
        return 0;
    #endif
    }

    /* Passes over digits, which are the next ones of a number, and gives where they end. Eight
       at a time are added in three steps (Lemire 2018); of more than twenty the number is
       worth nothing. */
    static inline const unsigned char *instar_sum_digits(
        const unsigned char *at, const unsigned char *end, uint64_t *number)
    {
    #if PY_LITTLE_ENDIAN
        while (end - at >= 8) {
            uint64_t word;
            memcpy(&word, at, 8);
            if (((word & 0xF0F0F0F0F0F0F0F0ULL)
                 | ((word + 0x0606060606060606ULL) & 0xF0F0F0F0F0F0F0F0ULL) >> 4)
                != 0x3333333333333333ULL)
                break;
            word = (word & 0x0F0F0F0F0F0F0F0FULL) * 2561 >> 8;
            word = (word & 0x00FF00FF00FF00FFULL) * 6553601 >> 16;
            word = (word & 0x0000FFFF0000FFFFULL) * 42949672960001ULL >> 32;
            *number = *number * 100000000 + word;
            at += 8;
        }
    #endif
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            *number = *number * 10 + (*at - '0');
        return at;
    }
    """
    const double *TENS "instar_tens"
    const uint8_t *sum_digits "instar_sum_digits" (
        const uint8_t *, const uint8_t *, uint64_t *) noexcept
    bint quotient "instar_quotient" (uint64_t, Py_ssize_t, double *) noexcept

cdef bint take_json_float(Cursor *c, double *found) noexcept:
    """A number with a fraction or an exponent that a double has room for; not the last thing in
    the text.
    """
    cdef const uint8_t *start = c.at
    cdef const uint8_t *at = c.at
    cdef const uint8_t *digits
    cdef const uint8_t *point
    cdef uint64_t mantissa = 0
    cdef bint plain = True
    cdef bint negative = at < c.end and at[0] == 45
    if negative:
        at += 1
    digits = at
    at = sum_digits(at, c.end, &mantissa)
    point = at
    if at == digits or (digits[0] == 48 and at - digits > 1) or at >= c.end:
        return False
    if at[0] == 46:
        at = sum_digits(at + 1, c.end, &mantissa)
        if at == point + 1:
            return False
    if at < c.end and at[0] in (69, 101):
        plain = False
        at = pass_exponent(at, c.end)
    elif at == point:
        return False
    # The library stops at the first byte that is no part of a number: there must be one.
    if at == NULL or at >= c.end:
        return False
    c.at = at
    if plain and at - digits <= MOST_INT_DIGITS + 1 and quotient(mantissa, at - point - 1, found):
        if negative:
            found[0] = -found[0]
        return True
    return json_double(start, at, found)

cdef const uint8_t *pass_exponent(const uint8_t *at, const uint8_t *end) noexcept:
    """Where an exponent ends that begins here; NULL where it is none."""
    at += 1
    if at < end and at[0] in (43, 45):
        at += 1
    cdef const uint8_t *digits = at
    while at < end and 48 <= at[0] <= 57:
        at += 1
    return NULL if at == digits else at

cdef bint json_double(const uint8_t *start, const uint8_t *end, double *found) noexcept:
    cdef char *stop = NULL
    found[0] = PyOS_string_to_double(<const char *>start, &stop, NULL)
    # Beyond the range of a double there is no number of JSON.
    return <const uint8_t *>stop == end and found[0] - found[0] == 0
