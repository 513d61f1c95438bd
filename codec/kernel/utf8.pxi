# Text as UTF-8, without leaving a copy of it in the text itself as the C API would.

cdef Py_ssize_t utf8_size(PyObject *text) noexcept:
    """How many bytes the text takes; -1 where a lone surrogate has no UTF-8."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t total = 0
    cdef uint32_t point
    for index in range(PyUnicode_GET_LENGTH(text)):
        point = PyUnicode_READ(kind, data, index)
        if 0xD800 <= point <= 0xDFFF:
            return -1
        total += 1 + (point >= 0x80) + (point >= 0x800) + (point >= 0x10000)
    return total

cdef void write_utf8(PyObject *text, uint8_t *out) noexcept:
    """Writes as many bytes as ``utf8_size`` said."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef uint32_t point
    for index in range(PyUnicode_GET_LENGTH(text)):
        point = PyUnicode_READ(kind, data, index)
        if point < 0x80:
            out[0] = <uint8_t>point
            out += 1
        elif point < 0x800:
            out[0] = 0xC0 | point >> 6
            out[1] = 0x80 | point & 0x3F
            out += 2
        elif point < 0x10000:
            out[0] = 0xE0 | point >> 12
            out[1] = 0x80 | point >> 6 & 0x3F
            out[2] = 0x80 | point & 0x3F
            out += 3
        else:
            out[0] = 0xF0 | point >> 18
            out[1] = 0x80 | point >> 12 & 0x3F
            out[2] = 0x80 | point >> 6 & 0x3F
            out[3] = 0x80 | point & 0x3F
            out += 4

cdef inline Py_ssize_t text_size(PyObject *text) noexcept:
    """The bytes of a text; -1 where it has none."""
    if PyUnicode_IS_COMPACT_ASCII(text):
        return PyUnicode_GET_LENGTH(text)
    return utf8_size(text)

cdef inline void copy_text(PyObject *text, uint8_t *out, Py_ssize_t size) noexcept:
    if PyUnicode_IS_COMPACT_ASCII(text):
        memcpy(out, PyUnicode_1BYTE_DATA(text), size)
    else:
        write_utf8(text, out)
