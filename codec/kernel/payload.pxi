# A cursor over a payload. Nothing moves it past the end: each read looks at what is left first.

cdef struct Cursor:
    const uint8_t *at
    const uint8_t *end
    Py_ssize_t depth
    Py_ssize_t limit
    Py_ssize_t spare        # items without bytes that there may still be
    Py_ssize_t residue      # bytes of it that there may still be; where there may be none, 0
    PyObject *scratch       # the places of the record that is being assembled
    PyObject *carried       # a list of what stands beside the payload, or NULL

cdef inline bint read_varint(Cursor *c, uint64_t *found) noexcept:
    """A varint of at most ten bytes whose value fits 64 bits (LEB128)."""
    if c.at >= c.end:
        return False
    cdef uint64_t byte = c.at[0]
    if byte < 0x80:
        found[0] = byte
        c.at += 1
        return True
    return read_long_varint(c, found)

cdef extern from *:
    """
    /* A varint of at most eight bytes out of the eight that stand at `at`: how many it takes,
       or 0 where it is longer. The groups of seven bits are pushed together in three steps. */
    static inline int instar_short_varint(const unsigned char *at, uint64_t *found)
    {
    #if PY_LITTLE_ENDIAN && defined(__GNUC__)
        uint64_t word, stops;
        int size;
        memcpy(&word, at, 8);
        stops = ~word & 0x8080808080808080ULL;
        if (!stops)
            return 0;
        size = (__builtin_ctzll(stops) >> 3) + 1;
        word &= (stops ^ (stops - 1)) & 0x7F7F7F7F7F7F7F7FULL;
        word = (word & 0x007F007F007F007FULL) | (word & 0x7F007F007F007F00ULL) >> 1;
        word = (word & 0x00003FFF00003FFFULL) | (word & 0x3FFF00003FFF0000ULL) >> 2;
        *found = (word & 0x0FFFFFFFULL) | (word & 0x0FFFFFFF00000000ULL) >> 4;
        return size;
    #else
        return 0;
    #endif
    }
    """
    int short_varint "instar_short_varint" (const uint8_t *, uint64_t *) noexcept

cdef bint read_long_varint(Cursor *c, uint64_t *found) noexcept:
    cdef uint64_t value = 0
    cdef uint64_t byte
    cdef int shift = 0
    cdef int size
    cdef const uint8_t *at = c.at
    if c.end - at >= 8:
        size = short_varint(at, found)
        if size:
            c.at += size
            return True
    while at < c.end:
        byte = at[0]
        at += 1
        if shift == 63 and byte > 1:
            return False
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            found[0] = value
            c.at = at
            return True
        shift += 7
        if shift > 63:
            return False
    return False

cdef inline bint read_long(Cursor *c, int64_t *found) noexcept:
    """A zig-zag number of 64 bits."""
    cdef uint64_t value
    if not read_varint(c, &value):
        return False
    found[0] = <int64_t>(value >> 1) ^ -<int64_t>(value & 1)
    return True

cdef inline bint read_int(Cursor *c, int64_t *found) noexcept:
    """A zig-zag number of 32 bits, in at most five bytes."""
    cdef uint64_t value
    cdef const uint8_t *start = c.at
    if not read_varint(c, &value) or c.at - start > 5 or value >> 32:
        return False
    found[0] = <int64_t>(value >> 1) ^ -<int64_t>(value & 1)
    return True

cdef inline bint read_size(Cursor *c, Py_ssize_t *found) noexcept:
    """The length of bytes that are all there (Avro: a long)."""
    cdef int64_t size
    if not read_long(c, &size) or size < 0 or size > c.end - c.at:
        return False
    found[0] = <Py_ssize_t>size
    return True

cdef inline bint enter(Cursor *c) noexcept:
    """One level deeper, if the limit allows it; whoever enters leaves by ``c.depth -= 1``."""
    if c.depth >= c.limit:
        return False
    c.depth += 1
    return True
