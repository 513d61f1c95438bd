# Reads JSON text by a program, as our writer lays it out: without white space, the keys of
# records in their order. All else is left to the library.

cdef Read text_reader(int op) noexcept:
    if op == STRING:
        return text_as_text
    elif op == LONG or op == INT or op == UINT32 or op == UINT64:
        return text_as_number
    elif op == ARRAY:
        return text_as_array
    elif op == MAP:
        return text_as_map
    elif op == JSON:
        return text_as_json
    elif op == FLOAT or op == DOUBLE:
        return text_as_float
    elif op == BYTES or op == FIXED:
        return text_as_binary
    elif op == SPELLED:
        return text_as_spelled
    elif op == VECTOR:
        return text_as_vector
    else:
        return text_as_spelling

cdef PyObject *text_as_text(Cursor *c, Node *node) noexcept:
    if c.at >= c.end or c.at[0] != 34:
        return NULL
    return read_json_text(c, node.texts)

cdef PyObject *text_as_number(Cursor *c, Node *node) noexcept:
    cdef uint64_t magnitude
    cdef bint negative
    if not take_json_int(c, &magnitude, &negative) or not in_range(node.op, magnitude, negative):
        return NULL
    return signed_number(magnitude, negative)

cdef PyObject *text_as_float(Cursor *c, Node *node) noexcept:
    cdef double number
    return float_in(node, number) if take_json_float(c, &number) else NULL

cdef inline bint take_quoted(Cursor *c, const uint8_t **at, Py_ssize_t *size) noexcept:
    """What stands between two quotes, if nothing there is escaped."""
    if c.at >= c.end or c.at[0] != 34:
        return False
    at[0] = c.at + 1
    cdef const uint8_t *stop = json_stop(at[0], c.end)
    if stop >= c.end or stop[0] != 34:
        return False
    size[0] = stop - at[0]
    c.at = stop + 1
    return True

