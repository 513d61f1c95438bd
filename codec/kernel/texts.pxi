# Text: a copy where it is ASCII, and one object for short texts that come again and again.

# How many short texts a node keeps, and how long they may be, in bytes.
cdef enum:
    KEPT = 64
    SHORT = 32
    FIRST_CREDIT = 32
    MOST_CREDIT = 256
    PAUSE = 512

cdef struct Texts:
    PyObject *kept[KEPT]
    int credit          # rises with each hit, falls with each miss; at 0 there is a pause
    int pause

cdef Texts *new_texts(Py_ssize_t count) except NULL:
    cdef Texts *texts = <Texts *>PyMem_Calloc(count, sizeof(Texts))
    if texts == NULL:
        raise MemoryError
    for index in range(count):
        texts[index].credit = FIRST_CREDIT
    return texts

cdef void forget_texts(Texts *texts, Py_ssize_t count) noexcept:
    if texts == NULL:
        return
    for index in range(count):
        for place in range(KEPT):
            Py_XDECREF(texts[index].kept[place])
    PyMem_Free(texts)

cdef inline bint is_ascii(const uint8_t *at, Py_ssize_t size) noexcept:
    cdef uint64_t word, high = 0
    cdef Py_ssize_t index = 0
    while index + 8 <= size:
        memcpy(&word, at + index, 8)
        high |= word
        index += 8
    while index < size:
        high |= at[index]
        index += 1
    # A byte that is read alone stands in the lowest place, which the mask covers too.
    return (high & 0x8080808080808080ULL) == 0

cdef inline PyObject *make_text(const uint8_t *at, Py_ssize_t size) noexcept:
    """Text of UTF-8; NULL with UnicodeDecodeError where it is none."""
    cdef PyObject *found
    if not is_ascii(at, size):
        return PyUnicode_DecodeUTF8(<const char *>at, size, NULL)
    found = PyUnicode_New(size, 127)
    if found != NULL:
        memcpy(PyUnicode_1BYTE_DATA(found), at, size)
    return found

cdef inline uint64_t text_mark(const uint8_t *at, Py_ssize_t size) noexcept:
    """A quick hash over the first and the last eight bytes of at most 32."""
    cdef uint64_t first = 0, last = 0
    if size >= 8:
        memcpy(&first, at, 8)
        memcpy(&last, at + size - 8, 8)
    elif size >= 4:
        memcpy(&first, at, 4)
        memcpy(&last, at + size - 4, 4)
    else:
        first = at[0]
        last = (<uint64_t>at[size >> 1] << 8) | at[size - 1]
    return ((first ^ (last * 0x9E3779B97F4A7C15ULL)) + <uint64_t>size) * 0xC2B2AE3D27D4EB4FULL

cdef inline PyObject *shared_text(Texts *texts, const uint8_t *at, Py_ssize_t size) noexcept:
    """Text of UTF-8, the same object as before where the node has lately seen the same."""
    cdef PyObject *found
    cdef PyObject **place
    if size > SHORT or size == 0:
        return make_text(at, size)
    if texts.credit <= 0:
        texts.pause -= 1
        if texts.pause > 0:
            return make_text(at, size)
        texts.credit = FIRST_CREDIT
    place = &texts.kept[text_mark(at, size) >> 58]
    found = place[0]
    if found != NULL and PyUnicode_GET_LENGTH(found) == size and memcmp(
        PyUnicode_1BYTE_DATA(found), at, size
    ) == 0:
        if texts.credit < MOST_CREDIT:
            texts.credit += 2
        Py_INCREF(found)
        return found
    texts.credit -= 1
    if texts.credit == 0:
        texts.pause = PAUSE
    found = make_text(at, size)
    if found != NULL and PyUnicode_IS_COMPACT_ASCII(found):
        Py_INCREF(found)
        Py_XDECREF(place[0])
        place[0] = found
    return found
