# JSON values as text, checked on the way: the same bytes that msgspec writes. What is rare
# (numbers with an exponent) or wrong is given up, and the caller asks Python.

cdef extern from "Python.h":
    char *PyOS_double_to_string(double, char, int, int, int *) noexcept
    int Py_DTSF_ADD_DOT_0

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

cdef bint put_decimal_digits(Buffer *b, int64_t number) noexcept:
    cdef char digits[24]
    cdef int place = 24
    cdef uint64_t rest = <uint64_t>number if number >= 0 else 0 - <uint64_t>number
    while True:
        place -= 1
        digits[place] = 48 + <char>(rest % 10)
        rest //= 10
        if rest == 0:
            break
    if number < 0:
        place -= 1
        digits[place] = 45
    return put_bytes(b, digits + place, 24 - place)

cdef bint write_json_float(Buffer *b, PyObject *value) noexcept:
    cdef double number = PyFloat_AS_DOUBLE(value)
    cdef char *text
    cdef Py_ssize_t size = 0
    cdef bint done = True
    if number - number != 0:
        return False
    text = PyOS_double_to_string(number, 114, 0, Py_DTSF_ADD_DOT_0, NULL)
    if text == NULL:
        return False
    while text[size]:
        # An exponent is written in another way.
        if text[size] == 101:
            done = False
        size += 1
    done = done and put_bytes(b, text, size)
    PyMem_Free(text)
    return done

cdef bint write_json_text(Buffer *b, PyObject *text) noexcept:
    """Appends a text between quotes, with the escapes that it needs."""
    cdef Py_ssize_t size = text_size(text)
    # At worst each byte becomes six: \u001f.
    if size < 0 or not ensure(b, 6 * size + 2):
        return False
    cdef uint8_t *out = b.data + b.size
    out[0] = 34
    # The plain text goes where its end may be at most, and is then moved forward.
    cdef uint8_t *plain = out + 1 + 5 * size
    copy_text(text, plain, size)
    out = escape_json(plain, size, out + 1)
    out[0] = 34
    b.size = out + 1 - b.data
    return True

cdef extern from *:
    """
    static inline unsigned char *instar_json_escape(
        const unsigned char *from, Py_ssize_t size, unsigned char *out)
    {
        static const char hex[] = "0123456789abcdef";
        static const char *const pairs = "btn?fr";
        const unsigned char *end = from + size, *stop;
        for (;;) {
            stop = instar_json_stop(from, end);
            memmove(out, from, stop - from);
            out += stop - from;
            if (stop >= end)
                return out;
            from = stop + 1;
            *out++ = '\\\\';
            if (*stop >= 0x20) {
                *out++ = *stop;
            } else if (*stop >= 8 && *stop <= 13 && *stop != 11) {
                *out++ = pairs[*stop - 8];
            } else {
                unsigned char byte = *stop;
                memcpy(out, "u00", 3);
                out[3] = hex[byte >> 4];
                out[4] = hex[byte & 15];
                out += 5;
            }
        }
    }
    """
    uint8_t *escape_json "instar_json_escape" (const uint8_t *, Py_ssize_t, uint8_t *)

cdef bint write_json_list(Buffer *b, PyObject *items, Py_ssize_t room) noexcept:
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
