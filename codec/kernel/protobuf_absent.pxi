# What a message does not have: null, a zero, an empty list or a default, or it is refused.

cdef struct Seen:
    # A bit for each field of a message that has been there.
    uint64_t first
    uint64_t others[SEEN_WORDS]

cdef inline bint was_seen(Seen *seen, Py_ssize_t bit) noexcept:
    if bit < 64:
        return seen.first >> bit & 1
    return seen.others[(bit >> 6) - 1] >> (bit & 63) & 1

cdef bint finish_fields(Node *node, PyObject *base, Seen *seen) noexcept:
    """Fills the slots of the fields that were not there, and puts lists into their boxes."""
    cdef Step *step
    cdef PyObject **place
    if base == NULL or (seen.first == node.full and node.full):
        return True
    for index in range(node.count):
        step = &node.steps[index]
        if step.slot < 0:
            continue
        place = slot_at(base, step.slot)
        if was_seen(seen, step.bit):
            if step.inner != step.node and step.flags & (REPEATED | PACKED):
                place[0] = outside(step.node, step.inner, place[0])
                if place[0] == NULL:
                    return False
        elif not step.flags & ALSO:
            place[0] = NULL if step.flags & REQUIRED else absent_of(step.node)
            if place[0] == NULL:
                return False
    return True

cdef PyObject *outside(Node *node, Node *inner, PyObject *value) noexcept:
    """A value in what is around it between two nodes; takes the value over."""
    if node == inner or value == NULL:
        return value
    value = outside(node.nodes[0], inner, value)
    return around(node, value)

cdef PyObject *absent_of(Node *node) noexcept:
    """The value of a field that is not there; NULL where there is none."""
    cdef int op = node.op
    if op == OPTIONAL:
        return owned(Py_None)
    if op == CONSTANT:
        return owned(node.object)
    if op == ARRAY or op == EMPTY_LIST:
        return PyList_New(0)
    if op == MAP or op == EMPTY_DICT:
        return PyDict_New()
    if op == VECTOR:
        return PySequence_Repeat(node.object, 0)
    if op == MAKE:
        return PyObject_CallNoArgs(node.object)
    if op in (BOX, CALL, TO_ITEM, FIRST_ITEM):
        return around(node, absent_of(node.nodes[0]))
    return zero_of(node)

cdef PyObject *zero_of(Node *node) noexcept:
    """What a scalar is that is left out."""
    cdef int op = node.op
    cdef uint8_t nothing = 0
    if op == STRING:
        return PyUnicode_New(0, 0)
    if op == DOUBLE or op == FLOAT:
        return PyFloat_FromDouble(0.0)
    if node.coding != NO_NUMBER:
        return counted(node, 0)
    if op in (BYTES, FIXED, UUID_TEXT, UUID_BYTES, DECIMAL, JSON):
        return sized_as(node, &nothing, 0)
    return NULL
