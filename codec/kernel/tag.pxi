# The tag of the binary framing, as `docs/reference/blob.md` specifies it: read where nothing
# about it is unusual, and otherwise left to `codec/tag`, which knows every error.

cdef enum:
    LONGEST_HEAD = 39   # magic, revision, format, flags, version, fingerprint, length, sum
    MAGIC_AT_ONCE = 0x534E49C1
    REVISION = 1
    AVRO = 1            # codes of formats
    PROTOBUF = 2
    LAST_BINARY = 3

cdef struct Head:
    uint8_t format
    uint64_t version
    uint64_t fingerprint
    Py_ssize_t stop         # where the payload begins

cdef inline uint64_t little_endian(const uint8_t *at, int size) noexcept:
    cdef uint64_t value = 0
    for index in range(size):
        value |= <uint64_t>at[index] << (8 * index)
    return value

cdef inline void put_little_endian(uint64_t value, int size, uint8_t *out) noexcept:
    for index in range(size):
        out[index] = <uint8_t>(value >> (8 * index))

cdef bint read_head(const uint8_t *blob, Py_ssize_t size, bint verify, Head *head) noexcept:
    """The header of a blob that is whole and as it was written: neither compressed nor with
    residue, its numbers in their shortest form, and the checksum right, if it is to be
    compared.
    """
    cdef Cursor c
    cdef uint64_t length
    cdef Py_ssize_t summed
    if size < 21 or little_endian(blob, 4) != MAGIC_AT_ONCE or blob[4] != REVISION or blob[6]:
        return False
    head.format = blob[5]
    c.at, c.end = blob + 7, blob + size
    if not 1 <= head.format <= LAST_BINARY:
        return False
    if not read_short_varint(&c, &head.version) or head.version == 0 or c.end - c.at < 8:
        return False
    head.fingerprint = little_endian(c.at, 8)
    c.at += 8
    if not read_short_varint(&c, &length) or c.end - c.at < 4:
        return False
    summed = c.at - blob
    head.stop = summed + 4
    if <uint64_t>(size - head.stop) != length:
        return False
    return not verify or little_endian(c.at, 4) == checksum(blob, summed, c.at + 4, size - head.stop)

cdef bint read_short_varint(Cursor *c, uint64_t *found) noexcept:
    """A varint of at most 31 bits, in its shortest form."""
    cdef const uint8_t *start = c.at
    if not read_varint(c, found) or found[0] >> 31:
        return False
    return c.at - start == 1 or (c.at - 1)[0] != 0

cdef Py_ssize_t write_head(Head *head, uint64_t length, uint8_t *out) noexcept:
    """Writes all of a header but its checksum, and returns how many bytes that is."""
    cdef Buffer b
    put_little_endian(MAGIC_AT_ONCE, 4, out)
    out[4], out[5], out[6] = REVISION, head.format, 0
    b.data, b.size, b.room, b.whole, b.owner = out, 7, LONGEST_HEAD, LONGEST_HEAD, NULL
    put_varint(&b, head.version)
    put_little_endian(head.fingerprint, 8, b.data + b.size)
    b.size += 8
    put_varint(&b, length)
    return b.size
