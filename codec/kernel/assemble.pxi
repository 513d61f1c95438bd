# Records that are more than fields of the writer: moved out of records or into them, or made by
# functions. What they are made of is read first, into places that nobody else sees, the
# scratch; the record is then built of that as any other is, by nodes that take no bytes.
#
# Fields of records inside, where those are taken apart, go to places of the same scratch.

cdef enum:
    ROOM = 16   # places on the stack; for more, memory is asked for

cdef inline PyObject **open_scratch(PyObject **room, Py_ssize_t size) noexcept:
    """So many empty places, ``room`` itself where they fit; ``close_scratch`` gives them back."""
    if size > ROOM:
        return <PyObject **>PyMem_Calloc(size, sizeof(PyObject *))
    memset(room, 0, size * sizeof(PyObject *))
    return room

cdef inline void close_scratch(PyObject **places, Py_ssize_t size) noexcept:
    for index in range(size):
        Py_XDECREF(places[index])
    if size > ROOM:
        PyMem_Free(places)

cdef PyObject *read_assembled(Cursor *c, Node *node) noexcept:
    cdef PyObject *room[ROOM]
    cdef PyObject *outer = c.scratch
    cdef PyObject *made
    cdef Node *fields = node.nodes[0]
    cdef PyObject **places
    if not enter(c):
        return NULL
    places = open_scratch(room, fields.size)
    if places == NULL:
        return NULL
    c.scratch = <PyObject *>places
    made = new_record(<PyTypeObject *>node.nodes[node.count - 1].object)
    if made != NULL and read_into(c, fields, made, c.scratch):
        made = finished(c, node, made)
    else:
        Py_XDECREF(made)
        made = NULL
    c.depth -= 1
    c.scratch = outer
    close_scratch(places, fields.size)
    return made

