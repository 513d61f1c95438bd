# Checks objects against their schema and writes nothing: for formats that msgspec writes and
# reads, which knows less of a schema than we do. A program for writing is walked, or one that
# holds only what is left to check.

cdef enum:
    PLAIN = 1       # refuse what JSON has no plain form for
    LEAVES = 2      # pass over residue

cdef bint check_value(Node *node, PyObject *value, Py_ssize_t room, int how) noexcept:
    """Whether a value is one of the node's type; ``room`` levels may nest. False may also mean
    that only Python can tell. ``how`` says more of it, by the flags below.
    """
    cdef int op = node.op
    cdef int64_t number
    if op == ANY:
        return True
    elif op == STRING:
        return PyUnicode_CheckExact(value) and text_size(value) >= 0
    elif op == RECORD:
        return check_record(node, value, room, how)
    elif op == LONG or op == INT:
        return is_number(node, value)
    elif op == ENUM:
        return has_object(node, value)
    elif op == OPTIONAL:
        return value == Py_None or check_value(node.nodes[0], value, room, how)
    elif op == UNION:
        return check_branch(node, value, room, how)
    elif op == ARRAY:
        return check_items(node, value, room, how)
    elif op == MAP:
        return check_entries(node, value, room, how)
    elif op == TIMESTAMP:
        return count_of_moment(value, node.size, PyDateTimeAPI.TimeZone_UTC, &number)
    elif op == JSON:
        return check_json(value, min(node.size, room))
    elif op == DOUBLE or op == FLOAT:
        return check_float(value, op == FLOAT, how)
    else:
        return check_other(node, value, room, how)

cdef bint check_other(Node *node, PyObject *value, Py_ssize_t room, int how) noexcept:
    cdef int op = node.op
    cdef int64_t number
    if op == CONSTANT:
        return value == node.object
    elif op == BOOLEAN:
        return value == Py_True or value == Py_False
    elif op == BYTES:
        return PyBytes_CheckExact(value)
    elif op == FIXED:
        return PyBytes_CheckExact(value) and PyBytes_GET_SIZE(value) == node.size
    elif op == UINT32 or op == UINT64:
        return is_unsigned(node, value)
    elif op == DATE:
        return count_of_date(value, &number)
    elif op == TIME:
        return count_of_time(value, node.size, &number)
    elif op == LOCAL_TIMESTAMP:
        return count_of_moment(value, node.size, Py_None, &number)
    elif op == DURATION:
        return count_of_duration(value, &number)
    elif op == UUID_TEXT or op == UUID_BYTES:
        return Py_TYPE(value) == UUID_CLASS
    elif op == DECIMAL:
        return unscaled_of(value, node.size, node.extra, &number)
    elif op == BOX:
        return <PyObject *>Py_TYPE(value) == node.object and check_slots(
            node, value, room - 1, how
        )
    elif op == VECTOR:
        return room > 0 and check_vector(node, value, how)
    elif op == CALL:
        return check_called(node, value)
    else:
        return False

cdef bint is_number(Node *node, PyObject *value) noexcept:
    cdef int overflow = 0
    if not PyLong_CheckExact(value):
        return False
    cdef int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow)
    return not overflow and (node.op == LONG or -0x80000000LL <= number <= 0x7FFFFFFF)

cdef bint is_unsigned(Node *node, PyObject *value) noexcept:
    if not PyLong_CheckExact(value):
        return False
    cdef unsigned long long number = PyLong_AsUnsignedLongLong(value)
    if number == <unsigned long long>-1 and PyErr_Occurred() != NULL:
        PyErr_Clear()
        return False
    return node.op == UINT64 or number <= 0xFFFFFFFFULL

cdef bint check_float(PyObject *value, bint single, int how) noexcept:
    if not PyFloat_CheckExact(value):
        return False
    cdef double number = PyFloat_AS_DOUBLE(value)
    cdef float narrow
    if number - number != 0:
        return not how & PLAIN  # NaN and the infinities
    narrow = <float>number
    return not single or narrow - narrow == 0

