# JSON text (RFC 8259) as Python values: the common part of it. Whatever is rare (escapes,
# large numbers, white space) or wrong makes the reader give up, and the caller asks a library.

cdef enum:
    MOST_INT_DIGITS = 18

cdef PyObject *read_json(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    """The value that the text begins with; NULL to give up. ``room`` levels may nest."""
    cdef uint8_t byte
    if c.at >= c.end:
        return NULL
    byte = c.at[0]
    if byte == 34:
        return read_json_text(c, texts)
    if byte == 123:
        return read_json_dict(c, texts, room)
    if byte == 91:
        return read_json_list(c, texts, room)
    if byte == 45 or 48 <= byte <= 57:
        return read_json_number(c)
    if byte == 116:
        return read_json_word(c, b"true", 4, Py_True)
    if byte == 102:
        return read_json_word(c, b"false", 5, Py_False)
    if byte == 110:
        return read_json_word(c, b"null", 4, Py_None)
    return NULL

cdef PyObject *read_json_word(
    Cursor *c, const char *word, Py_ssize_t size, PyObject *value
) noexcept:
    if c.end - c.at < size or memcmp(c.at, word, size):
        return NULL
    c.at += size
    Py_INCREF(value)
    return value

cdef extern from *:
    """
    #if defined(__SSE2__) && defined(__GNUC__)
    #include <emmintrin.h>
    #endif

    /* The first byte from `at` on that is a quote, a backslash or a control character, or
       `end`; sixteen at a time where the processor can. */
    static inline const unsigned char *instar_json_stop(
        const unsigned char *at, const unsigned char *end)
    {
    #if defined(__SSE2__) && defined(__GNUC__)
        const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\\\');
        const __m128i control = _mm_set1_epi8(0x1F);
        for (; end - at >= 16; at += 16) {
            __m128i bytes = _mm_loadu_si128((const __m128i *)at);
            __m128i found = _mm_or_si128(
                _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)),
                _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
            int mask = _mm_movemask_epi8(found);
            if (mask)
                return at + __builtin_ctz(mask);
        }
    #endif
        while (at < end && *at != '"' && *at != '\\\\' && *at >= 0x20)
            at++;
        return at;
    }
    """
    const uint8_t *json_stop "instar_json_stop" (const uint8_t *, const uint8_t *)

cdef inline PyObject *read_json_text(Cursor *c, Texts *texts) noexcept:
    """A text without escapes; the cursor stands on its first quote."""
    cdef const uint8_t *start = c.at + 1
    cdef const uint8_t *stop = json_stop(start, c.end)
    if stop >= c.end or stop[0] != 34:
        return NULL
    c.at = stop + 1
    return shared_text(texts, start, stop - start)

cdef PyObject *read_json_number(Cursor *c) noexcept:
    """A number that is not the last thing in the text."""
    cdef const uint8_t *start = c.at
    cdef const uint8_t *at = c.at
    cdef int64_t value = 0
    cdef bint negative = at[0] == 45
    if negative:
        at += 1
    cdef const uint8_t *digits = at
    while at < c.end and 48 <= at[0] <= 57:
        if at - digits == MOST_INT_DIGITS:
            return NULL
        value = value * 10 + (at[0] - 48)
        at += 1
    if at == digits or (digits[0] == 48 and at - digits > 1) or at >= c.end:
        return NULL
    if at[0] in (46, 69, 101):
        return read_json_float(c, start, at)
    c.at = at
    return PyLong_FromLongLong(-value if negative else value)

cdef PyObject *read_json_float(Cursor *c, const uint8_t *start, const uint8_t *at) noexcept:
    """A number with a fraction or an exponent; ``at`` is behind its whole part."""
    cdef const uint8_t *digits
    cdef char *stop = NULL
    cdef double value
    if at[0] == 46:
        at += 1
        digits = at
        while at < c.end and 48 <= at[0] <= 57:
            at += 1
        if at == digits:
            return NULL
    if at < c.end and at[0] in (69, 101):
        at += 1
        if at < c.end and at[0] in (43, 45):
            at += 1
        digits = at
        while at < c.end and 48 <= at[0] <= 57:
            at += 1
        if at == digits:
            return NULL
    # The library stops at the first byte that is no part of a number: there must be one.
    if at >= c.end:
        return NULL
    value = PyOS_string_to_double(<const char *>start, &stop, NULL)
    if <const uint8_t *>stop != at:
        return NULL
    if value - value != 0:
        return NULL  # beyond the range of a double
    c.at = at
    return PyFloat_FromDouble(value)

cdef PyObject *read_json_list(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    cdef PyObject *item
    if room < 1:
        return NULL
    cdef PyObject *items = PyList_New(0)
    if items == NULL:
        return NULL
    c.at += 1
    if c.at < c.end and c.at[0] == 93:
        c.at += 1
        return items
    while True:
        item = read_json(c, texts, room - 1)
        if item == NULL or PyList_Append(items, item) < 0 or c.at >= c.end:
            break
        Py_DECREF(item)
        item = NULL
        if c.at[0] == 93:
            c.at += 1
            return items
        if c.at[0] != 44:
            break
        c.at += 1
    Py_XDECREF(item)
    Py_DECREF(items)
    return NULL

cdef PyObject *read_json_dict(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    cdef Py_ssize_t count = 0
    if room < 1:
        return NULL
    cdef PyObject *members = PyDict_New()
    if members == NULL:
        return NULL
    c.at += 1
    if c.at < c.end and c.at[0] == 125:
        c.at += 1
        return members
    while read_json_member(c, texts, room, members) and c.at < c.end:
        count += 1
        if c.at[0] == 125:
            # A key that stands twice is for the library to judge.
            if PyDict_GET_SIZE(members) != count:
                break
            c.at += 1
            return members
        if c.at[0] != 44:
            break
        c.at += 1
    Py_DECREF(members)
    return NULL

cdef bint read_json_member(
    Cursor *c, Texts *texts, Py_ssize_t room, PyObject *members
) noexcept:
    """Reads a key and its value into ``members``."""
    cdef PyObject *key
    cdef PyObject *value = NULL
    cdef bint done = False
    if c.at >= c.end or c.at[0] != 34:
        return False
    key = read_json_text(c, &texts[1])
    if key == NULL:
        return False
    if c.at < c.end and c.at[0] == 58:
        c.at += 1
        value = read_json(c, texts, room - 1)
    if value != NULL:
        done = PyDict_SetItem(members, key, value) == 0
        Py_DECREF(value)
    Py_DECREF(key)
    return done

cdef PyObject *json_of(Node *node, const uint8_t *at, Py_ssize_t size) noexcept:
    """The value of JSON text; what the reader here leaves is given to ``node.object``."""
    cdef Cursor c
    cdef PyObject *found = NULL
    cdef PyObject *text
    c.at, c.end = at, at + size
    found = read_json(&c, node.texts, node.size)
    if found != NULL:
        if c.at == c.end:
            return found
        Py_DECREF(found)
    elif PyErr_Occurred() != NULL:
        PyErr_Clear()
    text = PyBytes_FromStringAndSize(<const char *>at, size)
    if text == NULL:
        return NULL
    found = PyObject_CallOneArg(node.object, text)
    Py_DECREF(text)
    return found
