# Writes objects in Avro's binary encoding (specification 1.12) by a program, each value
# checked as it is met. False means that it is refused, with an exception set or without
# one: the library engine then says why.

cdef Write avro_writer(int op) noexcept:
    """The function that writes values of an op, as ``avro_reader`` has them for reading."""
    if op == STRING:
        return write_text
    elif op == RECORD:
        return write_record
    elif op == LONG or op == INT:
        return write_number
    elif op == ENUM:
        return write_symbol
    elif op == OPTIONAL:
        return write_optional
    elif op == UNION:
        return write_branch
    elif op == ARRAY:
        return write_array
    elif op == MAP:
        return write_map
    elif op == VECTOR:
        return write_vector
    elif op == TIMESTAMP:
        return write_timestamp
    elif op == JSON:
        return write_json_bytes
    elif op == CARRIED:
        return write_carried
    else:
        return write_scalar

cdef inline bint write_avro(Buffer *b, Node *node, PyObject *value) noexcept:
    """Appends a value of the node's type."""
    return node.write(b, node, value)

cdef bint write_number(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef int overflow = 0
    if not PyLong_CheckExact(value):
        return False
    cdef int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow or (node.op == INT and not -0x80000000LL <= number <= 0x7FFFFFFF):
        return False
    return put_long(b, number)

cdef bint write_optional(Buffer *b, Node *node, PyObject *value) noexcept:
    if value == Py_None:
        return put_long(b, node.size)
    return put_long(b, 1 - node.size) and write_avro(b, node.nodes[0], value)

cdef bint write_timestamp(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef int64_t number
    if not count_of_moment(value, node.size, PyDateTimeAPI.TimeZone_UTC, &number):
        return write_called(b, node, value)
    return put_long(b, number)

cdef bint write_text(Buffer *b, Node *node, PyObject *value) noexcept:
    if not PyUnicode_CheckExact(value):
        return False
    cdef Py_ssize_t size = text_size(value)
    if size < 0 or not ensure(b, size + 10):
        return False
    put_long(b, size)
    copy_text(value, b.data + b.size, size)
    b.size += size
    return True

cdef bint write_scalar(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef int op = node.op
    if op == CONSTANT:
        return value == node.object
    if op == BOOLEAN:
        if value != Py_True and value != Py_False:
            return False
        return put_byte(b, 1 if value == Py_True else 0)
    if op == DOUBLE or op == FLOAT:
        return write_float(b, node, value)
    if op == BYTES or op == FIXED:
        if not PyBytes_CheckExact(value):
            return False
        if op == BYTES:
            return put_sized(b, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value))
        if PyBytes_GET_SIZE(value) != node.size:
            return False
        return put_bytes(b, PyBytes_AS_STRING(value), node.size)
    if op == UINT64 or op == UINT32:
        return write_unsigned(b, node, value)
    if op == BOX:
        return write_box(b, node, value)
    if op == CALL:
        return write_called(b, node, value)
    return write_meaning(b, node, value)

cdef bint write_unsigned(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef unsigned long long number
    if not PyLong_CheckExact(value):
        return False
    number = PyLong_AsUnsignedLongLong(value)
    if number == <unsigned long long>-1 and PyErr_Occurred() != NULL:
        PyErr_Clear()
        return False
    if node.op == UINT32 and number > 0xFFFFFFFFULL:
        return False
    return put_long(b, <int64_t>number)

cdef bint write_float(Buffer *b, Node *node, PyObject *value) noexcept:
    # A whole number where a float is meant is left to Python, which knows if it is exact.
    if not PyFloat_CheckExact(value):
        return write_called(b, node, value)
    if not ensure(b, 8):
        return False
    cdef double number = PyFloat_AS_DOUBLE(value)
    cdef char *out = <char *>b.data + b.size
    if node.op == DOUBLE:
        b.size += 8
        return PyFloat_Pack8(number, out, 1) == 0
    if PyFloat_Pack4(number, out, 1) < 0:
        PyErr_Clear()
        return False
    b.size += 4
    return True

cdef bint write_meaning(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef int op = node.op
    cdef int64_t number
    cdef uint64_t high, low
    if op == UUID_TEXT or op == UUID_BYTES:
        if not bits_of_uuid(value, &high, &low) or not ensure(b, 37):
            return False
        return write_uuid(b, high, low, op == UUID_TEXT)
    if op == DATE and count_of_date(value, &number):
        return put_long(b, number)
    if op == TIME and count_of_time(value, node.size, &number):
        return put_long(b, number)
    if op == LOCAL_TIMESTAMP and count_of_moment(value, node.size, Py_None, &number):
        return put_long(b, number)
    if op == DURATION and count_of_duration(value, &number):
        return put_long(b, number)
    if op == DECIMAL and unscaled_of(value, node.size, node.extra, &number):
        return write_unscaled(b, node, number)
    return write_called(b, node, value)

cdef bint write_uuid(Buffer *b, uint64_t high, uint64_t low, bint as_text) noexcept:
    if as_text:
        put_long(b, 36)
        format_uuid(high, low, b.data + b.size)
        b.size += 36
    else:
        put_big_endian(high, b.data + b.size)
        put_big_endian(low, b.data + b.size + 8)
        b.size += 16
    return True

cdef bint write_unscaled(Buffer *b, Node *node, int64_t number) noexcept:
    """Two's complement in as few bytes as hold it, highest first."""
    cdef uint8_t raw[8]
    cdef int start = 0
    put_big_endian(<uint64_t>number, raw)
    while start < 7 and (
        (raw[start] == 0 and raw[start + 1] < 0x80)
        or (raw[start] == 0xFF and raw[start + 1] >= 0x80)
    ):
        start += 1
    return put_sized(b, raw + start, 8 - start)

cdef inline Py_ssize_t json_room(Buffer *b, Node *node) noexcept:
    """How deep a JSON value may nest: what the schema leaves, or the levels above it."""
    return node.size if node.size < b.limit - b.depth else b.limit - b.depth

cdef bint write_json_bytes(Buffer *b, Node *node, PyObject *value) noexcept:
    """JSON text behind its length, which is known only once the text stands there."""
    cdef Py_ssize_t start = b.size
    cdef Py_ssize_t size, head
    cdef Py_ssize_t room = json_room(b, node)
    # Two bytes hold the length of most; where they do not, the text is moved.
    if not ensure(b, 2):
        return False
    b.size += 2
    if not write_json(b, value, room):
        # Python knows how deep the value may be, but not how deep the whole state is.
        if PyErr_Occurred() != NULL or room < node.size:
            return False
        b.size = start
        return write_called(b, node, value)
    size = b.size - start - 2
    b.size = start
    if 64 <= size < 8192:
        put_long(b, size)
        b.size += size
        return True
    if not ensure(b, size + 12):
        return False
    head = 1
    while size >> (7 * head - 1):
        head += 1
    memmove(b.data + start + head, b.data + start + 2, size)
    put_long(b, size)
    b.size += size
    return True

cdef bint write_called(Buffer *b, Node *node, PyObject *value) noexcept:
    """What the Python function ``object`` makes of a value, written by node 0."""
    # What is converted may count as a level: a calendar-duration is a record in Python.
    if node.count == 0 or b.depth >= b.limit:
        return False
    cdef PyObject *raw = PyObject_CallOneArg(node.object, value)
    if raw == NULL:
        return False
    cdef bint done = write_avro(b, node.nodes[0], raw)
    Py_DECREF(raw)
    return done

cdef bint write_carried(Buffer *b, Node *node, PyObject *value) noexcept:
    """Puts a value beside the payload, and its index there into it."""
    cdef PyObject *made = NULL
    cdef bint done
    if b.carried == NULL:
        return False
    if not check_value(node.nodes[0], value, 0, 0):
        if PyErr_Occurred() != NULL:
            return False
        made = PyObject_CallOneArg(node.object, value)
        if made == NULL:
            return False
        value = made
    done = put_long(b, PyList_GET_SIZE(b.carried)) and PyList_Append(b.carried, value) == 0
    Py_XDECREF(made)
    return done

cdef bint write_symbol(Buffer *b, Node *node, PyObject *value) noexcept:
    """The position of an enum's member, which is one object for each symbol."""
    for index in range(node.places):
        if node.objects[index] == value:
            return put_long(b, index)
    return False

cdef bint write_branch(Buffer *b, Node *node, PyObject *value) noexcept:
    """The branch whose class is that of the value; ``objects`` has the classes."""
    cdef PyObject *cls = <PyObject *>Py_TYPE(value)
    for index in range(node.places):
        if node.objects[index] == cls:
            return put_long(b, index) and write_avro(b, node.nodes[index], value)
    return False

cdef bint write_box(Buffer *b, Node *node, PyObject *value) noexcept:
    if <PyObject *>Py_TYPE(value) != node.object or not deeper(b):
        return False
    cdef bint done = write_slot(b, node, value, 0)
    b.depth -= 1
    return done

cdef inline bint write_slot(Buffer *b, Node *node, PyObject *record, Py_ssize_t index) noexcept:
    """Writes one attribute, held meanwhile: a function in Python might replace it."""
    cdef PyObject *value = slot_at(record, node.slots[index])[0]
    if value == NULL:
        return False
    Py_INCREF(value)
    cdef bint done = write_avro(b, node.nodes[index], value)
    Py_DECREF(value)
    return done

cdef bint write_record(Buffer *b, Node *node, PyObject *value) noexcept:
    if <PyObject *>Py_TYPE(value) != node.object or not deeper(b):
        return False
    if has_residue(value) and not b.residue:
        return False
    for index in range(node.count):
        if not write_slot(b, node, value, index):
            return False
    b.depth -= 1
    return True

cdef bint write_array(Buffer *b, Node *node, PyObject *items) noexcept:
    """One block of all items, and the end."""
    cdef PyObject *item
    cdef bint done
    if not PyList_CheckExact(items) or not deeper(b):
        return False
    cdef Py_ssize_t count = PyList_GET_SIZE(items)
    if count and not put_long(b, count):
        return False
    if node.size:
        b.spare -= count
        if b.spare < 0:
            return False
    for index in range(count):
        if index >= PyList_GET_SIZE(items):
            return False
        item = PyList_GET_ITEM(items, index)
        Py_INCREF(item)
        done = write_avro(b, node.nodes[0], item)
        Py_DECREF(item)
        if not done:
            return False
    b.depth -= 1
    return PyList_GET_SIZE(items) == count and put_byte(b, 0)

cdef bint write_map(Buffer *b, Node *node, PyObject *entries) noexcept:
    """One block of all entries, and the end."""
    cdef PyObject *key
    cdef PyObject *value
    cdef Py_ssize_t place = 0, written = 0
    cdef bint done
    if not PyDict_CheckExact(entries) or not deeper(b):
        return False
    cdef Py_ssize_t count = PyDict_GET_SIZE(entries)
    if count and not put_long(b, count):
        return False
    while PyDict_Next(entries, &place, &key, &value):
        Py_INCREF(key)
        Py_INCREF(value)
        done = write_avro(b, node.nodes[0], key) and write_avro(b, node.nodes[1], value)
        Py_DECREF(key)
        Py_DECREF(value)
        written += 1
        if not done or written > count or PyDict_GET_SIZE(entries) != count:
            return False
    b.depth -= 1
    return written == count and put_byte(b, 0)
