# The tag of JSON blobs, as `docs/reference/blob.md` specifies it, where it is laid out as our
# writer does: the keys `$schema` and `$sum` before those of the payload.

cpdef enum:
    LONGEST_OPENING = 64    # what a checksum takes together with what follows

cdef enum:
    SUM_DIGITS = 8

cdef bint is_opening(bytes opening) noexcept:
    """Whether blobs that begin with these bytes are summed here."""
    return 0 < len(opening) <= LONGEST_OPENING

cdef void put_sum(uint32_t total, uint8_t *out) noexcept:
    """Eight hexadecimal digits, the highest first."""
    for index in range(SUM_DIGITS):
        out[index] = HEX[(total >> (28 - 4 * index)) & 15]

cdef Py_ssize_t text_start(const uint8_t *data, Py_ssize_t size, bytes opening) noexcept:
    """Where the comma stands behind a tag that begins with ``opening`` and whose sum is right;
    0 where there is none. An object without fields has no comma.
    """
    cdef uint8_t[SUM_DIGITS] digits
    cdef Py_ssize_t length = len(opening)
    cdef Py_ssize_t at = length + SUM_DIGITS
    if size < at + 3 or memcmp(data, PyBytes_AS_STRING(<PyObject *>opening), length):
        return 0
    if data[at] != 34 or data[at + 1] != 44:
        return 0
    put_sum(checksum(data, length, data + at, size - at), digits)
    return 0 if memcmp(data + length, digits, SUM_DIGITS) else at + 1

cdef inline Py_ssize_t text_room(bytes opening) noexcept:
    """Where the brace of a payload stands before the tag takes its place, or -1."""
    return len(opening) + SUM_DIGITS + 1 if is_opening(opening) else -1

cdef bint put_text_tag(Buffer *b, bytes opening, Py_ssize_t largest) noexcept:
    """Puts the tag before a payload that stands behind the room for it; False for a blob of more
    than ``largest`` bytes.
    """
    cdef Py_ssize_t length = len(opening)
    cdef uint8_t *digits = b.data + length
    cdef uint8_t *rest = digits + SUM_DIGITS
    if b.size > largest or b.size < length + SUM_DIGITS + 3:
        return False
    if rest[1] != 123 or rest[2] == 125:
        return False  # an object without fields
    rest[0], rest[1] = 34, 44
    memcpy(b.data, PyBytes_AS_STRING(<PyObject *>opening), length)
    put_sum(checksum(b.data, length, rest, b.data + b.size - rest), digits)
    return True
