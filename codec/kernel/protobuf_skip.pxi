# Passes over fields of a Protobuf payload by their wire type alone: no program is asked, and
# nothing is looked at but the bytes that say how long a field is.

cdef inline bint skip_field(Cursor *c, uint32_t tag) noexcept:
    """Moves behind the value of a tag."""
    cdef Py_ssize_t size
    cdef uint64_t number
    cdef int wire = tag & 7
    if wire == WIRE_LENGTH:
        if not read_length(c, &size):
            return False
        c.at += size
        return True
    if wire == WIRE_VARINT:
        return read_shortest(c, &number)
    if wire == WIRE_64:
        return skip_bytes(c, 8)
    if wire == WIRE_32:
        return skip_bytes(c, 4)
    return wire == WIRE_GROUP and skip_group(c, tag)

cdef bint skip_group(Cursor *c, uint32_t tag) noexcept:
    """Moves behind the tag that ends a group."""
    cdef uint32_t inner = 0
    cdef int more
    if not enter(c):
        return False
    while True:
        more = next_tag(c, tag + 1, &inner)
        if more <= 0:
            c.depth -= 1
            return more == 0
        if inner < 8 or not skip_field(c, inner):
            return False
