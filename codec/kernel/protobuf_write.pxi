# Writes objects in Protobuf's wire format by a program, each value checked as it is met, and
# all of it from the last byte to the first. False means that it is refused.

cdef WriteField proto_writer(int op, int coding) noexcept:
    """The function that writes values of an op, as ``avro_writer`` has them."""
    if op == STRING:
        return write_proto_text
    elif op == RECORD:
        return write_message
    elif op == FLOAT or op == DOUBLE:
        return write_proto_float
    elif op == INT or op == LONG:
        return write_proto_integer
    elif op == TIMESTAMP:
        return write_proto_timestamp
    elif coding != NO_NUMBER:
        return write_counted
    elif op == UNION:
        return write_union
    elif op == WRAP:
        return write_wrap
    elif op == BOX:
        return write_boxed
    elif op == JSON:
        return write_json_sized
    elif op == VECTOR:
        return write_proto_vector
    elif op == TIMESTAMP_PARTS or op == DURATION_PARTS:
        return write_parts
    elif op in (JSON_VALUE, JSON_STRUCT, JSON_LIST):
        return write_known_json
    else:
        return write_sized

cdef inline bint write_proto(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """A value without its tag, which only tells a group from what has a length."""
    return node.write_field(b, node, value, tag)

cdef bint write_proto_text(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    return back_text(b, value)

cdef bint write_proto_integer(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    cdef int64_t number
    return number_of(node, value, &number) and back_number(b, node.coding, number)

cdef bint write_proto_timestamp(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    cdef int64_t number
    if not count_of_moment(value, node.size, PyDateTimeAPI.TimeZone_UTC, &number):
        return write_converted(b, node, value, tag)
    return back_number(b, node.coding, number)

cdef bint write_counted(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    cdef int64_t number
    if not number_of(node, value, &number):
        return write_converted(b, node, value, tag)
    return back_number(b, node.coding, number)

cdef inline bint number_of(Node *node, PyObject *value, int64_t *found) noexcept:
    """The number that the wire has for a value; False leaves it to Python, or to nobody."""
    cdef int op = node.op
    cdef int overflow = 0
    if op == INT or op == LONG:
        if not PyLong_CheckExact(value):
            return False
        found[0] = PyLong_AsLongLongAndOverflow(value, &overflow)
        return not overflow and (op == LONG or found[0] == <int64_t><int32_t>found[0])
    if op == TIMESTAMP:
        return count_of_moment(value, node.size, PyDateTimeAPI.TimeZone_UTC, found)
    if op == ENUM:
        return number_of_symbol(node, value, found)
    if op == BOOLEAN:
        found[0] = 1 if value == Py_True else 0
        return value == Py_True or value == Py_False
    if op == UINT32 or op == UINT64:
        return number_unsigned(value, op == UINT32, found)
    if op == DATE:
        return count_of_date(value, found)
    if op == TIME:
        return count_of_time(value, node.size, found)
    if op == LOCAL_TIMESTAMP:
        return count_of_moment(value, node.size, Py_None, found)
    if op == DURATION:
        return count_of_duration(value, found)
    found[0] = 0
    return op == CONSTANT and value == node.object

cdef bint number_of_symbol(Node *node, PyObject *value, int64_t *found) noexcept:
    """The number of an enum's member, which is one object for each symbol."""
    for index in range(node.places):
        if node.objects[index] == value:
            found[0] = index if node.numbers == NULL else node.numbers[index]
            return True
    return False

cdef bint number_unsigned(PyObject *value, bint narrow, int64_t *found) noexcept:
    cdef unsigned long long number
    if not PyLong_CheckExact(value):
        return False
    number = PyLong_AsUnsignedLongLong(value)
    if number == <unsigned long long>-1 and PyErr_Occurred() != NULL:
        PyErr_Clear()
        return False
    found[0] = <int64_t>number
    return not narrow or number <= 0xFFFFFFFFULL

cdef bint write_proto_float(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    cdef uint8_t *out
    if not PyFloat_CheckExact(value):
        return write_converted(b, node, value, tag)
    out = claim(b, 8 if node.op == DOUBLE else 4)
    if out == NULL:
        return False
    if node.op == DOUBLE:
        return PyFloat_Pack8(PyFloat_AS_DOUBLE(value), <char *>out, 1) == 0
    if PyFloat_Pack4(PyFloat_AS_DOUBLE(value), <char *>out, 1) == 0:
        return True
    PyErr_Clear()
    return False

cdef bint write_proto_vector(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """All numbers behind their length, as bytes are written."""
    cdef Py_buffer view
    cdef uint8_t *out
    cdef bint done
    if not deeper(b) or not open_vector(node, value, &view):
        return False
    out = claim(b, view.len)
    done = out != NULL and not has_signal(node, <const uint8_t *>view.buf, view.len)
    if done:
        copy_numbers(out, view.buf, view.len, node.size)
        done = back_varint(b, view.len)
    PyBuffer_Release(&view)
    b.depth -= 1
    return done

cdef bint write_converted(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """What the Python function ``object`` makes of a value, written by node 0."""
    # What is converted may count as a level: a calendar-duration is a record in Python.
    if node.count == 0 or b.depth >= b.limit:
        return False
    cdef PyObject *raw = PyObject_CallOneArg(node.object, value)
    if raw == NULL:
        return False
    cdef bint done = write_proto(b, node.nodes[0], raw, tag)
    Py_DECREF(raw)
    return done

cdef bint write_sized(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """What stands in bytes behind a length."""
    cdef int op = node.op
    cdef uint64_t high, low
    cdef int64_t number
    if op == BYTES or op == FIXED:
        if not PyBytes_CheckExact(value):
            return False
        if op == FIXED and PyBytes_GET_SIZE(value) != node.size:
            return False
        return back_sized(b, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value))
    if op == UUID_TEXT or op == UUID_BYTES:
        return bits_of_uuid(value, &high, &low) and back_uuid(b, high, low, op == UUID_TEXT)
    if op == DECIMAL and unscaled_of(value, node.size, node.extra, &number):
        return back_unscaled(b, number)
    return (op == DECIMAL or op == CALL) and write_converted(b, node, value, tag)

cdef bint back_uuid(Buffer *b, uint64_t high, uint64_t low, bint as_text) noexcept:
    cdef uint8_t *out = claim(b, 36 if as_text else 16)
    if out == NULL:
        return False
    if as_text:
        format_uuid(high, low, out)
        return back_byte(b, 36)
    put_big_endian(high, out)
    put_big_endian(low, out + 8)
    return back_byte(b, 16)

cdef bint back_unscaled(Buffer *b, int64_t number) noexcept:
    """Two's complement in as few bytes as hold it, highest first."""
    cdef uint8_t raw[8]
    cdef int start = 0
    put_big_endian(<uint64_t>number, raw)
    while start < 7 and (
        (raw[start] == 0 and raw[start + 1] < 0x80)
        or (raw[start] == 0xFF and raw[start + 1] >= 0x80)
    ):
        start += 1
    return back_sized(b, raw + start, 8 - start)

cdef bint write_json_sized(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """JSON text behind its length; it is written at the front of the buffer, and then moved."""
    cdef Py_ssize_t room = json_room(b, node)
    cdef Py_ssize_t size
    cdef bint done
    done = write_json(b, value, room)
    size = b.size
    if not done:
        b.size = 0
        # Python knows how deep the value may be, but not how deep the whole state is.
        if PyErr_Occurred() != NULL or room < node.size:
            return False
        return write_converted(b, node, value, tag)
    done = ensure(b, size)
    b.size = 0
    return done and back_sized(b, b.data, size)

cdef bint write_message(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    cdef Py_ssize_t mark
    if not start_message(b, tag):
        return False
    mark = written(b)
    return write_record_fields(b, node, value) and end_message(b, tag, mark)

cdef bint write_record_fields(Buffer *b, Node *node, PyObject *record) noexcept:
    """The fields of a record, the highest number first."""
    cdef PyObject *value
    cdef bint done
    if <PyObject *>Py_TYPE(record) != node.object or not deeper(b):
        return False
    if has_residue(record) and not write_token(b, slot_at(record, RESIDUE_AT)[0]):
        return False
    cdef Step *step = node.steps + node.count
    while step > node.steps:
        step -= 1
        value = slot_at(record, step.slot)[0]
        if value == Py_None and step.flags & (MAYBE | ONEOF):
            continue
        if value == NULL:
            return False
        # Held meanwhile: a function in Python might replace it.
        Py_INCREF(value)
        done = write_field(b, step, value)
        Py_DECREF(value)
        if not done:
            return False
    b.depth -= 1
    return True

cdef inline bint write_field(Buffer *b, Step *step, PyObject *value) noexcept:
    """A value behind its tag, or nothing where it is left out."""
    cdef Py_ssize_t mark
    if step.flags & (REPEATED | PACKED | ONEOF | MAYBE):
        return write_special(b, step, value)
    mark = written(b)
    if not write_proto(b, step.node, value, step.tag):
        return False
    if step.flags & IMPLICIT and b.data[b.room] == 0 and is_left_out(
        b, step.tag & 7, written(b) - mark
    ):
        b.room = b.whole - mark
        return True
    return back_varint(b, step.tag)

cdef bint write_special(Buffer *b, Step *step, PyObject *value) noexcept:
    """A field that is not written like any other: it may be null, be one of several, or many."""
    if step.flags & (REPEATED | PACKED):
        return write_repeated(b, step, value)
    if value == Py_None:
        return True
    if step.flags & ONEOF:
        return write_case(b, step, value)
    return write_proto(b, step.node, value, step.tag) and back_varint(b, step.tag)

cdef inline bint is_left_out(Buffer *b, int wire, Py_ssize_t size) noexcept:
    """Whether what stands at the front is a zero: all bits of a number, or an empty length.

    Its lowest byte is known to be zero.
    """
    if wire == WIRE_64 or wire == WIRE_32:
        return little_endian(b.data + b.room, <int>size) == 0
    return size == 1

cdef inline Py_ssize_t branch_of(Node *node, PyObject *value) noexcept:
    """The branch whose class is that of the value; -1 where there is none."""
    cdef PyObject *cls = <PyObject *>Py_TYPE(value)
    for index in range(node.places):
        if node.objects[index] == cls:
            return index
    return -1

cdef bint write_case(Buffer *b, Step *step, PyObject *value) noexcept:
    """The branch of a oneof, if this is its place among the fields."""
    cdef Py_ssize_t index = branch_of(step.node, value)
    if index < 0:
        return False
    if step.bit >= 0 and step.bit != index:
        return True
    return write_field(b, &step.node.steps[index], value)

cdef bint write_union(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """A message with one branch in it."""
    cdef Py_ssize_t mark
    cdef Py_ssize_t index = branch_of(node, value)
    if index < 0 or not start_message(b, tag):
        return False
    mark = written(b)
    return write_field(b, &node.steps[index], value) and end_message(b, tag, mark)

cdef bint write_wrap(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """A message around one value."""
    cdef Py_ssize_t mark
    if not start_message(b, tag):
        return False
    mark = written(b)
    return write_field(b, node.steps, value) and end_message(b, tag, mark)

cdef bint write_boxed(Buffer *b, Node *node, PyObject *box, uint32_t tag) noexcept:
    cdef PyObject *value
    cdef bint done
    if <PyObject *>Py_TYPE(box) != node.object or not deeper(b):
        return False
    value = slot_at(box, node.slots[0])[0]
    if value == NULL:
        return False
    Py_INCREF(value)
    done = write_proto(b, node.nodes[0], value, tag)
    Py_DECREF(value)
    b.depth -= 1
    return done

cdef bint write_repeated(Buffer *b, Step *step, PyObject *value) noexcept:
    """The items of a list or the entries of a map, each behind the tag, or all behind one."""
    cdef Py_ssize_t mark = written(b)
    if step.node.op == MAP:
        return write_entries(b, step, value)
    if not PyList_CheckExact(value) or not deeper(b) or not write_items(b, step, value):
        return False
    b.depth -= 1
    if not step.flags & PACKED or written(b) == mark:
        return True
    return back_varint(b, written(b) - mark) and back_varint(b, step.tag)

cdef bint write_items(Buffer *b, Step *step, PyObject *items) noexcept:
    cdef Py_ssize_t count = PyList_GET_SIZE(items)
    cdef Py_ssize_t index = count
    cdef Node *inner = step.node.nodes[0]
    cdef PyObject *item
    cdef bint done
    if step.node.size and count > step.node.size:
        return False
    while index:
        # A function in Python might change the list.
        if count != PyList_GET_SIZE(items):
            return False
        index -= 1
        item = PyList_GET_ITEM(items, index)
        Py_INCREF(item)
        done = write_proto(b, inner, item, step.tag)
        Py_DECREF(item)
        if not done or not (step.flags & PACKED or back_varint(b, step.tag)):
            return False
    return count == PyList_GET_SIZE(items)

cdef bint write_entries(Buffer *b, Step *step, PyObject *entries) noexcept:
    cdef Entries e
    cdef bint done
    if not PyDict_CheckExact(entries) or not deeper(b):
        return False
    done = sorted_entries(entries, step.node.nodes[0], &e)
    for index in range(e.count - 1, -1, -1):
        done = done and write_pair(b, step, &e.all[index])
    done = done and e.count == PyDict_GET_SIZE(entries)
    forget_entries(&e)
    b.depth -= 1
    return done

cdef bint write_pair(Buffer *b, Step *step, Entry *entry) noexcept:
    cdef Py_ssize_t mark
    cdef Step *parts = step.node.steps
    if not start_message(b, step.tag):
        return False
    mark = written(b)
    return (
        write_field(b, &parts[1], entry.value)
        and write_field(b, &parts[0], entry.key)
        and end_message(b, step.tag, mark)
        and back_varint(b, step.tag)
    )
