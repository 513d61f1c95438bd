# Text: a copy where it is ASCII, and one object for short texts that come again and again.

# How many short texts a node keeps, and how long they may be, in bytes.
cdef enum:
    KEPT = 64
    SHORT = 32
    FIRST_CREDIT = 32
    MOST_CREDIT = 256
    PAUSE = 512

cdef struct Kept:
    uint64_t mark
    PyObject *text      # compact and ASCII

cdef struct Texts:
    Kept kept[KEPT]
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
            Py_XDECREF(texts[index].kept[place].text)
    PyMem_Free(texts)

cdef extern from *:
    """
    #define INSTAR_ASCII_DATA(text) ((unsigned char *)((PyASCIIObject *)(text) + 1))
    #define INSTAR_ASCII_SIZE(text) (((PyASCIIObject *)(text))->length)
    """
    # Of text that is known to be compact and ASCII.
    uint8_t *ascii_data "INSTAR_ASCII_DATA" (PyObject *)
    Py_ssize_t ascii_size "INSTAR_ASCII_SIZE" (PyObject *)

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
        memcpy(ascii_data(found), at, size)
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

cdef inline uint64_t eight(const uint8_t *at) noexcept:
    cdef uint64_t word
    memcpy(&word, at, 8)
    return word

cdef inline bint are_same(const uint8_t *a, const uint8_t *b, Py_ssize_t size) noexcept:
    """Whether two stretches of at most 32 bytes with one mark are the same.

    The mark holds the first and the last eight bytes, but only mixed; what is between them
    it does not see at all.
    """
    if size < 8:
        for index in range(size):
            if a[index] != b[index]:
                return False
        return True
    if eight(a) != eight(b) or eight(a + size - 8) != eight(b + size - 8):
        return False
    if size <= 16:
        return True
    return eight(a + 8) == eight(b + 8) and eight(a + size - 16) == eight(b + size - 16)

cdef inline PyObject *shared_text(Texts *texts, const uint8_t *at, Py_ssize_t size) noexcept:
    """Text of UTF-8, the same object as before where the node has lately seen the same."""
    cdef Kept *place
    cdef uint64_t mark
    if size > SHORT or size == 0:
        return make_text(at, size)
    if texts.credit <= 0:
        texts.pause -= 1
        if texts.pause > 0:
            return make_text(at, size)
        texts.credit = FIRST_CREDIT
    mark = text_mark(at, size)
    place = &texts.kept[mark >> 58]
    if place.mark == mark and place.text != NULL and ascii_size(place.text) == size and are_same(
        ascii_data(place.text), at, size
    ):
        if texts.credit < MOST_CREDIT:
            texts.credit += 2
        Py_INCREF(place.text)
        return place.text
    return keep_text(texts, place, mark, at, size)

cdef PyObject *keep_text(
    Texts *texts, Kept *place, uint64_t mark, const uint8_t *at, Py_ssize_t size
) noexcept:
    """A new text, which takes the place of another that was kept."""
    cdef PyObject *found = make_text(at, size)
    texts.credit -= 1
    if texts.credit == 0:
        texts.pause = PAUSE
    if found != NULL and PyUnicode_IS_COMPACT_ASCII(found):
        Py_INCREF(found)
        Py_XDECREF(place.text)
        place.text, place.mark = found, mark
    return found
