# Reads Avro's binary encoding (specification 1.12) by a program, straight into objects.
#
# NULL means that the payload is refused, with an exception set or without one: the library
# engine then reads it again and says what is wrong.

cdef Read avro_reader(int op) noexcept:
    """The function that reads values of an op. Each common one has a function of its own: a
    small one keeps little on the stack, and the call goes where the last one went.
    """
    if op == STRING:
        return read_string
    elif op == RECORD:
        return read_record
    elif op == LONG:
        return read_long_number
    elif op == INT:
        return read_int_number
    elif op == ENUM:
        return read_symbol
    elif op == OPTIONAL:
        return read_optional
    elif op == UNION:
        return read_branch
    elif op == ARRAY:
        return read_array
    elif op == MAP:
        return read_map
    elif op == VECTOR:
        return read_vector
    elif op == TIMESTAMP:
        return read_timestamp
    elif op == JSON:
        return read_json_bytes
    elif op == BOOLEAN:
        return read_boolean
    elif op == CARRIED:
        return read_carried
    elif op == ASSEMBLE:
        return read_assembled
    elif op == SCRATCH:
        return read_scratch
    elif op == HELD:
        return read_held
    elif op == GATHER:
        return read_gathered
    elif op == TO_ITEM or op == FIRST_ITEM:
        return read_changed
    else:
        return read_scalar

cdef inline PyObject *read_avro(Cursor *c, Node *node) noexcept:
    """The value that the payload goes on with."""
    return node.read(c, node)

