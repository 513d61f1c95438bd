# Reads MessagePack by a program, as our writer lays it out: the shortest form of each number and
# length, and the keys of records in their order. All else is left to the library.

cdef Read msgpack_reader(int op) noexcept:
    if op == STRING:
        return unpack_text
    elif op == LONG or op == INT or op == UINT32 or op == UINT64:
        return unpack_number
    elif op == ARRAY:
        return unpack_array
    elif op == MAP:
        return unpack_map
    elif op == TIMESTAMP:
        return unpack_timestamp
    elif op == JSON:
        return unpack_json_node
    elif op == FLOAT or op == DOUBLE:
        return unpack_float
    elif op == BYTES or op == FIXED:
        return unpack_binary
    elif op == SPELLED:
        return unpack_spelled
    elif op == VECTOR:
        return unpack_vector
    else:
        return unpack_spelling

cdef inline bint take_head(
    Cursor *c, int fixed, int most, int one, int two, Py_ssize_t *found
) noexcept:
    """How long a value is, as ``pack_head`` writes it."""
    cdef int byte, size
    if c.at >= c.end:
        return False
    byte = c.at[0]
    if fixed <= byte <= fixed + most:
        found[0] = byte - fixed
        c.at += 1
        return True
    if byte == one and one:
        size = 1
    elif byte == two:
        size = 2
    elif byte == two + 1:
        size = 4
    else:
        return False
    if c.end - c.at < 1 + size:
        return False
    found[0] = <Py_ssize_t>big_number(c.at + 1, size)
    c.at += 1 + size
    return True

cdef inline bint take_text(Cursor *c, Py_ssize_t *size) noexcept:
    """The length of a text whose bytes are all there."""
    return take_head(c, 0xA0, 31, 0xD9, 0xDA, size) and size[0] <= c.end - c.at

cdef inline bint take_count(Cursor *c, int fixed, int two, Py_ssize_t *count) noexcept:
    """How many items or entries there are, for each of which there is a byte at least."""
    return take_head(c, fixed, 15, 0, two, count) and count[0] <= c.end - c.at

cdef inline PyObject *unpack_any_text(Cursor *c, Texts *texts) noexcept:
    cdef Py_ssize_t size
    if not take_text(c, &size):
        return NULL
    c.at += size
    return shared_text(texts, c.at - size, size)

cdef PyObject *unpack_text(Cursor *c, Node *node) noexcept:
    return unpack_any_text(c, node.texts)

cdef inline bint take_integer(Cursor *c, uint64_t *magnitude, bint *negative) noexcept:
    """An integer of any width."""
    cdef int byte, size
    cdef uint64_t bits
    if c.at >= c.end:
        return False
    byte = c.at[0]
    negative[0] = False
    if byte < 0x80:
        magnitude[0] = byte
        c.at += 1
        return True
    if byte >= 0xE0:
        magnitude[0], negative[0] = 0x100 - byte, True
        c.at += 1
        return True
    if not 0xCC <= byte <= 0xD3:
        return False
    size = 1 << ((byte - 0xCC) & 3)
    if c.end - c.at < 1 + size:
        return False
    bits = big_number(c.at + 1, size)
    c.at += 1 + size
    if byte >= 0xD0 and bits >> (8 * size - 1):
        # The sign is that of so many bytes: the others are as the sign says.
        if size < 8:
            bits |= <uint64_t>-1 << (8 * size)
        bits, negative[0] = 0 - bits, True
    magnitude[0] = bits
    return True

cdef PyObject *unpack_number(Cursor *c, Node *node) noexcept:
    cdef uint64_t magnitude
    cdef bint negative
    if not take_integer(c, &magnitude, &negative) or not in_range(node.op, magnitude, negative):
        return NULL
    return signed_number(magnitude, negative)

cdef inline bint take_double(Cursor *c, double *found) noexcept:
    cdef uint64_t bits
    if c.end - c.at < 9 or c.at[0] != 0xCB:
        return False
    bits = big_number(c.at + 1, 8)
    memcpy(found, &bits, 8)
    c.at += 9
    return True

cdef PyObject *unpack_float(Cursor *c, Node *node) noexcept:
    cdef double number
    return float_in(node, number) if take_double(c, &number) else NULL

