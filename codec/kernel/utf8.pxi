# Text as UTF-8, without leaving a copy of it in the text itself as the C API would.

cdef extern from *:
    """
    /* For each width that Python stores text in: how many bytes the text takes as UTF-8, -1
       where a lone surrogate has none, and the writing of as many. */
    #define INSTAR_UTF8(name, unit)                                                          \\
        static Py_ssize_t name##_size(const unit *text, Py_ssize_t count)                    \\
        {                                                                                    \\
            Py_ssize_t total = count, index;                                                 \\
            int lone = 0;                                                                    \\
            for (index = 0; index < count; index++) {                                        \\
                unsigned int point = text[index];                                            \\
                total += (point >= 0x80) + (point >= 0x800) + (point >= 0x10000);            \\
                lone |= (point & 0xFFFFF800U) == 0xD800;                                     \\
            }                                                                                \\
            return lone ? -1 : total;                                                        \\
        }                                                                                    \\
        static void name##_write(const unit *text, Py_ssize_t count, unsigned char *out)     \\
        {                                                                                    \\
            Py_ssize_t index;                                                                \\
            for (index = 0; index < count; index++) {                                        \\
                unsigned int point = text[index];                                            \\
                if (point < 0x80) {                                                          \\
                    *out++ = (unsigned char)point;                                           \\
                } else if (point < 0x800) {                                                  \\
                    *out++ = (unsigned char)(0xC0 | point >> 6);                             \\
                    *out++ = (unsigned char)(0x80 | (point & 0x3F));                         \\
                } else if (point < 0x10000) {                                                \\
                    *out++ = (unsigned char)(0xE0 | point >> 12);                            \\
                    *out++ = (unsigned char)(0x80 | (point >> 6 & 0x3F));                    \\
                    *out++ = (unsigned char)(0x80 | (point & 0x3F));                         \\
                } else {                                                                     \\
                    *out++ = (unsigned char)(0xF0 | point >> 18);                            \\
                    *out++ = (unsigned char)(0x80 | (point >> 12 & 0x3F));                   \\
                    *out++ = (unsigned char)(0x80 | (point >> 6 & 0x3F));                    \\
                    *out++ = (unsigned char)(0x80 | (point & 0x3F));                         \\
                }                                                                            \\
            }                                                                                \\
        }

    INSTAR_UTF8(instar_utf8_1, Py_UCS1)
    INSTAR_UTF8(instar_utf8_2, Py_UCS2)
    INSTAR_UTF8(instar_utf8_4, Py_UCS4)
    """
    Py_ssize_t utf8_1_size "instar_utf8_1_size" (const void *, Py_ssize_t) noexcept
    Py_ssize_t utf8_2_size "instar_utf8_2_size" (const void *, Py_ssize_t) noexcept
    Py_ssize_t utf8_4_size "instar_utf8_4_size" (const void *, Py_ssize_t) noexcept
    void utf8_1_write "instar_utf8_1_write" (const void *, Py_ssize_t, uint8_t *) noexcept
    void utf8_2_write "instar_utf8_2_write" (const void *, Py_ssize_t, uint8_t *) noexcept
    void utf8_4_write "instar_utf8_4_write" (const void *, Py_ssize_t, uint8_t *) noexcept

cdef Py_ssize_t utf8_size(PyObject *text) noexcept:
    """How many bytes the text takes; -1 where a lone surrogate has no UTF-8."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t count = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        return utf8_1_size(data, count)
    return utf8_2_size(data, count) if kind == 2 else utf8_4_size(data, count)

cdef void write_utf8(PyObject *text, uint8_t *out) noexcept:
    """Writes as many bytes as ``utf8_size`` said."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t count = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        utf8_1_write(data, count, out)
    elif kind == 2:
        utf8_2_write(data, count, out)
    else:
        utf8_4_write(data, count, out)

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