cdef PyObject *read_string(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t size
    if not read_size(c, &size):
        return NULL
    c.at += size
    return shared_text(node.texts, c.at - size, size)

cdef PyObject *read_long_number(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    return PyLong_FromLongLong(number) if read_long(c, &number) else NULL

cdef PyObject *read_int_number(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    return PyLong_FromLongLong(number) if read_int(c, &number) else NULL

cdef PyObject *read_symbol(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    if not read_int(c, &number) or not 0 <= number < node.places:
        return NULL
    return owned(node.objects[number])

cdef PyObject *read_optional(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    if not read_long(c, &number) or not 0 <= number <= 1:
        return NULL
    return owned(Py_None) if number == node.size else read_avro(c, node.nodes[0])

cdef PyObject *read_branch(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    if not read_long(c, &number) or not 0 <= number < node.count:
        return NULL
    return read_avro(c, node.nodes[number])

cdef PyObject *read_timestamp(Cursor *c, Node *node) noexcept:
    cdef int64_t number
    if not read_long(c, &number):
        return NULL
    return moment_of(number, node.size, PyDateTimeAPI.TimeZone_UTC, &node.last)

cdef PyObject *read_json_bytes(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t size
    if not read_size(c, &size):
        return NULL
    c.at += size
    return json_of(node, c.at - size, size)

cdef PyObject *read_boolean(Cursor *c, Node *node) noexcept:
    if c.at >= c.end or c.at[0] > 1:
        return NULL
    c.at += 1
    return owned(Py_True if (c.at - 1)[0] else Py_False)

cdef PyObject *read_carried(Cursor *c, Node *node) noexcept:
    """A value that stands beside the payload, by its index."""
    cdef int64_t number
    if c.carried == NULL or not read_long(c, &number):
        return NULL
    if not 0 <= number < PyList_GET_SIZE(c.carried):
        return NULL
    cdef PyObject *value = PyList_GET_ITEM(c.carried, number)
    if node.size and PyFloat_CheckExact(value):
        return PyFloat_FromDouble(<float>PyFloat_AS_DOUBLE(value))
    return owned(value)

cdef inline PyObject *owned(PyObject *value) noexcept:
    if value != NULL:
        Py_INCREF(value)
    return value

cdef PyObject *read_scalar(Cursor *c, Node *node) noexcept:
    """Values of all other ops."""
    cdef int op = node.op
    cdef int64_t number
    if op == CONSTANT:
        return owned(node.object)
    elif op == EMPTY_LIST:
        return PyList_New(0)
    elif op == EMPTY_DICT:
        return PyDict_New()
    elif op == MAKE:
        return PyObject_CallNoArgs(node.object)
    elif op == FLOAT or op == DOUBLE:
        if not skip_bytes(c, node.least):
            return NULL
        return float_of(c.at - node.least, node.least)
    elif op == UINT32 or op == UINT64:
        if not read_long(c, &number):
            return NULL
        if op == UINT64:
            return PyLong_FromUnsignedLongLong(<uint64_t>number)
        return PyLong_FromLongLong(number) if 0 <= number <= 0xFFFFFFFFULL else NULL
    elif op == BOX:
        return read_box(c, node)
    elif op == CALL:
        return read_call(c, node)
    elif op == DATE:
        return date_of(number) if read_int(c, &number) else NULL
    elif op == TIME:
        # Milliseconds of a day are an int, microseconds a long.
        if not (read_int(c, &number) if node.size == 1000 else read_long(c, &number)):
            return NULL
        return time_of(number, node.size)
    elif op == LOCAL_TIMESTAMP:
        return moment_of(number, node.size, Py_None, &node.last) if read_long(c, &number) else NULL
    elif op == DURATION:
        return duration_of(number) if read_long(c, &number) else NULL
    else:
        return read_bytes(c, node)

cdef inline PyObject *float_of(const uint8_t *at, Py_ssize_t size) noexcept:
    """A float of four or eight bytes, the lowest first."""
    if size == 4:
        return PyFloat_FromDouble(PyFloat_Unpack4(<const char *>at, 1))
    return PyFloat_FromDouble(PyFloat_Unpack8(<const char *>at, 1))

cdef PyObject *read_bytes(Cursor *c, Node *node) noexcept:
    """What stands in bytes, after their length or of a fixed one."""
    cdef int op = node.op
    cdef Py_ssize_t size = 16 if op == UUID_BYTES else node.size
    cdef const uint8_t *at
    if op == FIXED or op == UUID_BYTES:
        if c.end - c.at < size:
            return NULL
    elif not read_size(c, &size):
        return NULL
    at = c.at
    c.at += size
    return bytes_as(node, at, size)

cdef PyObject *bytes_as(Node *node, const uint8_t *at, Py_ssize_t size) noexcept:
    """The value of a node whose wire form is bytes, or text."""
    cdef uint64_t high, low
    cdef int op = node.op
    cdef PyObject *found
    cdef PyObject *raw
    if op == BYTES or op == FIXED:
        return PyBytes_FromStringAndSize(<const char *>at, size)
    if op == UUID_BYTES:
        return uuid_of(big_endian(at), big_endian(at + 8))
    if op == UUID_TEXT and size == 36 and parse_uuid(at, &high, &low):
        return uuid_of(high, low)
    if op == DECIMAL:
        found = decimal_of(at, size, node.size, node.extra)
        if found != NULL or PyErr_Occurred() != NULL:
            return found
        raw = PyBytes_FromStringAndSize(<const char *>at, size)
    elif op == UUID_TEXT:
        raw = make_text(at, size)
    else:
        return NULL
    if raw == NULL:
        return NULL
    found = PyObject_CallOneArg(node.object, raw)
    Py_DECREF(raw)
    return found

cdef PyObject *read_call(Cursor *c, Node *node) noexcept:
    """A value that a Python function makes of a simpler one."""
    cdef PyObject *raw = read_avro(c, node.nodes[0])
    if raw == NULL:
        return NULL
    cdef PyObject *found = PyObject_CallOneArg(node.object, raw)
    Py_DECREF(raw)
    return found

cdef PyObject *read_box(Cursor *c, Node *node) noexcept:
    """A record of one field around a value."""
    cdef PyObject *value = read_avro(c, node.nodes[0])
    if value == NULL:
        return NULL
    cdef PyObject *box = new_record(<PyTypeObject *>node.object)
    if box == NULL:
        Py_DECREF(value)
        return NULL
    slot_at(box, node.slots[0])[0] = value
    PyObject_GC_Track(box)
    return box

cdef PyObject *read_record(Cursor *c, Node *node) noexcept:
    """A record of the reader's class."""
    if not enter(c):
        return NULL
    cdef PyObject *made = new_record(<PyTypeObject *>node.object)
    if made == NULL:
        return NULL
    if not read_into(c, node, made, made):
        Py_DECREF(made)
        return NULL
    c.depth -= 1
    if node.tracked:
        PyObject_GC_Track(made)
    return made

cdef inline bint read_into(Cursor *c, Node *node, PyObject *made, PyObject *rest) noexcept:
    """Reads the fields of the writer, in their order: into the slots of ``made`` those with an
    odd slot, and all others into ``rest``.
    """
    cdef PyObject *value
    cdef const uint8_t *start
    cdef Py_ssize_t slot
    if node.places:
        return read_keyed_into(c, node, made, rest)
    for index in range(node.count):
        slot = node.slots[index]
        if slot == 0:
            if not skip_avro(c, node.nodes[index]):
                return False
            continue
        start = c.at
        value = read_avro(c, node.nodes[index])
        if value == NULL:
            return False
        if slot < 0:
            slot = -slot
            c.at = start
        slot_at(made if slot & 1 else rest, slot & ~<Py_ssize_t>1)[0] = value
    return True

cdef inline bint read_block(
    Cursor *c, Node *node, Py_ssize_t *count, const uint8_t **stop
) noexcept:
    """The head of a block: how many items, and where it says to end (NULL where it does not).

    A count is bounded by the bytes that so many items take, or by ``c.spare`` where they
    take none.
    """
    cdef int64_t items, size
    stop[0] = NULL
    if not read_long(c, &items):
        return False
    if items < 0:
        if items == INT64_MIN or not read_long(c, &size) or not 0 <= size <= c.end - c.at:
            return False
        items = -items
        stop[0] = c.at + size
    if node.item_least:
        if items > (c.end - c.at) // node.item_least:
            return False
    elif items > c.spare:
        return False
    else:
        c.spare -= items
    count[0] = <Py_ssize_t>items
    return True

cdef PyObject *read_array(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t count = 0
    cdef const uint8_t *stop
    if not enter(c) or not read_block(c, node, &count, &stop):
        return NULL
    cdef PyObject *items = PyList_New(count)
    if items == NULL:
        return NULL
    if count:
        PyObject_GC_UnTrack(items)
        if not fill_list(c, node, items, count, stop):
            Py_DECREF(items)
            return NULL
        PyObject_GC_Track(items)
    c.depth -= 1
    return items

cdef bint fill_list(
    Cursor *c, Node *node, PyObject *items, Py_ssize_t count, const uint8_t *stop
) noexcept:
    """Reads the first block into the places that are there, and any further one behind."""
    cdef Node *inner = node.nodes[0]
    cdef PyObject *item
    for index in range(count):
        item = read_avro(c, inner)
        if item == NULL:
            return False
        PyList_SET_ITEM(items, index, item)
    while True:
        if stop != NULL and stop != c.at:
            return False
        if not read_block(c, node, &count, &stop):
            return False
        if count == 0:
            return True
        for index in range(count):
            item = read_avro(c, inner)
            if item == NULL or PyList_Append(items, item) < 0:
                Py_XDECREF(item)
                return False
            Py_DECREF(item)

cdef PyObject *read_map(Cursor *c, Node *node) noexcept:
    cdef Py_ssize_t count = 0
    cdef const uint8_t *stop
    if not enter(c):
        return NULL
    cdef PyObject *entries = PyDict_New()
    if entries == NULL:
        return NULL
    while read_block(c, node, &count, &stop):
        if count == 0:
            c.depth -= 1
            return entries
        for index in range(count):
            if not read_entry(c, node, entries):
                Py_DECREF(entries)
                return NULL
        if stop != NULL and stop != c.at:
            break
    Py_DECREF(entries)
    return NULL

cdef bint read_entry(Cursor *c, Node *node, PyObject *entries) noexcept:
    """Reads a key and its value into a dictionary."""
    cdef PyObject *key = read_avro(c, node.nodes[0])
    if key == NULL:
        return False
    cdef PyObject *value = read_avro(c, node.nodes[1])
    cdef bint done = False
    if value != NULL:
        done = PyDict_SetItem(entries, key, value) == 0
        Py_DECREF(value)
    Py_DECREF(key)
    return done
