# JSON values as text, checked on the way: the same bytes that msgspec writes. What is rare
# (integers of more than 64 bits with a sign) or wrong is given up, and the caller asks Python.

_write_floats = msgspec.json.Encoder().encode
cdef PyObject *WRITE_FLOATS = <PyObject *>_write_floats

cdef bint write_json(Buffer *b, PyObject *value, Py_ssize_t room) noexcept:
    """Appends the text of a value; ``room`` levels may nest. False gives up."""
    if PyUnicode_CheckExact(value):
        return write_json_text(b, value)
    if value == Py_None:
        return put_bytes(b, b"null", 4)
    if value == Py_True:
        return put_bytes(b, b"true", 4)
    if value == Py_False:
        return put_bytes(b, b"false", 5)
    if PyLong_CheckExact(value):
        return write_json_int(b, value)
    if PyFloat_CheckExact(value):
        return write_json_float(b, value)
    if room < 1:
        return False
    if PyDict_CheckExact(value):
        return write_json_dict(b, value, room - 1)
    if PyList_CheckExact(value):
        return write_json_list(b, value, room - 1)
    return False

cdef bint write_json_int(Buffer *b, PyObject *value) noexcept:
    cdef int overflow = 0
    cdef long long number = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        return False  # a few more fit 64 bits without a sign; Python knows
    return put_decimal_digits(b, number)

cdef inline bint put_decimal_digits(Buffer *b, int64_t number) noexcept:
    return put_digits(b, 0 - <uint64_t>number if number < 0 else <uint64_t>number, number < 0)

cdef extern from *:
    """
    /* Writes a number up to `place`, two digits at a time, with zeros before it if it has too
       few, and gives where it begins. */
    static inline char *instar_digits_before(char *place, uint64_t number, int least)
    {
        static const char pairs[] =
            "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
            "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
            "8081828384858687888990919293949596979899";
        for (; number >= 100; least -= 2) {
            place -= 2;
            memcpy(place, pairs + 2 * (number % 100), 2);
            number /= 100;
        }
        if (number >= 10) {
            place -= 2;
            memcpy(place, pairs + 2 * number, 2);
            least -= 2;
        } else if (number || least > 0) {
            *--place = (char)('0' + number);
            least--;
        }
        while (least-- > 0)
            *--place = '0';
        return place;
    }
    """
    char *digits_before "instar_digits_before" (char *, uint64_t, int) noexcept

cdef bint put_digits(Buffer *b, uint64_t magnitude, bint negative) noexcept:
    cdef char digits[24]
    cdef char *start = digits_before(digits + 24, magnitude, 1)
    if negative:
        start -= 1
        start[0] = 45
    return put_bytes(b, start, digits + 24 - start)

cdef bint write_json_float(Buffer *b, PyObject *value) noexcept:
    """A number in as few digits as say it: up to fifteen are found here, and no two numbers have
    the same. Those with more, very small ones and large ones are left to msgspec.
    """
    cdef double number = PyFloat_AS_DOUBLE(value)
    cdef double size = -number if number < 0 else number
    cdef uint64_t whole
    cdef uint64_t power = 1
    cdef int places = 0
    # The sign of a zero is not told by comparing.
    if number - number != 0 or size >= 1e14 or size < 1e-5:
        return write_other_float(b, value)
    while size * TENS[places] < 1e15:
        whole = <uint64_t>(size * TENS[places] + 0.5)
        if <double>whole / TENS[places] == size:
            return put_float(b, whole, power, places, number < 0)
        places += 1
        power *= 10
    return write_other_float(b, value)