cdef PyObject *read_proto_assembled(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef PyObject *made
    cdef const uint8_t *outer = c.end
    if not open_message(c, tag):
        return NULL
    made = assembled_of_fields(c, node, end_of(tag))
    close_message(c, outer)
    return made

cdef PyObject *assembled_of_fields(Cursor *c, Node *node, uint32_t stop) noexcept:
    """The record of the fields of a message up to the end of the cursor."""
    cdef PyObject *room[ROOM]
    cdef PyObject *outer = c.scratch
    cdef PyObject *made = NULL
    cdef Node *fields = node.nodes[0]
    cdef PyObject **places = open_scratch(room, fields.size)
    if places == NULL:
        return NULL
    c.scratch = <PyObject *>places
    if read_fields(c, fields, c.scratch, stop):
        made = new_record(<PyTypeObject *>node.nodes[node.count - 1].object)
        if made != NULL:
            made = finished(c, node, made)
    c.scratch = outer
    close_scratch(places, fields.size)
    return made

cdef PyObject *finished(Cursor *c, Node *node, PyObject *made) noexcept:
    """A record with what the scratch has for it, after the functions ran; takes it over."""
    cdef Py_ssize_t last = node.count - 1
    cdef Py_ssize_t index = 1
    while index < last and run_function(c, node.nodes[index]):
        index += 1
    if index < last or not put_in(c, node.nodes[last], made):
        Py_DECREF(made)
        return NULL
    if node.tracked:
        PyObject_GC_Track(made)
    return made

cdef inline bint put_in(Cursor *c, Node *node, PyObject *made) noexcept:
    """Fills slots of a record by nodes that take no bytes, most of them of the scratch."""
    cdef PyObject *value
    cdef Node *field
    for index in range(node.count):
        field = node.nodes[index]
        value = taken_out(c, field) if field.op == HELD else read_avro(c, field)
        if value == NULL:
            return False
        slot_at(made, node.slots[index])[0] = value
    return True

cdef PyObject *read_scratch(Cursor *c, Node *node) noexcept:
    """The fields of a record inside, into the scratch; true says that it was there."""
    if not enter(c) or not read_into(c, node, NULL, c.scratch):
        return NULL
    c.depth -= 1
    return owned(Py_True)

cdef PyObject *read_proto_scratch(Cursor *c, Node *node, uint32_t tag) noexcept:
    """The same of a message."""
    cdef const uint8_t *outer = c.end
    if not open_message(c, tag) or not read_fields(c, node, c.scratch, end_of(tag)):
        return NULL
    close_message(c, outer)
    return owned(Py_True)

cdef PyObject *read_held(Cursor *c, Node *node) noexcept:
    return taken_out(c, node)

cdef inline PyObject *taken_out(Cursor *c, Node *node) noexcept:
    """What stands in the scratch, or else what a further node says."""
    cdef PyObject **place = slot_at(c.scratch, node.size)
    cdef PyObject *value = place[0]
    if value == NULL and node.count and not node.extra & NEEDED:
        return read_avro(c, node.nodes[0])
    if value == NULL or (value == Py_None and node.extra & NEEDED):
        return NULL
    if node.extra & LAST_USE:
        place[0] = NULL
    else:
        Py_INCREF(value)
    return value

cdef PyObject *read_gathered(Cursor *c, Node *node) noexcept:
    """A record of values of the scratch; null where each of those of the further nodes is."""
    cdef PyObject *value
    cdef bint is_null = True
    for index in range(1, node.count):
        value = read_avro(c, node.nodes[index])
        if value == NULL:
            return NULL
        is_null = is_null and value == Py_None
        Py_DECREF(value)
    return owned(Py_None) if is_null else read_avro(c, node.nodes[0])

cdef bint run_function(Cursor *c, Node *node) noexcept:
    """Calls the function of a node; what it gives goes into the scratch.

    Whatever it raises is a refusal: the library engine says what and where.
    """
    cdef Py_ssize_t count = node.count - node.places
    cdef PyObject *room[ROOM]
    cdef PyObject *result = NULL
    cdef PyObject **arguments = open_scratch(room, count)
    if arguments == NULL:
        return False
    if read_arguments(c, node, arguments, count):
        result = PyObject_Vectorcall(node.object, arguments, count, NULL)
    close_scratch(arguments, count)
    if result == NULL:
        if PyErr_Occurred() != NULL and PyErr_ExceptionMatches(PyExc_Exception):
            PyErr_Clear()
        return False
    cdef bint done = keep_results(c, node, result)
    Py_DECREF(result)
    return done

cdef bint read_arguments(
    Cursor *c, Node *node, PyObject **arguments, Py_ssize_t count
) noexcept:
    for index in range(count):
        arguments[index] = read_avro(c, node.nodes[index])
        if arguments[index] == NULL:
            return False
    return True

cdef bint keep_results(Cursor *c, Node *node, PyObject *result) noexcept:
    """Puts what a function gave into the scratch: one value, or a tuple of several."""
    if node.places == 1 and not node.extra:
        return keep_result(c, node, 0, result)
    if not PyTuple_Check(result) or PyTuple_GET_SIZE(result) != node.places:
        return False
    for index in range(node.places):
        if not keep_result(c, node, index, PyTuple_GET_ITEM(result, index)):
            return False
    return True

cdef bint keep_result(Cursor *c, Node *node, Py_ssize_t index, PyObject *value) noexcept:
    """Puts one result into the scratch, as it is where it can be seen to fit, or as what a
    function in Python makes of it.
    """
    cdef PyObject *kept = value
    if check_value(node.nodes[node.count - node.places + index], value, 1, False):
        Py_INCREF(value)
    else:
        PyErr_Clear()
        kept = PyObject_CallOneArg(node.objects[index], value)
    slot_at(c.scratch, node.size)[index] = kept
    return kept != NULL

cdef PyObject *around(Node *node, PyObject *value) noexcept:
    """What a node makes of the value of another; takes the value over."""
    if value == NULL:
        return NULL
    if node.op == BOX:
        return boxed(node, value)
    if node.op == TO_ITEM:
        return listed(node, value)
    if node.op == FIRST_ITEM:
        return first_of(node, value)
    return called(node, value)

cdef PyObject *read_changed(Cursor *c, Node *node) noexcept:
    return around(node, read_avro(c, node.nodes[0]))

cdef PyObject *listed(Node *node, PyObject *value) noexcept:
    """A list of the one value, or of none."""
    cdef bint is_null = value == Py_None and node.size != 0
    cdef PyObject *items = PyList_New(0 if is_null else 1)
    if items == NULL or is_null:
        Py_DECREF(value)
    else:
        PyList_SET_ITEM(items, 0, value)
    return items

cdef PyObject *first_of(Node *node, PyObject *items) noexcept:
    """The first item of a list; of an empty one null, or nothing where null is no value."""
    cdef PyObject *first = NULL
    if PyList_GET_SIZE(items):
        first = owned(PyList_GET_ITEM(items, 0))
    elif node.size:
        first = owned(Py_None)
    Py_DECREF(items)
    return first