cdef PyObject *text_as_binary(Cursor *c, Node *node) noexcept:
    """Bytes in base 64, with nothing but zeros in the bits that are left over."""
    cdef const uint8_t *at
    cdef Py_ssize_t size
    if not take_quoted(c, &at, &size) or size % 4:
        return NULL
    cdef Py_ssize_t padding = 0
    while padding < 2 and padding < size and at[size - 1 - padding] == 61:
        padding += 1
    cdef PyObject *made = PyBytes_FromStringAndSize(NULL, size // 4 * 3 - padding)
    if made == NULL:
        return NULL
    if (node.op == FIXED and PyBytes_GET_SIZE(made) != node.size) or not fill_binary(
        at, size - padding, <uint8_t *>PyBytes_AS_STRING(made)
    ):
        Py_DECREF(made)
        return NULL
    return made

cdef enum:
    NO_DIGIT = 64

cdef uint32_t[256] DIGITS_OF_64
for _place in range(256):
    DIGITS_OF_64[_place] = NO_DIGIT
for _place in range(64):
    DIGITS_OF_64[<uint8_t>BASE64[_place]] = _place

cdef bint fill_binary(const uint8_t *at, Py_ssize_t size, uint8_t *out) noexcept:
    """Writes the bytes of digits without their padding; four are three bytes."""
    cdef uint32_t bits
    cdef uint32_t all = 0
    cdef const uint8_t *stop = at + (size & ~<Py_ssize_t>3)
    while at < stop:
        all |= DIGITS_OF_64[at[0]] | DIGITS_OF_64[at[1]]
        all |= DIGITS_OF_64[at[2]] | DIGITS_OF_64[at[3]]
        bits = DIGITS_OF_64[at[0]] << 18 | DIGITS_OF_64[at[1]] << 12
        bits |= DIGITS_OF_64[at[2]] << 6 | DIGITS_OF_64[at[3]]
        out[0], out[1], out[2] = <uint8_t>(bits >> 16), <uint8_t>(bits >> 8), <uint8_t>bits
        out += 3
        at += 4
    return not all & NO_DIGIT and fill_last(at, size & 3, out)

cdef inline bint fill_last(const uint8_t *at, Py_ssize_t size, uint8_t *out) noexcept:
    """One or two bytes of two or three digits, whose last bits say nothing and are zero."""
    cdef uint32_t all, bits
    if size == 0:
        return True
    all = DIGITS_OF_64[at[0]] | DIGITS_OF_64[at[1]]
    bits = DIGITS_OF_64[at[0]] << 12 | DIGITS_OF_64[at[1]] << 6
    if size == 3:
        all |= DIGITS_OF_64[at[2]]
        bits |= DIGITS_OF_64[at[2]]
        out[1] = <uint8_t>(bits >> 2)
    out[0] = <uint8_t>(bits >> 10)
    return not all & NO_DIGIT and not bits & (3 if size == 3 else 0x3FF)

cdef PyObject *text_as_spelling(Cursor *c, Node *node) noexcept:
    cdef const uint8_t *start = c.at
    cdef const uint8_t *at
    cdef Py_ssize_t size
    cdef PyObject *found
    if not take_quoted(c, &at, &size):
        return NULL
    found = unspelled(node, at, size)
    if found != NULL or PyErr_Occurred() != NULL:
        return found
    return unspelled_by(node, start, c.at - start)

cdef PyObject *text_as_spelled(Cursor *c, Node *node) noexcept:
    """A value that only Python knows to read."""
    cdef const uint8_t *start = c.at
    if not skip_json(c):
        return NULL
    return unspelled_by(node, start, c.at - start)

cdef bint skip_json(Cursor *c) noexcept:
    """Passes over what stands up to the end of one value; whoever reads it checks it."""
    cdef Py_ssize_t open = 0
    cdef const uint8_t *start = c.at
    while c.at < c.end:
        if c.at[0] == 34:
            if not skip_json_text(c):
                return False
        elif c.at[0] in (91, 123):
            open += 1
            c.at += 1
        elif c.at[0] in (93, 125):
            if not open:
                return c.at != start
            open -= 1
            c.at += 1
        elif c.at[0] == 44 and not open:
            return c.at != start
        else:
            c.at += 1
            continue
        if not open:
            return True
    return False

cdef bint skip_json_text(Cursor *c) noexcept:
    """Passes over a text; the cursor stands on its first quote."""
    cdef const uint8_t *at = c.at + 1
    while True:
        at = json_stop(at, c.end)
        if at >= c.end or at[0] < 0x20:
            return False
        if at[0] == 34:
            c.at = at + 1
            return True
        at += 2

cdef bint skip_any_text(Cursor *c, Node *node) noexcept:
    return pass_json(c, c.limit - c.depth)

cdef bint pass_json(Cursor *c, Py_ssize_t room) noexcept:
    """Passes over a value that the library can read; ``room`` levels may nest."""
    cdef PyObject *found
    if c.at >= c.end:
        return False
    if c.at[0] == 34:
        return pass_json_text(c)
    if c.at[0] in (91, 123):
        return room > 0 and pass_json_items(c, room - 1)
    if c.at[0] == 45 or 48 <= c.at[0] <= 57:
        return pass_json_number(c)
    found = read_json(c, NULL, 0)  # a word
    Py_XDECREF(found)
    return found != NULL

cdef bint pass_json_number(Cursor *c) noexcept:
    cdef const uint8_t *start = c.at
    cdef uint64_t magnitude
    cdef double number
    cdef bint negative
    if take_json_int(c, &magnitude, &negative):
        return in_range(LONG if negative else UINT64, magnitude, negative)
    c.at = start
    return take_json_float(c, &number)

cdef bint pass_json_text(Cursor *c) noexcept:
    """Passes over a text; the cursor stands on its first quote."""
    cdef const uint8_t *start = c.at + 1
    cdef const uint8_t *stop = json_stop(start, c.end)
    cdef PyObject *found
    if stop >= c.end:
        return False
    if stop[0] == 34:
        c.at = stop + 1
        return is_utf8(start, stop - start)
    found = read_escaped_text(c)
    Py_XDECREF(found)
    return found != NULL

cdef bint pass_json_items(Cursor *c, Py_ssize_t room) noexcept:
    """Passes over a list or an object; the cursor stands on what opens it."""
    cdef bint is_object = c.at[0] == 123
    cdef uint8_t closing = 125 if is_object else 93
    c.at += 1
    if c.at < c.end and c.at[0] == closing:
        c.at += 1
        return True
    while True:
        if is_object and not pass_json_key(c):
            return False
        if not pass_json(c, room) or c.at >= c.end:
            return False
        c.at += 1
        if (c.at - 1)[0] == closing:
            return True
        if (c.at - 1)[0] != 44:
            return False

cdef inline bint pass_json_key(Cursor *c) noexcept:
    """Passes over a key and what stands behind it."""
    if c.at >= c.end or c.at[0] != 34 or not pass_json_text(c):
        return False
    if c.at >= c.end or c.at[0] != 58:
        return False
    c.at += 1
    return True

cdef PyObject *text_as_json(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t room = c.limit - c.depth
    return read_json(c, node.texts, node.size if node.size < room else room)

cdef PyObject *text_as_array(Cursor *c, Node *node) noexcept:
    cdef PyObject *items
    if c.at >= c.end or c.at[0] != 91 or not enter(c):
        return NULL
    items = PyList_New(0)
    if items == NULL:
        return NULL
    c.at += 1
    PyObject_GC_UnTrack(items)
    if not fill_from_text(c, node.nodes[0], items):
        Py_DECREF(items)
        return NULL
    PyObject_GC_Track(items)
    c.depth -= 1
    return items

cdef bint fill_from_text(Cursor *c, Node *inner, PyObject *items) noexcept:
    cdef PyObject *item
    cdef bint done
    if c.at < c.end and c.at[0] == 93:
        c.at += 1
        return True
    while True:
        item = inner.read(c, inner)
        if item == NULL:
            return False
        done = PyList_Append(items, item) == 0
        Py_DECREF(item)
        if not done or c.at >= c.end:
            return False
        c.at += 1
        if (c.at - 1)[0] == 93:
            return True
        if (c.at - 1)[0] != 44:
            return False

cdef extern from *:
    """
    /* How many numbers stand in a list of numbers, up to its end; -1 where there is none. */
    static Py_ssize_t instar_count_numbers(const unsigned char *at, const unsigned char *end)
    {
        const unsigned char *stop = memchr(at, ']', end - at);
        Py_ssize_t count = 1;
        if (!stop)
            return -1;
        if (at == stop)
            return 0;
        for (; at < stop; at++)
            count += *at == ',';
        return count;
    }
    """
    Py_ssize_t numbers_ahead "instar_count_numbers" (const uint8_t *, const uint8_t *) noexcept

cdef PyObject *text_as_vector(Cursor *c, Node *node) noexcept:
    cdef Py_buffer view
    cdef Py_ssize_t count
    cdef PyObject *made
    cdef bint done
    if c.at >= c.end or c.at[0] != 91 or c.depth >= c.limit:
        return NULL
    c.at += 1
    count = numbers_ahead(c.at, c.end)
    if count < 0:
        return NULL
    made = new_vector(node, count, &view)
    if made == NULL:
        return NULL
    done = fill_vector_from_text(c, node, view.buf, count)
    PyBuffer_Release(&view)
    if not done:
        Py_DECREF(made)
        return NULL
    return made

cdef bint fill_vector_from_text(Cursor *c, Node *node, void *numbers, Py_ssize_t count) noexcept:
    cdef double number
    for index in range(count):
        if not take_json_float(c, &number):
            return False
        if node.size == 8:
            (<double *>numbers)[index] = number
        elif is_narrow(number):
            (<float *>numbers)[index] = <float>number
        else:
            return False
        c.at += 1
        if (c.at - 1)[0] != (44 if index + 1 < count else 93):
            return False
    if count == 0:
        c.at += 1
    return True

cdef PyObject *text_as_map(Cursor *c, Node *node) noexcept:
    cdef PyObject *entries
    if c.at >= c.end or c.at[0] != 123 or not enter(c):
        return NULL
    entries = PyDict_New()
    if entries == NULL:
        return NULL
    c.at += 1
    if not fill_map_from_text(c, node, entries):
        Py_DECREF(entries)
        return NULL
    c.depth -= 1
    return entries

cdef bint fill_map_from_text(Cursor *c, Node *node, PyObject *entries) noexcept:
    cdef Py_ssize_t count = 0
    if c.at < c.end and c.at[0] == 125:
        c.at += 1
        return True
    while text_as_entry(c, node, entries) and c.at < c.end:
        count += 1
        c.at += 1
        if (c.at - 1)[0] == 125:
            # A key that stands twice is for the library to judge.
            return PyDict_GET_SIZE(entries) == count
        if (c.at - 1)[0] != 44:
            return False
    return False

cdef bint text_as_entry(Cursor *c, Node *node, PyObject *entries) noexcept:
    cdef PyObject *key = text_as_key(c, node.nodes[0])
    cdef PyObject *value = NULL
    cdef bint done = False
    if key == NULL:
        return False
    if c.at < c.end and c.at[0] == 58:
        c.at += 1
        value = node.nodes[1].read(c, node.nodes[1])
    if value != NULL:
        done = PyDict_SetItem(entries, key, value) == 0
        Py_DECREF(value)
    Py_DECREF(key)
    return done

cdef PyObject *text_as_key(Cursor *c, Node *node) noexcept:
    """A text, or a number between quotes."""
    cdef PyObject *key
    if within_boxes(node).op == STRING:
        return node.read(c, node)
    if c.at >= c.end or c.at[0] != 34:
        return NULL
    c.at += 1
    key = node.read(c, node)
    if key == NULL:
        return NULL
    if c.at >= c.end or c.at[0] != 34:
        Py_DECREF(key)
        return NULL
    c.at += 1
    return key
