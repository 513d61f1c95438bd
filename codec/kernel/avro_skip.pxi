# Passes over values of an Avro payload, with the same checks and without building any.

cdef bint skip_avro(Cursor *c, Node *node, bint check_text) noexcept:
    """Moves behind the value. ``check_text`` also looks whether text is UTF-8."""
    cdef int op = node.op
    cdef int64_t number
    cdef Py_ssize_t size
    if op == STRING or op == UUID_TEXT:
        if not read_size(c, &size):
            return False
        c.at += size
        return not check_text or is_utf8(c.at - size, size)
    if op in (BYTES, JSON, DECIMAL):
        if not read_size(c, &size):
            return False
        c.at += size
        return True
    if op in (LONG, UINT32, UINT64, TIMESTAMP, LOCAL_TIMESTAMP, DURATION):
        return read_long(c, &number)
    if op in (INT, DATE):
        return read_int(c, &number)
    if op == ENUM:
        return read_int(c, &number) and 0 <= number < node.places
    if op == TIME:
        return read_int(c, &number) if node.size == 1000 else read_long(c, &number)
    if op == BOOLEAN:
        return skip_bytes(c, 1) and (c.at - 1)[0] <= 1
    if op == RECORD:
        return skip_record(c, node, check_text)
    if op == OPTIONAL:
        if not read_long(c, &number) or not 0 <= number <= 1:
            return False
        return number == node.size or skip_avro(c, node.nodes[0], check_text)
    if op == UNION:
        if not read_long(c, &number) or not 0 <= number < node.count:
            return False
        return skip_avro(c, node.nodes[number], check_text)
    if op in (ARRAY, MAP, VECTOR):
        return skip_blocks(c, node, check_text)
    if op in (CALL, BOX, NEVER):
        return skip_avro(c, node.nodes[0], check_text)
    if op in (CONSTANT, EMPTY_LIST, EMPTY_DICT, MAKE):
        return True
    return skip_bytes(c, node.least)  # a float, a double, bytes of a fixed length

cdef inline bint skip_bytes(Cursor *c, Py_ssize_t size) noexcept:
    if c.end - c.at < size:
        return False
    c.at += size
    return True

cdef bint is_utf8(const uint8_t *at, Py_ssize_t size) noexcept:
    if is_ascii(at, size):
        return True
    cdef PyObject *text = PyUnicode_DecodeUTF8(<const char *>at, size, NULL)
    Py_XDECREF(text)
    return text != NULL

cdef bint skip_record(Cursor *c, Node *node, bint check_text) noexcept:
    if not enter(c):
        return False
    for index in range(node.count):
        if node.slots[index] >= 0 and not skip_avro(c, node.nodes[index], check_text):
            return False
    c.depth -= 1
    return True

cdef bint skip_blocks(Cursor *c, Node *node, bint check_text) noexcept:
    """An array or a map. Where a block says its size, a skip without checks takes one step."""
    cdef Py_ssize_t count = 0
    cdef const uint8_t *stop
    if not enter(c):
        return False
    while read_block(c, node, &count, &stop):
        if count == 0:
            c.depth -= 1
            return True
        if stop != NULL and not check_text:
            c.at = stop
            continue
        for index in range(count * node.count):
            if not skip_avro(c, node.nodes[index % node.count], check_text):
                return False
        if stop != NULL and stop != c.at:
            return False
    return False
