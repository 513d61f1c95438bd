# Writes objects in MessagePack by a program: the same bytes that msgspec writes, each value
# checked as it is met.

cdef Write msgpack_writer(int op) noexcept:
    if op == STRING:
        return pack_text
    elif op == RECORD or op == BOX:
        return write_keyed
    elif op == LONG or op == INT or op == UINT32 or op == UINT64:
        return pack_number
    elif op == ENUM:
        return write_keyed_symbol
    elif op == OPTIONAL:
        return write_keyed_optional
    elif op == UNION:
        return write_keyed_branch
    elif op == ARRAY:
        return pack_array
    elif op == MAP:
        return pack_map
    elif op == TIMESTAMP:
        return pack_timestamp
    elif op == JSON:
        return pack_json_node
    elif op == FLOAT or op == DOUBLE:
        return pack_float
    elif op == BYTES or op == FIXED:
        return pack_binary
    elif op == SPELLED:
        return write_spelled
    elif op == VECTOR:
        return pack_vector
    else:
        return pack_spelling

cdef extern from *:
    """
    /* A number of so many bytes, the highest first, and where it ends. */
    static inline unsigned char *instar_put_big(unsigned char *out, uint64_t value, int size)
    {
    #if PY_LITTLE_ENDIAN && defined(__GNUC__)
        value = __builtin_bswap64(value) >> (64 - 8 * size);
    #else
        uint64_t turned = 0;
        int place;
        for (place = 0; place < size; place++)
            ((unsigned char *)&turned)[place] = (unsigned char)(value >> 8 * (size - 1 - place));
        value = turned;
    #endif
        switch (size) {
        case 1: memcpy(out, &value, 1); break;
        case 2: memcpy(out, &value, 2); break;
        case 4: memcpy(out, &value, 4); break;
        default: memcpy(out, &value, 8);
        }
        return out + size;
    }

    /* The same, read. */
    static inline uint64_t instar_big_number(const unsigned char *at, int size)
    {
        uint64_t value = 0;
    #if PY_LITTLE_ENDIAN && defined(__GNUC__)
        switch (size) {
        case 1: return *at;
        case 2: memcpy(&value, at, 2); break;
        case 4: memcpy(&value, at, 4); break;
        default: memcpy(&value, at, 8);
        }
        return __builtin_bswap64(value) >> (64 - 8 * size);
    #else
        while (size--)
            value = value << 8 | *at++;
        return value;
    #endif
    }
    """
    # Of 1, 2, 4 or 8 bytes.
    uint8_t *put_big "instar_put_big" (uint8_t *, uint64_t, int) noexcept
    uint64_t big_number "instar_big_number" (const uint8_t *, int) noexcept

cdef inline bint pack_head(
    Buffer *b, Py_ssize_t count, int fixed, int most, int one, int two
) noexcept:
    """How long a value is: in one byte with ``fixed`` up to ``most``, or after one that says
    how many bytes follow, of which ``one`` is 0 where there is no such form.
    """
    if not ensure(b, 5):
        return False
    cdef uint8_t *out = b.data + b.size
    # Most are short.
    if count <= most:
        out[0] = <uint8_t>(fixed | count)
        b.size += 1
    elif count < 0x100 and one:
        out[0], out[1] = <uint8_t>one, <uint8_t>count
        b.size += 2
    elif count < 0x10000:
        out[0] = <uint8_t>two
        put_big(out + 1, count, 2)
        b.size += 3
    elif count <= 0xFFFFFFFFULL:
        out[0] = <uint8_t>(two + 1)
        put_big(out + 1, count, 4)
        b.size += 5
    else:
        return False
    return True

cdef inline bint pack_text_of(Buffer *b, const uint8_t *at, Py_ssize_t size) noexcept:
    return pack_head(b, size, 0xA0, 31, 0xD9, 0xDA) and put_bytes(b, at, size)

cdef bint pack_text(Buffer *b, Node *node, PyObject *value) noexcept:
    return pack_any_text(b, value)

cdef inline bint pack_any_text(Buffer *b, PyObject *value) noexcept:
    cdef Py_ssize_t size
    cdef const uint8_t *at = bytes_of_text(value, &size)
    return at != NULL and pack_text_of(b, at, size)

