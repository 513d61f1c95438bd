# Reads Protobuf's wire format by a program, straight into objects, as strictly as our own
# blobs are written: known fields only, none of them twice, no zero that is left out.
#
# NULL means that the payload is refused, as in `avro_read.pxi`.

cdef ReadField proto_reader(int op, int coding) noexcept:
    """The function that reads values of an op, as ``avro_reader`` has them."""
    if op == STRING:
        return read_proto_text
    elif op == RECORD:
        return read_message
    elif op == FLOAT or op == DOUBLE:
        return read_proto_float
    elif op == INT or op == LONG:
        return read_proto_integer
    elif op == ENUM:
        return read_proto_symbol
    elif op == TIMESTAMP:
        return read_proto_timestamp
    elif coding != NO_NUMBER:
        return read_counted
    elif op == OPTIONAL:
        return read_present
    elif op == WRAP:
        return read_inner
    elif op == UNION:
        return read_union
    elif op == BOX or op == CALL or op == TO_ITEM or op == FIRST_ITEM:
        return read_around
    elif op == ASSEMBLE:
        return read_proto_assembled
    elif op == SCRATCH:
        return read_proto_scratch
    elif op == JSON:
        return read_proto_json
    elif op == VECTOR:
        return read_proto_vector
    elif op in (BYTES, FIXED, UUID_TEXT, UUID_BYTES, DECIMAL):
        return read_sized
    elif op >= TIMESTAMP_PARTS:
        return read_well_known
    else:
        return read_refused

cdef inline PyObject *read_proto(Cursor *c, Node *node, uint32_t tag) noexcept:
    """A value; ``tag`` is what stood before it, or 0 where nothing does."""
    return node.read_field(c, node, tag)

cdef PyObject *read_refused(Cursor *c, Node *node, uint32_t tag) noexcept:
    return NULL

