# Protobuf is written from the back of the buffer to its front, as upb does it: when the length
# of a message is due, the message stands there already.

cdef inline Py_ssize_t written(Buffer *b) noexcept:
    """How many bytes stand at the back; a mark that growing does not move."""
    return b.whole - b.room

cdef inline uint8_t *claim(Buffer *b, Py_ssize_t size) noexcept:
    """Space for ``size`` bytes before what is written; NULL where there is no memory."""
    if b.room - b.size < size and not grow(b, size):
        return NULL
    b.room -= size
    return b.data + b.room

cdef inline bint back_byte(Buffer *b, uint8_t value) noexcept:
    cdef uint8_t *out = claim(b, 1)
    if out == NULL:
        return False
    out[0] = value
    return True

cdef inline bint back_varint(Buffer *b, uint64_t value) noexcept:
    return back_byte(b, <uint8_t>value) if value < 0x80 else back_long_varint(b, value)

cdef bint back_long_varint(Buffer *b, uint64_t value) noexcept:
    cdef int size = 2
    cdef uint64_t rest = value >> 14
    while rest:
        size += 1
        rest >>= 7
    cdef uint8_t *out = claim(b, size)
    if out == NULL:
        return False
    while value >= 0x80:
        out[0] = <uint8_t>(value | 0x80)
        out += 1
        value >>= 7
    out[0] = <uint8_t>value
    return True

cdef inline bint back_number(Buffer *b, int coding, int64_t number) noexcept:
    """A number, which its type is known to hold."""
    cdef uint8_t *out
    cdef int size
    if coding >= FIXED_64:
        size = 8 if coding == FIXED_64 else 4
        out = claim(b, size)
        if out == NULL:
            return False
        put_little_endian(<uint64_t>number, size, out)
        return True
    if coding == ZIGZAG_64 or coding == ZIGZAG_32:
        return back_varint(b, (<uint64_t>number << 1) ^ <uint64_t>(number >> 63))
    return back_varint(b, <uint64_t>number)

cdef inline bint back_sized(Buffer *b, const void *data, Py_ssize_t size) noexcept:
    """Bytes behind their length."""
    cdef uint8_t *out = claim(b, size)
    if out == NULL:
        return False
    memcpy(out, data, size)
    return back_varint(b, size)

cdef bint back_text(Buffer *b, PyObject *value) noexcept:
    cdef Py_ssize_t size
    cdef uint8_t *out
    if not PyUnicode_CheckExact(value):
        return False
    size = text_size(value)
    if size < 0:
        return False
    out = claim(b, size)
    if out == NULL:
        return False
    copy_text(value, out, size)
    return back_varint(b, size)

cdef inline bint start_message(Buffer *b, uint32_t tag) noexcept:
    """Begins a message at its end; ``end_message`` puts before it what leads to it."""
    if b.messages >= MOST_MESSAGES:
        return False
    b.messages += 1
    return tag & 7 != WIRE_GROUP or back_varint(b, tag + 1)

cdef inline bint end_message(Buffer *b, uint32_t tag, Py_ssize_t mark) noexcept:
    """The length, where the message is no group. ``mark`` is what was written before it."""
    b.messages -= 1
    return tag & 7 == WIRE_GROUP or back_varint(b, written(b) - mark)

cdef enum:
    MOST_MESSAGES = 100     # inside the outermost; protobuf reads no deeper