cdef bint pack_number(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef uint64_t magnitude
    cdef bint negative
    if not check_number(node, value, &magnitude, &negative):
        return False
    return pack_integer(b, magnitude, negative)

cdef inline bint pack_integer(Buffer *b, uint64_t magnitude, bint negative) noexcept:
    """An integer in as few bytes as hold it."""
    cdef int size, code
    cdef uint64_t half
    if not ensure(b, 9):
        return False
    cdef uint8_t *out = b.data + b.size
    cdef uint64_t bits = 0 - magnitude if negative else magnitude
    if magnitude < 0x80 and not negative or negative and magnitude <= 32:
        out[0] = <uint8_t>bits
        b.size += 1
        return True
    # With a sign, half of the range is left: 0xD0 to 0xD3; without one 0xCC to 0xCF.
    half = (magnitude - 1) << 1 if negative else magnitude
    if negative and magnitude > <uint64_t>1 << 62:
        size, code = 8, 3
    elif half < 0x100:
        size, code = 1, 0
    elif half < 0x10000:
        size, code = 2, 1
    elif half <= 0xFFFFFFFFULL:
        size, code = 4, 2
    else:
        size, code = 8, 3
    out[0] = <uint8_t>((0xD0 if negative else 0xCC) + code)
    put_big(out + 1, bits, size)
    b.size += 1 + size
    return True

cdef bint pack_float(Buffer *b, Node *node, PyObject *value) noexcept:
    # A whole number where a float is meant is left to Python, which knows if it is exact.
    if not PyFloat_CheckExact(value):
        return False
    if node.op == FLOAT and not is_narrow(PyFloat_AS_DOUBLE(value)):
        return False
    return pack_double(b, PyFloat_AS_DOUBLE(value))

cdef inline bint pack_double(Buffer *b, double number) noexcept:
    cdef uint64_t bits
    if not ensure(b, 9):
        return False
    memcpy(&bits, &number, 8)
    b.data[b.size] = 0xCB
    put_big(b.data + b.size + 1, bits, 8)
    b.size += 9
    return True

cdef bint pack_binary(Buffer *b, Node *node, PyObject *value) noexcept:
    if not PyBytes_CheckExact(value):
        return False
    cdef Py_ssize_t size = PyBytes_GET_SIZE(value)
    if node.op == FIXED and size != node.size:
        return False
    return pack_head(b, size, 0, -1, 0xC4, 0xC5) and put_bytes(b, PyBytes_AS_STRING(value), size)

cdef bint pack_timestamp(Buffer *b, Node *node, PyObject *value) noexcept:
    """The extension type -1 of the specification, in 4, 8 or 12 bytes."""
    cdef int64_t micros
    if not count_of_moment(value, 1, PyDateTimeAPI.TimeZone_UTC, &micros):
        return write_spelled(b, node, value)
    if (node.size != 1 and micros % node.size) or not ensure(b, 15):
        return False
    cdef int64_t seconds = micros // SECOND
    if micros - seconds * SECOND < 0:
        seconds -= 1
    cdef uint64_t nanos = <uint64_t>(micros - seconds * SECOND) * 1000
    cdef uint8_t *out = b.data + b.size
    if 0 <= seconds <= 0xFFFFFFFFULL and nanos == 0:
        out[0], out[1] = 0xD6, 0xFF
        out = put_big(out + 2, <uint64_t>seconds, 4)
    elif 0 <= seconds < <int64_t>1 << 34:
        out[0], out[1] = 0xD7, 0xFF
        out = put_big(out + 2, nanos << 34 | <uint64_t>seconds, 8)
    else:
        out[0], out[1], out[2] = 0xC7, 12, 0xFF
        out = put_big(put_big(out + 3, nanos, 4), <uint64_t>seconds, 8)
    b.size = out - b.data
    return True

cdef bint pack_spelling(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef uint8_t[LONGEST_SPELLING] text
    cdef Py_ssize_t size = spell(node, value, text)
    if size:
        return pack_text_of(b, text, size)
    if PyErr_Occurred() != NULL:
        return False
    return write_spelled(b, node, value)

cdef bint pack_array(Buffer *b, Node *node, PyObject *items) noexcept:
    cdef PyObject *item
    cdef bint done
    cdef Node *inner = node.nodes[0]
    if not PyList_CheckExact(items) or not deeper(b):
        return False
    cdef Py_ssize_t count = PyList_GET_SIZE(items)
    if node.size and count > node.size:
        return False
    if not pack_head(b, count, 0x90, 15, 0, 0xDC):
        return False
    for index in range(count):
        # A function in Python may have changed the list.
        if index >= PyList_GET_SIZE(items):
            return False
        item = PyList_GET_ITEM(items, index)
        Py_INCREF(item)
        done = inner.write(b, inner, item)
        Py_DECREF(item)
        if not done:
            return False
    b.depth -= 1
    return PyList_GET_SIZE(items) == count

cdef bint pack_map(Buffer *b, Node *node, PyObject *entries) noexcept:
    cdef PyObject *key
    cdef PyObject *value
    cdef Py_ssize_t place = 0, written = 0
    cdef bint done
    if not PyDict_CheckExact(entries) or not deeper(b):
        return False
    cdef Py_ssize_t count = PyDict_GET_SIZE(entries)
    if not pack_head(b, count, 0x80, 15, 0, 0xDE):
        return False
    while PyDict_Next(entries, &place, &key, &value):
        Py_INCREF(key)
        Py_INCREF(value)
        done = node.nodes[0].write(b, node.nodes[0], key)
        done = done and node.nodes[1].write(b, node.nodes[1], value)
        Py_DECREF(key)
        Py_DECREF(value)
        written += 1
        if not done or written > count or PyDict_GET_SIZE(entries) != count:
            return False
    b.depth -= 1
    return written == count

cdef bint pack_vector(Buffer *b, Node *node, PyObject *value) noexcept:
    """A list of floats of 64 bits, whatever the numbers are in memory."""
    cdef Py_buffer view
    if b.depth >= b.limit or not open_vector(node, value, &view):
        return False
    cdef Py_ssize_t count = view.len // node.size
    cdef bint done = pack_head(b, count, 0x90, 15, 0, 0xDC) and ensure(b, 9 * count)
    for index in range(count if done else 0):
        if node.size == 4:
            pack_double(b, (<const float *>view.buf)[index])
        else:
            pack_double(b, (<const double *>view.buf)[index])
    PyBuffer_Release(&view)
    return done

cdef bint pack_json_node(Buffer *b, Node *node, PyObject *value) noexcept:
    return pack_json(b, value, json_room(b, node))

cdef bint pack_json(Buffer *b, PyObject *value, Py_ssize_t room) noexcept:
    """A value of JSON; no function in Python runs meanwhile."""
    cdef int overflow = 0
    cdef int64_t number
    if PyUnicode_CheckExact(value):
        return pack_any_text(b, value)
    if value == Py_None:
        return put_byte(b, 0xC0)
    if value == Py_True or value == Py_False:
        return put_byte(b, 0xC3 if value == Py_True else 0xC2)
    if PyLong_CheckExact(value):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow:
            return False  # a few more fit 64 bits without a sign; Python knows
        return pack_integer(b, 0 - <uint64_t>number if number < 0 else <uint64_t>number, number < 0)
    if PyFloat_CheckExact(value):
        if PyFloat_AS_DOUBLE(value) - PyFloat_AS_DOUBLE(value) != 0:
            return False
        return pack_double(b, PyFloat_AS_DOUBLE(value))
    if room < 1:
        return False
    if PyDict_CheckExact(value):
        return pack_json_dict(b, value, room - 1)
    return PyList_CheckExact(value) and pack_json_list(b, value, room - 1)

cdef bint pack_json_list(Buffer *b, PyObject *items, Py_ssize_t room) noexcept:
    cdef Py_ssize_t count = PyList_GET_SIZE(items)
    if not pack_head(b, count, 0x90, 15, 0, 0xDC):
        return False
    for index in range(count):
        if not pack_json(b, PyList_GET_ITEM(items, index), room):
            return False
    return True

cdef bint pack_json_dict(Buffer *b, PyObject *members, Py_ssize_t room) noexcept:
    cdef Py_ssize_t place = 0
    cdef PyObject *key
    cdef PyObject *value
    if not pack_head(b, PyDict_GET_SIZE(members), 0x80, 15, 0, 0xDE):
        return False
    while PyDict_Next(members, &place, &key, &value):
        if not pack_any_text(b, key) or not pack_json(b, value, room):
            return False
    return True