cdef PyObject *read_proto_text(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef Py_ssize_t size
    if not read_length(c, &size):
        return NULL
    c.at += size
    return shared_text(node.texts, c.at - size, size)

cdef PyObject *read_proto_integer(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef int64_t number
    return PyLong_FromLongLong(number) if read_number(c, node.coding, &number) else NULL

cdef PyObject *read_proto_symbol(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef int64_t number
    return owned(symbol_of(node, number)) if read_number(c, VARINT_32, &number) else NULL

cdef PyObject *read_proto_timestamp(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef int64_t number
    if not read_number(c, node.coding, &number):
        return NULL
    return moment_of(number, node.size, PyDateTimeAPI.TimeZone_UTC, &node.last)

cdef PyObject *read_counted(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef int64_t number
    return counted(node, number) if read_number(c, node.coding, &number) else NULL

cdef PyObject *read_present(Cursor *c, Node *node, uint32_t tag) noexcept:
    """An optional that is there."""
    return read_proto(c, node.nodes[0], tag)

cdef PyObject *read_around(Cursor *c, Node *node, uint32_t tag) noexcept:
    """What a box, a list or a function makes of a value."""
    return around(node, read_proto(c, node.nodes[0], tag))

cdef PyObject *read_proto_json(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef Py_ssize_t size
    if not read_length(c, &size):
        return NULL
    c.at += size
    return json_of(node, c.at - size, size)

cdef PyObject *read_sized(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef Py_ssize_t size
    if not read_length(c, &size):
        return NULL
    c.at += size
    return sized_as(node, c.at - size, size)

cdef PyObject *read_proto_float(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef Py_ssize_t size = 8 if node.op == DOUBLE else 4
    if c.end - c.at < size:
        return NULL
    c.at += size
    return float_of(c.at - size, size)

cdef PyObject *read_proto_vector(Cursor *c, Node *node, uint32_t tag) noexcept:
    """All numbers, which stand behind their length as bytes do."""
    cdef Py_ssize_t size
    if not read_length(c, &size):
        return NULL
    c.at += size
    return vector_of(node, c.at - size, size)

cdef PyObject *counted(Node *node, int64_t number) noexcept:
    """The value of a node that the wire has as a number."""
    cdef int op = node.op
    if op == INT or op == LONG or op == UINT32:
        return PyLong_FromLongLong(number)
    if op == TIMESTAMP:
        return moment_of(number, node.size, PyDateTimeAPI.TimeZone_UTC, &node.last)
    if op == ENUM:
        return owned(symbol_of(node, number))
    if op == BOOLEAN:
        if not 0 <= number <= 1:
            return NULL
        return owned(Py_True if number else Py_False)
    if op == UINT64:
        return PyLong_FromUnsignedLongLong(<uint64_t>number)
    if op == DATE:
        return date_of(number)
    if op == TIME:
        return time_of(number, node.size)
    if op == LOCAL_TIMESTAMP:
        return moment_of(number, node.size, Py_None, &node.last)
    if op == DURATION:
        return duration_of(number)
    return owned(node.object) if op == CONSTANT and number == 0 else NULL

cdef inline PyObject *symbol_of(Node *node, int64_t number) noexcept:
    """The member with this number; NULL where there is none."""
    if node.numbers == NULL:
        return node.objects[number] if 0 <= number < node.places else NULL
    for index in range(node.places):
        if node.numbers[index] == number:
            return node.objects[index]
    return NULL

cdef PyObject *sized_as(Node *node, const uint8_t *at, Py_ssize_t size) noexcept:
    """The value of bytes, whose length Protobuf leaves open where the schema does not."""
    if node.op == FIXED and size != node.size:
        return NULL
    if node.op == UUID_BYTES and size != 16:
        return NULL
    return json_of(node, at, size) if node.op == JSON else bytes_as(node, at, size)

cdef PyObject *boxed(Node *node, PyObject *value) noexcept:
    """A value in its box; takes the value over."""
    if value == NULL:
        return NULL
    cdef PyObject *box = new_record(<PyTypeObject *>node.object)
    if box == NULL:
        Py_DECREF(value)
        return NULL
    slot_at(box, node.slots[0])[0] = value
    PyObject_GC_Track(box)
    return box

cdef PyObject *called(Node *node, PyObject *raw) noexcept:
    """What the function of a node makes of a value; takes the value over."""
    if raw == NULL:
        return NULL
    cdef PyObject *found = PyObject_CallOneArg(node.object, raw)
    Py_DECREF(raw)
    return found

cdef PyObject *read_message(Cursor *c, Node *node, uint32_t tag) noexcept:
    """A record, or None for one that is only passed over."""
    cdef PyObject *made
    cdef const uint8_t *outer = c.end
    if not open_message(c, tag):
        return NULL
    made = read_record_of(c, node, end_of(tag))
    close_message(c, outer)
    return made

cdef inline PyObject *read_record_of(Cursor *c, Node *node, uint32_t stop) noexcept:
    """A record of the fields up to the end of the cursor."""
    cdef PyObject *made
    if node.object == Py_None:
        return owned(Py_None) if read_fields(c, node, NULL, stop) else NULL
    made = new_record(<PyTypeObject *>node.object)
    if made == NULL:
        return NULL
    if not read_fields(c, node, made, stop):
        Py_DECREF(made)
        return NULL
    if node.tracked:
        PyObject_GC_Track(made)
    return made

cdef PyObject *read_inner(Cursor *c, Node *node, uint32_t tag) noexcept:
    """The one value that a message is around."""
    cdef PyObject *value = NULL
    cdef const uint8_t *outer = c.end
    if not open_message(c, tag):
        return NULL
    # The message is read as a record whose one slot is the variable.
    if not read_fields(c, node, <PyObject *>&value, end_of(tag)):
        Py_XDECREF(value)
        return NULL
    close_message(c, outer)
    return value

cdef PyObject *read_union(Cursor *c, Node *node, uint32_t tag) noexcept:
    """The one branch that is in the message of a union."""
    cdef PyObject *value
    cdef const uint8_t *outer = c.end
    cdef Step *step
    cdef uint32_t found = 0
    if not open_message(c, tag) or next_tag(c, end_of(tag), &found) != 1:
        return NULL
    step = find_step(node, found)
    if step == node.steps + node.count:
        return NULL
    value = read_proto(c, step.node, found)
    if value == NULL:
        return NULL
    if next_tag(c, end_of(tag), &found) != 0:
        Py_DECREF(value)
        return NULL
    close_message(c, outer)
    return value

cdef bint read_fields(Cursor *c, Node *node, PyObject *base, uint32_t stop) noexcept:
    """Reads fields into the slots of ``base``; where that is NULL, passes over them."""
    cdef Seen seen
    cdef Step *step = node.steps
    cdef Step *last = step + node.count
    cdef uint32_t tag = 0
    cdef int more
    seen.first = 0
    if node.count > 64:
        memset(seen.others, 0, sizeof(seen.others))
    while True:
        more = next_tag(c, stop, &tag)
        if more <= 0:
            return more == 0 and finish_fields(node, base, &seen)
        # Fields mostly come in the order of their numbers.
        while step < last and step.tag < tag:
            step += 1
        if step == last or step.tag != tag:
            step = find_step(node, tag)
            if step == last:
                if node.op == RECORD and base != NULL and read_token(c, tag, base):
                    continue
                return False
        if not mark_seen(&seen, step.bit) and not step.flags & REPEATED:
            return False
        if step.flags & AGAIN:
            if not read_for_all(c, step, base):
                return False
        elif not read_step(c, step, base):
            return False

cdef bint read_for_all(Cursor *c, Step *step, PyObject *base) noexcept:
    """Reads a field once for each of the slots that its value goes to."""
    cdef const uint8_t *start = c.at
    while True:
        if not read_step(c, step, base):
            return False
        if not step.flags & AGAIN:
            return True
        step += 1
        c.at = start

cdef inline bint mark_seen(Seen *seen, Py_ssize_t bit) noexcept:
    """Marks a field as seen; False where it has been already."""
    cdef uint64_t mark = <uint64_t>1 << (bit & 63)
    cdef uint64_t *word = &seen.first if bit < 64 else &seen.others[(bit >> 6) - 1]
    if word[0] & mark:
        return False
    word[0] |= mark
    return True

cdef Step *find_step(Node *node, uint32_t tag) noexcept:
    """The first step of a tag; the place behind the last where there is none."""
    cdef Step *low = node.steps
    cdef Py_ssize_t count = node.count
    cdef Py_ssize_t half
    while count:
        half = count // 2
        if low[half].tag < tag:
            low += half + 1
            count -= half + 1
        else:
            count = half
    if low < node.steps + node.count and low.tag == tag:
        return low
    return node.steps + node.count

cdef inline bint read_step(Cursor *c, Step *step, PyObject *base) noexcept:
    """Reads a field behind its tag."""
    cdef PyObject *value
    if step.flags & (REPEATED | PACKED):
        return read_repeated(c, step, base)
    if step.flags & IMPLICIT and starts_with_zero(c, step.tag & 7):
        return False
    value = read_proto(c, step.node, step.tag)
    if value == NULL:
        return False
    if base == NULL or step.slot < 0:
        Py_DECREF(value)
    else:
        slot_at(base, step.slot)[0] = value
    return True

cdef inline bint starts_with_zero(Cursor *c, int wire) noexcept:
    """Whether a zero follows: the number, or the length of bytes or text."""
    cdef int size
    if c.at >= c.end or c.at[0]:
        return False  # where nothing follows, whoever reads it says no
    if wire != WIRE_64 and wire != WIRE_32:
        return True
    size = 8 if wire == WIRE_64 else 4
    return c.end - c.at < size or little_endian(c.at, size) == 0

cdef bint read_repeated(Cursor *c, Step *step, PyObject *base) noexcept:
    """Reads items or entries, as many as follow on each other, into their list or map."""
    cdef PyObject **place
    cdef PyObject *held = NULL
    if base != NULL and step.slot >= 0:
        place = slot_at(base, step.slot)
        if place[0] == NULL:
            place[0] = PyDict_New() if step.inner.op == MAP else PyList_New(0)
            if place[0] == NULL:
                return False
        held = place[0]
    if step.inner.op == MAP:
        return read_entries(c, step, held)
    if step.flags & PACKED:
        return read_packed(c, step, held)
    while True:
        if not read_item(c, step.inner.nodes[0], step.tag, held):
            return False
        if not same_tag(c, step.tag):
            return True

cdef inline bint read_item(Cursor *c, Node *node, uint32_t tag, PyObject *items) noexcept:
    cdef PyObject *item = read_proto(c, node, tag)
    cdef bint done
    if item == NULL:
        return False
    done = items == NULL or PyList_Append(items, item) == 0
    Py_DECREF(item)
    return done

cdef bint read_packed(Cursor *c, Step *step, PyObject *items) noexcept:
    """The items of a list behind their length; a list without any is not there at all."""
    cdef Py_ssize_t size
    cdef const uint8_t *outer = c.end
    if not read_length(c, &size) or size == 0:
        return False
    c.end = c.at + size
    while c.at < c.end:
        if not read_item(c, step.inner.nodes[0], 0, items):
            return False
    c.end = outer
    return True

cdef bint read_entries(Cursor *c, Step *step, PyObject *entries) noexcept:
    cdef const uint8_t *outer = c.end
    while True:
        if not open_message(c, step.tag) or not read_pair(c, step.inner, entries):
            return False
        close_message(c, outer)
        if not same_tag(c, step.tag):
            return True

cdef bint read_pair(Cursor *c, Node *node, PyObject *entries) noexcept:
    """A key that the map has not yet, and its value, which fill the message."""
    cdef PyObject *key
    cdef PyObject *value = NULL
    cdef bint done = False
    if not same_tag(c, node.steps[0].tag):
        return False
    key = read_proto(c, node.nodes[0], node.steps[0].tag)
    if key == NULL:
        return False
    if same_tag(c, node.steps[1].tag):
        value = read_proto(c, node.nodes[1], node.steps[1].tag)
    if value != NULL:
        done = c.at == c.end and (entries == NULL or put_new(entries, key, value))
        Py_DECREF(value)
    Py_DECREF(key)
    return done

cdef inline bint put_new(PyObject *entries, PyObject *key, PyObject *value) noexcept:
    """Puts a value under a key that is not there yet."""
    cdef Py_ssize_t count = PyDict_GET_SIZE(entries)
    return PyDict_SetItem(entries, key, value) == 0 and PyDict_GET_SIZE(entries) == count + 1