cdef PyObject *unpack_binary(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t size
    if not take_head(c, 0, -1, 0xC4, 0xC5, &size) or size > c.end - c.at:
        return NULL
    if node.op == FIXED and size != node.size:
        return NULL
    c.at += size
    return PyBytes_FromStringAndSize(<const char *>c.at - size, size)

cdef bint take_moment(Cursor *c, int64_t *seconds, uint64_t *nanos) noexcept:
    """A timestamp of any width, in the calendar."""
    cdef Py_ssize_t left = c.end - c.at
    if left >= 6 and c.at[0] == 0xD6 and c.at[1] == 0xFF:
        nanos[0], seconds[0] = 0, <int64_t>big_number(c.at + 2, 4)
        c.at += 6
    elif left >= 10 and c.at[0] == 0xD7 and c.at[1] == 0xFF:
        nanos[0] = big_number(c.at + 2, 8)
        seconds[0] = <int64_t>(nanos[0] & ((<uint64_t>1 << 34) - 1))
        nanos[0] >>= 34
        c.at += 10
    elif left >= 15 and c.at[0] == 0xC7 and c.at[1] == 12 and c.at[2] == 0xFF:
        nanos[0], seconds[0] = big_number(c.at + 3, 4), <int64_t>big_number(c.at + 7, 8)
        c.at += 15
    else:
        return False
    # Beyond the calendar, and far from what 64 bits of microseconds hold.
    return nanos[0] < 1000000000 and FIRST_DAY * 86400LL <= seconds[0] < (LAST_DAY + 1) * 86400LL

cdef PyObject *unpack_timestamp(Cursor *c, Node *node) noexcept:
    cdef uint64_t nanos
    cdef int64_t seconds
    if not take_moment(c, &seconds, &nanos) or nanos % (1000 * <uint64_t>node.size):
        return NULL
    return moment_of(
        seconds * SECOND + <int64_t>(nanos // 1000), 1, PyDateTimeAPI.TimeZone_UTC, &node.last
    )

cdef PyObject *unpack_spelling(Cursor *c, Node *node) noexcept:
    cdef const uint8_t *start = c.at
    cdef Py_ssize_t size
    cdef PyObject *found
    if not take_text(c, &size):
        return NULL
    c.at += size
    found = unspelled(node, c.at - size, size)
    if found != NULL or PyErr_Occurred() != NULL:
        return found
    return unspelled_by(node, start, c.at - start)

cdef PyObject *unpack_spelled(Cursor *c, Node *node) noexcept:
    """A value that only Python knows to read."""
    cdef const uint8_t *start = c.at
    if not skip_msgpack(c, c.limit - c.depth):
        return NULL
    return unspelled_by(node, start, c.at - start)

cdef bint skip_any_msgpack(Cursor *c, Node *node) noexcept:
    return skip_msgpack(c, c.limit - c.depth)

cdef bint skip_msgpack(Cursor *c, Py_ssize_t room) noexcept:
    """Passes over a value of any kind that the library can read; ``room`` levels may nest."""
    cdef Py_ssize_t size
    cdef uint64_t magnitude
    cdef int64_t seconds
    cdef bint negative
    if c.at >= c.end:
        return False
    cdef int byte = c.at[0]
    if take_integer(c, &magnitude, &negative):
        return True
    if byte == 0xC0 or byte == 0xC2 or byte == 0xC3:
        c.at += 1
        return True
    if byte == 0xCB:
        return skip_bytes(c, 9)
    if 0xA0 <= byte <= 0xBF or 0xD9 <= byte <= 0xDB:
        if not take_text(c, &size):
            return False
        c.at += size
        return is_utf8(c.at - size, size)
    if 0xC4 <= byte <= 0xC6:
        return take_head(c, 0, -1, 0xC4, 0xC5, &size) and skip_bytes(c, size)
    if byte == 0xC7 or byte == 0xD6 or byte == 0xD7:
        return take_moment(c, &seconds, &magnitude)
    return room > 0 and skip_msgpack_items(c, room - 1)

cdef bint skip_msgpack_items(Cursor *c, Py_ssize_t room) noexcept:
    """Passes over a list, or a map with keys that hold nothing."""
    cdef Py_ssize_t count
    cdef bint is_map = c.at[0] <= 0x8F or c.at[0] in (0xDE, 0xDF)
    if not (take_count(c, 0x80, 0xDE, &count) if is_map else take_count(c, 0x90, 0xDC, &count)):
        return False
    for _ in range(count):
        if is_map and not skip_msgpack(c, 0):
            return False
        if not skip_msgpack(c, room):
            return False
    return True

cdef PyObject *unpack_array(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t count
    cdef PyObject *item
    cdef Node *inner = node.nodes[0]
    if not take_count(c, 0x90, 0xDC, &count) or not enter(c):
        return NULL
    cdef PyObject *items = PyList_New(count)
    if items == NULL:
        return NULL
    PyObject_GC_UnTrack(items)
    for index in range(count):
        item = inner.read(c, inner)
        if item == NULL:
            Py_DECREF(items)
            return NULL
        PyList_SET_ITEM(items, index, item)
    PyObject_GC_Track(items)
    c.depth -= 1
    return items

cdef PyObject *unpack_map(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t count
    if not take_count(c, 0x80, 0xDE, &count) or not enter(c):
        return NULL
    cdef PyObject *entries = PyDict_New()
    if entries == NULL:
        return NULL
    for _ in range(count):
        if not read_entry(c, node, entries):
            Py_DECREF(entries)
            return NULL
    # A key that stands twice is for the library to judge.
    if PyDict_GET_SIZE(entries) != count:
        Py_DECREF(entries)
        return NULL
    c.depth -= 1
    return entries

cdef PyObject *unpack_vector(Cursor *c, Node *node) noexcept:
    """The vector of a list of floats of 64 bits."""
    cdef Py_ssize_t count
    cdef Py_buffer view
    cdef PyObject *made
    cdef bint done
    if c.depth >= c.limit or not take_head(c, 0x90, 15, 0, 0xDC, &count):
        return NULL
    if count > (c.end - c.at) // 9:
        return NULL
    made = new_vector(node, count, &view)
    if made == NULL:
        return NULL
    done = fill_vector(c, node, view.buf, count)
    PyBuffer_Release(&view)
    if not done:
        Py_DECREF(made)
        return NULL
    return made

cdef bint fill_vector(Cursor *c, Node *node, void *numbers, Py_ssize_t count) noexcept:
    cdef double number
    for index in range(count):
        if not take_double(c, &number):
            return False
        if node.size == 8:
            (<double *>numbers)[index] = number
        elif is_narrow(number):
            (<float *>numbers)[index] = <float>number
        else:
            return False
    return True

cdef PyObject *unpack_json_node(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t room = c.limit - c.depth
    return unpack_json(c, node.texts, node.size if node.size < room else room)

cdef PyObject *unpack_json(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    """A value of JSON; ``room`` levels may nest."""
    cdef uint64_t magnitude
    cdef bint negative
    cdef double number
    cdef int byte
    if c.at >= c.end:
        return NULL
    byte = c.at[0]
    if 0xA0 <= byte <= 0xBF or 0xD9 <= byte <= 0xDB:
        return unpack_any_text(c, texts)
    if byte == 0xC0 or byte == 0xC2 or byte == 0xC3:
        c.at += 1
        return owned(Py_None if byte == 0xC0 else Py_True if byte == 0xC3 else Py_False)
    if byte == 0xCB:
        # NaN and the infinities are no values of JSON.
        if not take_double(c, &number) or number - number != 0:
            return NULL
        return PyFloat_FromDouble(number)
    if 0x80 <= byte <= 0x8F or 0xDE <= byte <= 0xDF:
        return unpack_json_dict(c, texts, room)
    if 0x90 <= byte <= 0x9F or 0xDC <= byte <= 0xDD:
        return unpack_json_list(c, texts, room)
    if not take_integer(c, &magnitude, &negative) or not in_range(LONG, magnitude, negative):
        return NULL
    return signed_number(magnitude, negative)

cdef PyObject *unpack_json_list(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    cdef Py_ssize_t count
    cdef PyObject *item
    if room < 1 or not take_count(c, 0x90, 0xDC, &count):
        return NULL
    cdef PyObject *items = PyList_New(count)
    if items == NULL:
        return NULL
    for index in range(count):
        item = unpack_json(c, texts, room - 1)
        if item == NULL:
            Py_DECREF(items)
            return NULL
        PyList_SET_ITEM(items, index, item)
    return items

cdef PyObject *unpack_json_dict(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    cdef Py_ssize_t count
    if room < 1 or not take_count(c, 0x80, 0xDE, &count):
        return NULL
    cdef PyObject *members = PyDict_New()
    if members == NULL:
        return NULL
    for _ in range(count):
        if not unpack_json_member(c, texts, room - 1, members):
            Py_DECREF(members)
            return NULL
    if PyDict_GET_SIZE(members) != count:
        Py_DECREF(members)
        return NULL
    return members

cdef bint unpack_json_member(
    Cursor *c, Texts *texts, Py_ssize_t room, PyObject *members
) noexcept:
    cdef PyObject *value
    cdef bint done = False
    cdef PyObject *key = unpack_any_text(c, &texts[1])
    if key == NULL:
        return False
    value = unpack_json(c, texts, room)
    if value != NULL:
        done = PyDict_SetItem(members, key, value) == 0
        Py_DECREF(value)
    Py_DECREF(key)
    return done