cdef bint put_float(Buffer *b, uint64_t whole, uint64_t power, int places, bint negative) noexcept:
    """``whole`` divided by ``power``, which is ten to the power of ``places``."""
    cdef char digits[48]
    cdef char *start
    if places == 0:
        digits[47] = 48
        start = digits + 47
    else:
        start = digits_before(digits + 48, whole % power, places)
    start -= 1
    start[0] = 46
    start = digits_before(start, whole // power, 1)
    if negative:
        start -= 1
        start[0] = 45
    return put_bytes(b, start, digits + 48 - start)

cdef bint write_other_float(Buffer *b, PyObject *value) noexcept:
    """Any number that is finite, as msgspec writes it."""
    if PyFloat_AS_DOUBLE(value) - PyFloat_AS_DOUBLE(value) != 0:
        return False
    return write_by_msgspec(b, value)

cdef bint write_by_msgspec(Buffer *b, PyObject *value) noexcept:
    """A float, or a list of floats, all finite."""
    cdef PyObject *text = PyObject_CallOneArg(WRITE_FLOATS, value)
    if text == NULL:
        return False
    cdef bint done = put_bytes(b, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
    Py_DECREF(text)
    return done

cdef enum:
    ESCAPED_AT_ONCE = 1024  # bytes, of which each may become six: \u001f

cdef bint write_json_text(Buffer *b, PyObject *text) noexcept:
    """Appends a text between quotes, with the escapes that it needs."""
    cdef Py_ssize_t size, part
    cdef const uint8_t *at = bytes_of_text(text, &size)
    if at == NULL or not put_byte(b, 34):
        return False
    while True:
        part = size if size < ESCAPED_AT_ONCE else ESCAPED_AT_ONCE
        if not ensure(b, 6 * part + 17):
            return False
        b.size = escape_json(at, part, b.data + b.size) - b.data
        at += part
        size -= part
        if size == 0:
            break
    b.data[b.size] = 34
    b.size += 1
    return True

cdef extern from *:
    """
    static inline unsigned char *instar_escape(unsigned char byte, unsigned char *out)
    {
        static const char hex[] = "0123456789abcdef";
        static const char *const pairs = "btn?fr";
        *out++ = '\\\\';
        if (byte >= 0x20) {
            *out++ = byte;
        } else if (byte >= 8 && byte <= 13 && byte != 11) {
            *out++ = pairs[byte - 8];
        } else {
            memcpy(out, "u00", 3);
            out[3] = hex[byte >> 4];
            out[4] = hex[byte & 15];
            out += 5;
        }
        return out;
    }

    #define INSTAR_EACH(byte) (0x0101010101010101ULL * (byte))
    #define INSTAR_ANY_BELOW(word, byte) ((word) - INSTAR_EACH(byte) & ~(word))

    /* Whether none of eight bytes needs an escape; where one does, others may seem to. */
    static inline int instar_is_plain(uint64_t word)
    {
        uint64_t found = INSTAR_ANY_BELOW(word, 0x20)
            | INSTAR_ANY_BELOW(word ^ INSTAR_EACH('"'), 1)
            | INSTAR_ANY_BELOW(word ^ INSTAR_EACH('\\\\'), 1);
        return !(found & INSTAR_EACH(0x80));
    }

    /* Up to sixteen bytes beyond the end may be written, too: so many are copied at a time, and
       then it is seen how many of them were wanted. */
    static inline unsigned char *instar_json_escape(
        const unsigned char *at, Py_ssize_t size, unsigned char *out)
    {
        const unsigned char *end = at + size;
    #if defined(__SSE2__) && defined(__GNUC__)
        while (end - at >= 16) {
            __m128i bytes = _mm_loadu_si128((const __m128i *)at);
            int mask = instar_json_mask(bytes), plain;
            _mm_storeu_si128((__m128i *)out, bytes);
            plain = mask ? __builtin_ctz(mask) : 16;
            at += plain;
            out += plain;
            if (mask)
                out = instar_escape(*at++, out);
        }
    #endif
        if (end - at >= 8) {
            uint64_t word;
            memcpy(&word, at, 8);
            if (instar_is_plain(word)) {
                memcpy(out, &word, 8);
                at += 8;
                out += 8;
            }
        }
        for (; at < end; at++) {
            if (*at == '"' || *at == '\\\\' || *at < 0x20)
                out = instar_escape(*at, out);
            else
                *out++ = *at;
        }
        return out;
    }
    """
    uint8_t *escape_json "instar_json_escape" (const uint8_t *, Py_ssize_t, uint8_t *)

cdef bint are_long_floats(PyObject *items) noexcept:
    """Whether a list begins with a float of many digits, and holds nothing but finite ones."""
    cdef PyObject *item
    if PyList_GET_SIZE(items) < 2 or not PyFloat_CheckExact(PyList_GET_ITEM(items, 0)):
        return False
    if has_few_digits(PyFloat_AS_DOUBLE(PyList_GET_ITEM(items, 0))):
        return False
    for index in range(PyList_GET_SIZE(items)):
        item = PyList_GET_ITEM(items, index)
        if not PyFloat_CheckExact(item):
            return False
        if PyFloat_AS_DOUBLE(item) - PyFloat_AS_DOUBLE(item) != 0:
            return False
    return True

cdef bint has_few_digits(double number) noexcept:
    """Whether a number, or the next to it, has up to fifteen digits; a guess."""
    cdef double size = -number if number < 0 else number
    cdef double scaled
    if size >= 1e14 or size < 1e-5:
        return False
    for places in range(15):
        scaled = size * TENS[places]
        if scaled >= 1e15:
            return False
        if <double><uint64_t>(scaled + 0.5) / TENS[places] == size:
            return True
    return False

cdef bint write_json_list(Buffer *b, PyObject *items, Py_ssize_t room) noexcept:
    if are_long_floats(items):
        return write_by_msgspec(b, items)
    if not put_byte(b, 91):
        return False
    for index in range(PyList_GET_SIZE(items)):
        if index and not put_byte(b, 44):
            return False
        if not write_json(b, PyList_GET_ITEM(items, index), room):
            return False
    return put_byte(b, 93)

cdef bint write_json_dict(Buffer *b, PyObject *members, Py_ssize_t room) noexcept:
    cdef Py_ssize_t place = 0
    cdef PyObject *key
    cdef PyObject *value
    cdef bint first = True
    if not put_byte(b, 123):
        return False
    while PyDict_Next(members, &place, &key, &value):
        if not first and not put_byte(b, 44):
            return False
        first = False
        if not PyUnicode_CheckExact(key) or not write_json_text(b, key):
            return False
        if not put_byte(b, 58) or not write_json(b, value, room):
            return False
    return put_byte(b, 125)
