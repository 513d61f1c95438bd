# Writes objects as JSON text by a program: the same bytes that msgspec writes, each value
# checked as it is met. What JSON has no plain form for (NaN, the infinities) is given up.

cdef Write text_writer(int op) noexcept:
    if op == STRING:
        return text_of_text
    elif op == RECORD or op == BOX:
        return write_keyed
    elif op == LONG or op == INT or op == UINT32 or op == UINT64:
        return text_of_number
    elif op == ENUM:
        return write_keyed_symbol
    elif op == OPTIONAL:
        return write_keyed_optional
    elif op == UNION:
        return write_keyed_branch
    elif op == ARRAY:
        return text_of_array
    elif op == MAP:
        return text_of_map
    elif op == JSON:
        return text_of_json
    elif op == FLOAT or op == DOUBLE:
        return text_of_float
    elif op == BYTES or op == FIXED:
        return text_of_binary
    elif op == SPELLED:
        return write_spelled
    elif op == VECTOR:
        return text_of_vector
    else:
        return text_of_spelling

cdef bint text_of_text(Buffer *b, Node *node, PyObject *value) noexcept:
    return write_json_text(b, value)

cdef bint text_of_number(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef uint64_t magnitude
    cdef bint negative
    if not check_number(node, value, &magnitude, &negative):
        return False
    return put_digits(b, magnitude, negative)

cdef bint text_of_float(Buffer *b, Node *node, PyObject *value) noexcept:
    # A whole number where a float is meant is left to Python, which knows if it is exact.
    if not PyFloat_CheckExact(value):
        return False
    if node.op == FLOAT and not is_narrow(PyFloat_AS_DOUBLE(value)):
        return False
    return write_json_float(b, value)

cdef const char *BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

cdef bint text_of_binary(Buffer *b, Node *node, PyObject *value) noexcept:
    """Bytes in base 64 (RFC 4648, section 4)."""
    if not PyBytes_CheckExact(value):
        return False
    cdef Py_ssize_t size = PyBytes_GET_SIZE(value)
    if node.op == FIXED and size != node.size:
        return False
    if not ensure(b, (size + 2) // 3 * 4 + 2):
        return False
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(value)
    cdef uint8_t *out = b.data + b.size
    cdef uint32_t three
    out[0] = 34
    out += 1
    while size > 0:
        three = <uint32_t>at[0] << 16
        three |= <uint32_t>at[1] << 8 if size > 1 else 0
        three |= at[2] if size > 2 else 0
        out[0], out[1] = BASE64[three >> 18], BASE64[three >> 12 & 63]
        out[2] = BASE64[three >> 6 & 63] if size > 1 else 61
        out[3] = BASE64[three & 63] if size > 2 else 61
        out += 4
        at += 3
        size -= 3
    out[0] = 34
    b.size = out + 1 - b.data
    return True

cdef bint text_of_vector(Buffer *b, Node *node, PyObject *value) noexcept:
    """All numbers at once, by msgspec: most have more digits than are found here."""
    if b.depth >= b.limit or not check_vector(node, value, True):
        return False
    cdef PyObject *numbers = PySequence_List(value)
    if numbers == NULL:
        return False
    cdef bint done = write_by_msgspec(b, numbers)
    Py_DECREF(numbers)
    return done

cdef bint text_of_spelling(Buffer *b, Node *node, PyObject *value) noexcept:
    if not ensure(b, LONGEST_SPELLING + 2):
        return False
    cdef uint8_t *out = b.data + b.size
    cdef Py_ssize_t size = spell(node, value, out + 1)
    if size:
        out[0], out[size + 1] = 34, 34
        b.size += size + 2
        return True
    if PyErr_Occurred() != NULL:
        return False
    return write_spelled(b, node, value)

cdef bint text_of_json(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef Py_ssize_t start = b.size
    cdef Py_ssize_t room = json_room(b, node)
    if write_json(b, value, room):
        return True
    # Python knows how deep the value may be, but not how deep the whole state is.
    if PyErr_Occurred() != NULL or room < node.size:
        return False
    b.size = start
    return write_spelled(b, node, value)

cdef bint text_of_array(Buffer *b, Node *node, PyObject *items) noexcept:
    cdef PyObject *item
    cdef bint done
    cdef Node *inner = node.nodes[0]
    if not PyList_CheckExact(items) or not deeper(b):
        return False
    if inner.op == DOUBLE and are_long_floats(items):
        b.depth -= 1
        return write_by_msgspec(b, items)
    cdef Py_ssize_t count = PyList_GET_SIZE(items)
    if (node.size and count > node.size) or not put_byte(b, 91):
        return False
    for index in range(count):
        # A function in Python may have changed the list.
        if index >= PyList_GET_SIZE(items) or (index and not put_byte(b, 44)):
            return False
        item = PyList_GET_ITEM(items, index)
        Py_INCREF(item)
        done = inner.write(b, inner, item)
        Py_DECREF(item)
        if not done:
            return False
    b.depth -= 1
    return PyList_GET_SIZE(items) == count and put_byte(b, 93)

cdef bint text_of_map(Buffer *b, Node *node, PyObject *entries) noexcept:
    cdef PyObject *key
    cdef PyObject *value
    cdef Py_ssize_t place = 0, written = 0
    cdef bint done
    if not PyDict_CheckExact(entries) or not deeper(b) or not put_byte(b, 123):
        return False
    cdef Py_ssize_t count = PyDict_GET_SIZE(entries)
    while PyDict_Next(entries, &place, &key, &value):
        Py_INCREF(key)
        Py_INCREF(value)
        done = not written or put_byte(b, 44)
        done = done and text_of_key(b, node.nodes[0], key) and put_byte(b, 58)
        done = done and node.nodes[1].write(b, node.nodes[1], value)
        Py_DECREF(key)
        Py_DECREF(value)
        written += 1
        if not done or written > count or PyDict_GET_SIZE(entries) != count:
            return False
    b.depth -= 1
    return written == count and put_byte(b, 125)

cdef inline bint text_of_key(Buffer *b, Node *node, PyObject *key) noexcept:
    """A text, or a number between quotes."""
    if node.op == STRING:
        return node.write(b, node, key)
    return put_byte(b, 34) and node.write(b, node, key) and put_byte(b, 34)