cdef bint check_vector(Node *node, PyObject *value, int how) noexcept:
    cdef Py_buffer view
    cdef bint sound = True
    if not open_vector(node, value, &view):
        return False
    if how & PLAIN and node.size == 4:
        sound = floats_are_finite(<const float *>view.buf, view.len // 4)
    elif how & PLAIN:
        sound = doubles_are_finite(<const double *>view.buf, view.len // 8)
    PyBuffer_Release(&view)
    return sound

cdef bint floats_are_finite(const float *numbers, Py_ssize_t count) noexcept:
    for index in range(count):
        if numbers[index] - numbers[index] != 0:
            return False
    return True

cdef bint doubles_are_finite(const double *numbers, Py_ssize_t count) noexcept:
    for index in range(count):
        if numbers[index] - numbers[index] != 0:
            return False
    return True

cdef bint has_object(Node *node, PyObject *value) noexcept:
    for index in range(node.places):
        if node.objects[index] == value:
            return True
    return False

cdef bint check_called(Node *node, PyObject *value) noexcept:
    cdef PyObject *found = PyObject_CallOneArg(node.object, value)
    Py_XDECREF(found)
    return found != NULL

cdef bint check_branch(Node *node, PyObject *value, Py_ssize_t room, int how) noexcept:
    cdef PyObject *cls = <PyObject *>Py_TYPE(value)
    for index in range(node.places):
        if node.objects[index] == cls:
            return check_value(node.nodes[index], value, room, how)
    return False

cdef bint check_record(Node *node, PyObject *value, Py_ssize_t room, int how) noexcept:
    return (
        <PyObject *>Py_TYPE(value) == node.object
        and (how & LEAVES or not has_residue(value))
        and room > 0
        and check_slots(node, value, room - 1, how)
    )

cdef bint check_slots(Node *node, PyObject *record, Py_ssize_t room, int how) noexcept:
    cdef PyObject *value
    cdef bint sound
    for index in range(node.count):
        value = slot_at(record, node.slots[index])[0]
        if value == NULL:
            return False
        Py_INCREF(value)
        sound = check_value(node.nodes[index], value, room, how)
        Py_DECREF(value)
        if not sound:
            return False
    return True

cdef bint check_items(Node *node, PyObject *items, Py_ssize_t room, int how) noexcept:
    cdef PyObject *item
    cdef bint sound
    cdef Py_ssize_t index = 0
    if not PyList_CheckExact(items) or room < 1:
        return False
    if node.size and PyList_GET_SIZE(items) > node.size:
        return False
    while index < PyList_GET_SIZE(items):
        item = PyList_GET_ITEM(items, index)
        Py_INCREF(item)
        sound = check_value(node.nodes[0], item, room - 1, how)
        Py_DECREF(item)
        if not sound:
            return False
        index += 1
    return True

cdef bint check_entries(Node *node, PyObject *entries, Py_ssize_t room, int how) noexcept:
    cdef PyObject *key
    cdef PyObject *value
    cdef Py_ssize_t place = 0
    cdef bint sound
    if not PyDict_CheckExact(entries) or room < 1:
        return False
    cdef Py_ssize_t count = PyDict_GET_SIZE(entries)
    while PyDict_Next(entries, &place, &key, &value):
        Py_INCREF(key)
        Py_INCREF(value)
        sound = check_value(node.nodes[0], key, room - 1, how) and check_value(
            node.nodes[1], value, room - 1, how
        )
        Py_DECREF(key)
        Py_DECREF(value)
        if not sound or PyDict_GET_SIZE(entries) != count:
            return False
    return True

cdef bint check_json(PyObject *value, Py_ssize_t room) noexcept:
    """Whether a value is one of JSON; no function in Python runs meanwhile."""
    cdef PyObject *key
    cdef PyObject *item
    cdef Py_ssize_t place = 0
    cdef int overflow = 0
    if value == Py_None or value == Py_True or value == Py_False:
        return True
    if PyUnicode_CheckExact(value):
        return text_size(value) >= 0
    if PyLong_CheckExact(value):
        PyLong_AsLongLongAndOverflow(value, &overflow)
        return not overflow
    if PyFloat_CheckExact(value):
        return PyFloat_AS_DOUBLE(value) - PyFloat_AS_DOUBLE(value) == 0
    if room < 1:
        return False
    if PyList_CheckExact(value):
        for index in range(PyList_GET_SIZE(value)):
            if not check_json(PyList_GET_ITEM(value, index), room - 1):
                return False
        return True
    if not PyDict_CheckExact(value):
        return False
    while PyDict_Next(value, &place, &key, &item):
        if not PyUnicode_CheckExact(key) or text_size(key) < 0 or not check_json(item, room - 1):
            return False
    return True

def is_sound(Program program, state, bint plain, bint leaves=False):
    """Whether the kernel finds ``state`` to be of its schema. False may also mean that it
    cannot tell; another exception than that of a wrong value is raised. ``plain`` and
    ``leaves`` are the flags above.
    """
    cdef int how = (PLAIN if plain else 0) | (LEAVES if leaves else 0)
    if check_value(program.root, <PyObject *>state, program.depth, how):
        return True
    return refused_or_raised() is not NotImplemented
