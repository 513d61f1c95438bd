# The buffer that an encoder writes into: one that grows. It is memory that is kept for the next
# time, or, for what is written from the front, the bytes object that is to be given.

cdef struct Buffer:
    uint8_t *data
    Py_ssize_t size         # bytes written from the front, as Avro is
    Py_ssize_t room         # where the bytes begin that are written from the back
    Py_ssize_t whole        # and where the buffer ends
    Py_ssize_t depth
    Py_ssize_t limit
    Py_ssize_t messages     # that are open, of Protobuf
    Py_ssize_t spare        # items without bytes that there may still be
    Py_ssize_t residue      # bytes of it that there may still be; where there may be none, 0
    PyObject *owner         # the bytes object whose memory it is, or NULL
    PyObject *carried       # a list of what stands beside the payload, or NULL

cdef bint grow(Buffer *b, Py_ssize_t more) noexcept:
    cdef Py_ssize_t back = b.whole - b.room
    cdef Py_ssize_t whole = b.whole * 2
    if whole < b.size + back + more:
        whole = b.size + back + more
    cdef uint8_t *data
    if b.owner != NULL:
        # Where there is no memory, the object is gone.
        if _PyBytes_Resize(&b.owner, whole) < 0:
            return False
        b.data = <uint8_t *>PyBytes_AS_STRING(b.owner)
        b.room = b.whole = whole
        return True
    data = <uint8_t *>PyMem_Realloc(b.data, whole)
    if data == NULL:
        PyErr_NoMemory()
        return False
    if back:
        memmove(data + whole - back, data + b.room, back)
    b.data, b.room, b.whole = data, whole - back, whole
    return True

cdef inline bint ensure(Buffer *b, Py_ssize_t more) noexcept:
    """Room for ``more`` bytes."""
    return b.room - b.size >= more or grow(b, more)

cdef inline bint put_varint(Buffer *b, uint64_t value) noexcept:
    if not ensure(b, 10):
        return False
    cdef uint8_t *out = b.data + b.size
    while value >= 0x80:
        out[0] = <uint8_t>(value | 0x80)
        out += 1
        value >>= 7
    out[0] = <uint8_t>value
    b.size = out + 1 - b.data
    return True

cdef inline bint put_long(Buffer *b, int64_t value) noexcept:
    """A zig-zag number."""
    return put_varint(b, (<uint64_t>value << 1) ^ <uint64_t>(value >> 63))

cdef extern from *:
    """
    /* Copies what is mostly short without a call. */
    static inline void instar_copy(unsigned char *to, const unsigned char *from, Py_ssize_t size)
    {
        if (size > 16) {
            memcpy(to, from, size);
        } else if (size >= 8) {
            uint64_t first, last;
            memcpy(&first, from, 8);
            memcpy(&last, from + size - 8, 8);
            memcpy(to, &first, 8);
            memcpy(to + size - 8, &last, 8);
        } else if (size >= 4) {
            uint32_t first, last;
            memcpy(&first, from, 4);
            memcpy(&last, from + size - 4, 4);
            memcpy(to, &first, 4);
            memcpy(to + size - 4, &last, 4);
        } else if (size) {
            unsigned char middle = from[size >> 1], last = from[size - 1];
            to[0] = from[0];
            to[size >> 1] = middle;
            to[size - 1] = last;
        }
    }
    """
    void copy_short "instar_copy" (uint8_t *, const uint8_t *, Py_ssize_t) noexcept

cdef inline bint put_bytes(Buffer *b, const void *data, Py_ssize_t size) noexcept:
    if not ensure(b, size):
        return False
    copy_short(b.data + b.size, <const uint8_t *>data, size)
    b.size += size
    return True

cdef inline bint put_sized(Buffer *b, const void *data, Py_ssize_t size) noexcept:
    """Bytes behind their length, as Avro has them."""
    return put_long(b, size) and put_bytes(b, data, size)

cdef inline bint put_byte(Buffer *b, uint8_t value) noexcept:
    if not ensure(b, 1):
        return False
    b.data[b.size] = value
    b.size += 1
    return True

cdef inline bint deeper(Buffer *b) noexcept:
    """One level deeper, if the limit allows it; ``b.depth -= 1`` leaves it."""
    if b.depth >= b.limit:
        return False
    b.depth += 1
    return True
