# Tokens: what a record of Protobuf keeps of a newer version, as one field that no message knows.
#
# Such fields have numbers that no `.proto` may use, so that nothing can have taken their place.
# Other residue is left to the library engine.

cdef enum:
    FIRST_RESERVED = 19000
    LAST_RESERVED = 19999
    RESERVED_TAG_SIZE = 3

cdef inline bint is_token(uint64_t tag) noexcept:
    return tag & 7 == WIRE_LENGTH and FIRST_RESERVED <= tag >> 3 <= LAST_RESERVED

cdef bint read_token(Cursor *c, uint32_t tag, PyObject *record) noexcept:
    """Gives a record the token that follows its tag; False for anything else, or a second."""
    cdef const uint8_t *start = c.at - RESERVED_TAG_SIZE
    cdef Py_ssize_t size
    if not is_token(tag) or has_residue(record) or not read_length(c, &size):
        return False
    c.at += size
    c.residue -= c.at - start
    if c.residue < 0:
        return False
    cdef PyObject *token = PyBytes_FromStringAndSize(<const char *>start, c.at - start)
    slot_at(record, RESIDUE_AT)[0] = token
    return token != NULL

cdef bint write_token(Buffer *b, PyObject *residue) noexcept:
    """Writes the residue of a record that is a token, behind all of its fields."""
    cdef Cursor c
    cdef uint64_t tag
    cdef Py_ssize_t size
    cdef uint8_t *out
    if not PyBytes_CheckExact(residue):
        return False
    c.at = <const uint8_t *>PyBytes_AS_STRING(residue)
    c.end = c.at + PyBytes_GET_SIZE(residue)
    b.residue -= c.end - c.at
    if b.residue < 0 or not read_shortest(&c, &tag) or not is_token(tag):
        return False
    if not read_length(&c, &size) or size != c.end - c.at:
        return False
    size = PyBytes_GET_SIZE(residue)
    out = claim(b, size)
    if out == NULL:
        return False
    memcpy(out, PyBytes_AS_STRING(residue), size)
    return True
