# What all messages of Protobuf are made of: tags, lengths and numbers, each in its one form.
#
# Other programs may write a number longer than it need be; our blobs never have it, and the
# library engine refuses them for it.

cdef inline bint read_shortest(Cursor *c, uint64_t *found) noexcept:
    """A varint in its shortest form."""
    if c.at >= c.end:
        return False
    cdef uint64_t byte = c.at[0]
    if byte < 0x80:
        found[0] = byte
        c.at += 1
        return True
    # Two bytes are the length of most texts.
    if c.end - c.at >= 2 and 0 < c.at[1] < 0x80:
        found[0] = (byte & 0x7F) | <uint64_t>c.at[1] << 7
        c.at += 2
        return True
    return read_long_varint(c, found) and (c.at - 1)[0] != 0

cdef inline bint read_length(Cursor *c, Py_ssize_t *found) noexcept:
    """The length of bytes that are all there."""
    cdef uint64_t size
    if not read_shortest(c, &size) or size > <uint64_t>(c.end - c.at):
        return False
    found[0] = <Py_ssize_t>size
    return True

cdef inline bint read_number(Cursor *c, int coding, int64_t *found) noexcept:
    """A number, which its type can hold; one of 64 bits without a sign as the same bits."""
    cdef uint64_t value
    if coding >= FIXED_64:
        return read_fixed(c, coding, found)
    if not read_shortest(c, &value):
        return False
    if coding == ZIGZAG_64 or coding == ZIGZAG_32:
        found[0] = <int64_t>(value >> 1) ^ -<int64_t>(value & 1)
        return coding == ZIGZAG_64 or value >> 32 == 0
    found[0] = <int64_t>value
    if coding == VARINT_64:
        return True
    if coding == VARINT_U32:
        return value >> 32 == 0
    return <int64_t>value == <int64_t><int32_t>value

cdef bint read_fixed(Cursor *c, int coding, int64_t *found) noexcept:
    cdef int size = 8 if coding == FIXED_64 else 4
    cdef uint64_t value
    if c.end - c.at < size:
        return False
    value = little_endian(c.at, size)
    found[0] = <int64_t><int32_t>value if coding == FIXED_32 else <int64_t>value
    c.at += size
    return True

cdef enum:
    # Wire types, the lowest three bits of a tag.
    WIRE_VARINT = 0
    WIRE_64 = 1
    WIRE_LENGTH = 2
    WIRE_GROUP = 3
    WIRE_32 = 5

cdef inline int next_tag(Cursor *c, uint32_t stop, uint32_t *tag) noexcept:
    """1 where a field follows, 0 where the message ends, -1 where neither is right.

    ``stop`` is the tag at the end of a group, 0 for a message with a length.
    """
    cdef uint64_t value
    if c.at >= c.end:
        return -1 if stop else 0
    if not read_shortest(c, &value) or value >> 32 or value == 0:
        return -1
    tag[0] = <uint32_t>value
    return 0 if value == stop and stop else 1

cdef inline bint same_tag(Cursor *c, uint32_t tag) noexcept:
    """Passes over a tag, if it is this one that follows."""
    cdef const uint8_t *start = c.at
    cdef uint64_t value
    if tag < 0x80:
        if c.at >= c.end or c.at[0] != tag:
            return False
        c.at += 1
        return True
    if read_shortest(c, &value) and value == tag:
        return True
    c.at = start
    return False

cdef inline uint32_t end_of(uint32_t tag) noexcept:
    """The tag at the end of the message that a tag begins: 0 where it has a length."""
    return tag + 1 if tag & 7 == WIRE_GROUP else 0

cdef inline bint open_message(Cursor *c, uint32_t tag) noexcept:
    """Enters a message, whose end is the cursor's from here on; ``close_message`` leaves it."""
    cdef Py_ssize_t size
    if not enter(c):
        return False
    if tag & 7 != WIRE_GROUP:
        if not read_length(c, &size):
            return False
        c.end = c.at + size
    return True

cdef inline void close_message(Cursor *c, const uint8_t *outer) noexcept:
    c.end = outer
    c.depth -= 1
