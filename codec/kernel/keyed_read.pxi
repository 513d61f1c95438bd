# Reads what JSON and MessagePack have in common: the records of a writer by the bytes that stand
# around their values. As in Avro, each field goes to its place, which may be none, and what the
# writer does not have comes from nodes that take no bytes.

cdef Read keyed_reader(int op, int format, bint framed) noexcept:
    """The function that reads values of an op; ``framed`` says that bytes stand around them."""
    if op == RECORD:
        # Without a frame, it is one that is built of a scratch.
        return read_keyed if framed else read_record
    elif op == ENUM:
        return read_keyed_symbol
    elif op == OPTIONAL:
        return read_keyed_optional
    elif op == UNION:
        return read_keyed_branch
    elif op == WRAP:
        return read_keyed_wrapped
    elif op == ASSEMBLE:
        return read_keyed_assembled
    elif op == SCRATCH:
        return read_keyed_scratch
    elif op == HELD:
        return read_held
    elif op == GATHER:
        return read_gathered
    elif op == TO_ITEM or op == FIRST_ITEM:
        return read_changed
    elif op in (NEVER, FUNCTION, ANY):
        return refuse
    elif op in (CONSTANT, EMPTY_LIST, EMPTY_DICT, MAKE, BOX, CALL):
        return read_scalar
    return msgpack_reader(op) if format == AS_MSGPACK else text_reader(op)

cdef Skip keyed_skipper(int format) noexcept:
    """The function that passes over a value of any kind."""
    return skip_any_msgpack if format == AS_MSGPACK else skip_any_text

cdef PyObject *refuse(Cursor *c, Node *node) noexcept:
    return NULL

cdef PyObject *read_keyed_root(Cursor *c, Node *node, Py_ssize_t skipped) noexcept:
    """A record whose first ``skipped`` bytes are another's."""
    cdef Node *fields = node.nodes[0] if node.op == ASSEMBLE else node
    if not pass_held(c, fields.objects[0], skipped):
        return NULL
    return read_assembled(c, node) if node.op == ASSEMBLE else read_record(c, node)

cdef PyObject *read_keyed(Cursor *c, Node *node) noexcept:
    cdef PyObject *made
    # Before anything is made: in a union, this is what tells one branch from another.
    if not pass_held(c, node.objects[0], 0):
        return NULL
    if not node.plain:
        return read_record(c, node)
    if not enter(c):
        return NULL
    made = new_record(<PyTypeObject *>node.object)
    if made == NULL:
        return NULL
    if not read_keyed_slots(c, node, made):
        Py_DECREF(made)
        return NULL
    c.depth -= 1
    if node.tracked:
        PyObject_GC_Track(made)
    return made

cdef inline bint read_keyed_slots(Cursor *c, Node *node, PyObject *made) noexcept:
    """Reads the values of a plain record, each into its slot."""
    cdef PyObject *value
    cdef Node *inner
    for index in range(node.count):
        inner = node.nodes[index]
        value = inner.read(c, inner)
        if value == NULL:
            return False
        slot_at(made, node.slots[index])[0] = value
        if not pass_held(c, node.objects[index + 1], 0):
            return False
    return True

cdef PyObject *read_keyed_assembled(Cursor *c, Node *node) noexcept:
    return read_assembled(c, node) if pass_held(c, node.nodes[0].objects[0], 0) else NULL

cdef PyObject *read_keyed_scratch(Cursor *c, Node *node) noexcept:
    return read_scratch(c, node) if pass_held(c, node.objects[0], 0) else NULL

cdef bint read_keyed_into(
    Cursor *c, Node *node, PyObject *made, PyObject *rest
) noexcept:
    """What ``read_into`` does, where bytes stand around the values; the first were passed."""
    cdef PyObject *value
    cdef Node *inner
    cdef const uint8_t *start
    cdef Py_ssize_t slot
    cdef Py_ssize_t passed = 1
    for index in range(node.count):
        inner = node.nodes[index]
        slot = node.slots[index]
        if slot == 0:
            if not inner.skip(c, inner):
                return False
        else:
            start = c.at
            value = owned(inner.object) if inner.op == CONSTANT else inner.read(c, inner)
            if value == NULL:
                return False
            if slot < 0:
                slot_at(made if -slot & 1 else rest, -slot & ~<Py_ssize_t>1)[0] = value
                c.at = start
                continue
            slot_at(made if slot & 1 else rest, slot & ~<Py_ssize_t>1)[0] = value
        # Nothing stands around what the writer does not have.
        if passed < node.places:
            if not pass_held(c, node.objects[passed], 0):
                return False
            passed += 1
    return True

cdef PyObject *read_keyed_wrapped(Cursor *c, Node *node) noexcept:
    """The value in a box of the writer."""
    cdef PyObject *value
    if not pass_held(c, node.objects[0], 0) or not enter(c):
        return NULL
    value = node.nodes[0].read(c, node.nodes[0])
    if value != NULL and not pass_held(c, node.objects[1], 0):
        Py_DECREF(value)
        return NULL
    c.depth -= 1
    return value

cdef PyObject *read_keyed_optional(Cursor *c, Node *node) noexcept:
    if pass_held(c, node.objects[0], 0):
        return NULL if node.size else owned(Py_None)
    return node.nodes[0].read(c, node.nodes[0])

cdef PyObject *read_keyed_branch(Cursor *c, Node *node) noexcept:
    """The value of the one branch that it can be: no two are spelled alike."""
    cdef const uint8_t *start = c.at
    cdef Py_ssize_t depth = c.depth
    cdef PyObject *found
    for index in range(node.count):
        found = node.nodes[index].read(c, node.nodes[index])
        if found != NULL:
            return found
        if PyErr_Occurred() != NULL:
            if not PyErr_ExceptionMatches(REFUSALS):
                return NULL
            PyErr_Clear()
        c.at, c.depth = start, depth
    return NULL

cdef PyObject *read_keyed_symbol(Cursor *c, Node *node) noexcept:
    for index in range(node.size):
        if pass_held(c, node.objects[node.size + index], 0):
            return owned(symbol_at(node, index))
    return NULL
