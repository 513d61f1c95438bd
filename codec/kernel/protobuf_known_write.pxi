# Instants, spans and JSON values as the messages that every program with Protobuf knows.

cdef bint back_parts(Buffer *b, Node *node, int64_t count, uint32_t tag) noexcept:
    """Seconds and nanoseconds: of one sign in a Duration, nanos never negative in a Timestamp."""
    cdef Py_ssize_t mark
    cdef int64_t units = NANOS_OF_SECOND // node.size
    cdef int64_t seconds = count // units
    cdef int64_t rest = count - seconds * units
    if rest < 0 and node.op == TIMESTAMP_PARTS:
        seconds, rest = seconds - 1, rest + units
    if not start_message(b, tag):
        return False
    mark = written(b)
    if rest and not (back_number(b, VARINT_32, rest * node.size) and back_byte(b, NANOS_TAG)):
        return False
    if seconds and not (back_number(b, VARINT_64, seconds) and back_byte(b, SECONDS_TAG)):
        return False
    return end_message(b, tag, mark)

cdef bint write_parts(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    cdef int64_t count
    cdef int overflow = 0
    if node.size == 1:
        if not PyLong_CheckExact(value):
            return False
        count = PyLong_AsLongLongAndOverflow(value, &overflow)
        return not overflow and back_parts(b, node, count, tag)
    if node.op == TIMESTAMP_PARTS:
        if count_of_moment(value, 1, PyDateTimeAPI.TimeZone_UTC, &count):
            return back_parts(b, node, count, tag)
    elif count_of_duration(value, &count):
        return back_parts(b, node, count, tag)
    return write_converted(b, node, value, tag)

cdef bint write_known_json(Buffer *b, Node *node, PyObject *value, uint32_t tag) noexcept:
    """A Value, Struct or ListValue, the outermost of a JSON value."""
    cdef Py_ssize_t mark
    cdef Py_ssize_t room = json_room(b, node)
    cdef bint done = False
    if not start_message(b, tag):
        return False
    mark = written(b)
    if node.op == JSON_VALUE:
        done = write_any(b, value, room)
    elif node.op == JSON_STRUCT:
        done = PyDict_CheckExact(value) and write_members(b, value, room)
    else:
        done = PyList_CheckExact(value) and write_values(b, value, room)
    return done and end_message(b, tag, mark)

cdef bint write_any(Buffer *b, PyObject *value, Py_ssize_t room) noexcept:
    """The one case of a google.protobuf.Value."""
    cdef Py_ssize_t mark
    if PyUnicode_CheckExact(value):
        return back_text(b, value) and back_byte(b, TEXT_TAG)
    if value == Py_None:
        return back_byte(b, 0) and back_byte(b, NULL_TAG)
    if value == Py_True or value == Py_False:
        return back_byte(b, 1 if value == Py_True else 0) and back_byte(b, BOOLEAN_TAG)
    if PyLong_CheckExact(value) or PyFloat_CheckExact(value):
        return write_json_double(b, value)
    if not start_message(b, 0):
        return False
    mark = written(b)
    if PyDict_CheckExact(value):
        return (
            write_members(b, value, room) and end_message(b, 0, mark) and back_byte(b, STRUCT_TAG)
        )
    return (
        PyList_CheckExact(value)
        and write_values(b, value, room)
        and end_message(b, 0, mark)
        and back_byte(b, LIST_TAG)
    )

cdef bint write_json_double(Buffer *b, PyObject *value) noexcept:
    """A number, if a double holds it exactly."""
    cdef int overflow = 0
    cdef int64_t whole
    cdef double number
    cdef uint8_t *out
    if PyFloat_CheckExact(value):
        number = PyFloat_AS_DOUBLE(value)
        if number - number != 0:
            return False
    else:
        whole = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow or not -9007199254740992LL <= whole <= 9007199254740992LL:
            return False
        number = <double>whole
    out = claim(b, 8)
    return out != NULL and PyFloat_Pack8(number, <char *>out, 1) == 0 and back_byte(b, DOUBLE_TAG)

cdef bint write_value_message(Buffer *b, PyObject *value, Py_ssize_t room) noexcept:
    cdef Py_ssize_t mark
    if not start_message(b, 0):
        return False
    mark = written(b)
    return write_any(b, value, room) and end_message(b, 0, mark)

cdef bint write_values(Buffer *b, PyObject *items, Py_ssize_t room) noexcept:
    if room < 1:
        return False
    for index in range(PyList_GET_SIZE(items) - 1, -1, -1):
        if not write_value_message(b, PyList_GET_ITEM(items, index), room - 1):
            return False
        if not back_byte(b, ITEM_TAG):
            return False
    return True

cdef bint write_members(Buffer *b, PyObject *members, Py_ssize_t room) noexcept:
    cdef Entries e
    cdef bint done
    if room < 1:
        return False
    done = sorted_entries(members, NULL, &e)
    for index in range(e.count - 1, -1, -1):
        done = done and write_member(b, &e.all[index], room - 1)
    forget_entries(&e)
    return done

cdef bint write_member(Buffer *b, Entry *entry, Py_ssize_t room) noexcept:
    cdef Py_ssize_t mark
    if not start_message(b, 0):
        return False
    mark = written(b)
    return (
        write_value_message(b, entry.value, room)
        and back_byte(b, ENTRY_VALUE_TAG)
        and back_text(b, entry.key)
        and back_byte(b, KEY_TAG)
        and end_message(b, 0, mark)
        and back_byte(b, ITEM_TAG)
    )
