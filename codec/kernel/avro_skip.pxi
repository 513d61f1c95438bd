# Passes over values of an Avro payload that the reader has no place for, with all the checks of
# reading them and without building any.

cdef inline bint skip_avro(Cursor *c, Node *node) noexcept:
    """Moves behind the value."""
    return node.skip(c, node)

cdef Skip avro_skipper(int op) noexcept:
    """The function that passes over values of an op."""
    if op == STRING or op == UUID_TEXT:
        return skip_text
    elif op == BYTES or op == JSON or op == DECIMAL:
        return skip_sized
    elif op == LONG or op == UINT32 or op == UINT64 or op == TIMESTAMP:
        return skip_long
    elif op == LOCAL_TIMESTAMP or op == DURATION or op == CARRIED:
        return skip_long
    elif op == INT or op == DATE:
        return skip_int
    elif op == ENUM:
        return skip_symbol
    elif op == RECORD or op == SCRATCH:
        return skip_record
    elif op == OPTIONAL:
        return skip_optional
    elif op == UNION:
        return skip_branch
    elif op == ARRAY or op == MAP:
        return skip_blocks
    elif op == VECTOR:
        return skip_numbers
    else:
        return skip_other

cdef bint skip_text(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t size
    if not read_size(c, &size):
        return False
    c.at += size
    return is_utf8(c.at - size, size)

cdef bint skip_sized(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t size
    if not read_size(c, &size):
        return False
    c.at += size
    return True

cdef bint skip_long(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    return read_long(c, &number)

cdef bint skip_int(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    return read_int(c, &number)

cdef bint skip_symbol(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    return read_int(c, &number) and 0 <= number < node.places

cdef bint skip_optional(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    if not read_long(c, &number) or not 0 <= number <= 1:
        return False
    return number == node.size or skip_avro(c, node.nodes[0])

cdef bint skip_branch(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    if not read_long(c, &number) or not 0 <= number < node.count:
        return False
    return skip_avro(c, node.nodes[number])

cdef bint skip_numbers(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t total
    return count_numbers(c, node, &total)

cdef bint skip_other(Cursor *c, Node *node) noexcept:
    cdef int op = node.op
    cdef int64_t number
    if op == BOOLEAN:
        return skip_bytes(c, 1) and (c.at - 1)[0] <= 1
    elif op == TIME:
        return read_int(c, &number) if node.size == 1000 else read_long(c, &number)
    elif op in (CALL, BOX, NEVER, TO_ITEM, FIRST_ITEM, ASSEMBLE):
        return skip_avro(c, node.nodes[0])
    elif op == CONSTANT or op == EMPTY_LIST or op == EMPTY_DICT or op == MAKE:
        return True
    else:
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

cdef bint skip_record(Cursor *c, Node *node) noexcept:
    if not enter(c):
        return False
    for index in range(node.count):
        if node.slots[index] >= 0 and not skip_avro(c, node.nodes[index]):
            return False
    c.depth -= 1
    return True

cdef bint skip_blocks(Cursor *c, Node *node) noexcept:
    """An array or a map."""
    cdef Py_ssize_t count = 0
    cdef const uint8_t *stop
    if not enter(c):
        return False
    while read_block(c, node, &count, &stop):
        if count == 0:
            c.depth -= 1
            return True
        for index in range(count):
            if not skip_avro(c, node.nodes[0]):
                return False
            if node.op == MAP and not skip_avro(c, node.nodes[1]):
                return False
        if stop != NULL and stop != c.at:
            return False
    return False
