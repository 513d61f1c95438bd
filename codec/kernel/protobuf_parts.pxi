# Parts of a Protobuf payload. The fields of a message stand in any order, so one pass over the
# message finds where each of them is, when the first is touched. It goes by their lengths: what
# is in them is not looked at.

cdef struct Found:
    # Where a field stands.
    const uint8_t *first    # behind its tag, where that stands first; NULL where it is not there
    const uint8_t *last     # behind its tag, where that stands last
    const uint8_t *stop     # behind the last value
    Py_ssize_t count        # how often the tag stands there

cdef class MessagePart(Part):
    """A record, or a message around one value, that stands in a Protobuf payload."""

    cdef Cursor cursor      # where the fields begin
    cdef uint32_t stop      # the tag that ends them, 0 for the end of the cursor
    cdef Found *fields      # of each step; NULL before the first touch
    cdef Seen seen
    cdef bint broken        # the fields cannot be told apart, or are none that can be

    def __cinit__(self, Program program not None, bytes payload not None):
        """The whole of a payload."""
        if program.format != PROTOBUF or not is_in_parts(program):
            raise TypeError("it is no plain record of Protobuf")
        self.program, self.node, self.payload = program, program.root, payload
        self.cursor = root_cursor(program, payload)

    def __dealloc__(self):
        PyMem_Free(self.fields)

    cdef bint find_fields(self) except -1:
        """Find where each field stands, once. False refuses."""
        cdef Cursor c = self.cursor
        if self.fields == NULL and self.node.count and not self.broken:
            self.fields = <Found *>PyMem_Calloc(self.node.count, sizeof(Found))
            if self.fields == NULL:
                raise MemoryError
            self.broken = not find_all(&c, self.node, self.stop, &self.seen, self.fields)
        return not self.broken

    cdef Found *found_of(self, Step **step) noexcept:
        """Where the field of a step stands; NULL for nowhere. Of a oneof, the step becomes
        that of the branch that is there.
        """
        cdef Step *steps = self.node.steps
        cdef Found *found = self.first_found(step[0])
        if found != NULL or not was_seen(&self.seen, step[0].bit):
            return found
        for index in range(self.node.count):
            if steps[index].bit == step[0].bit and steps[index].slot == step[0].slot:
                found = self.first_found(&steps[index])
                if found != NULL:
                    step[0] = &steps[index]
                    return found
        return NULL

    cdef Found *first_found(self, Step *step) noexcept:
        """A field that goes to several slots is found at the first of its steps."""
        cdef Py_ssize_t at = step - self.node.steps
        while at and self.node.steps[at - 1].flags & AGAIN:
            at -= 1
        return &self.fields[at] if self.fields[at].first != NULL else NULL

    cdef bint looks(self, Py_ssize_t index, Step **step, Found **found) except -1:
        """Look for the field of an index. False refuses."""
        if not 0 <= index < self.node.count:
            raise IndexError(index)
        if self.node.steps[index].slot < 0:
            raise IndexError("the reader has no place for it")
        if not self.find_fields():
            return False
        step[0] = &self.node.steps[index]
        found[0] = self.found_of(step)
        return found[0] != NULL or not step[0].flags & REQUIRED

    def field(self, Py_ssize_t index):
        """The value or part of a field; ``NotImplemented`` where the kernel refuses it."""
        cdef Step *step
        cdef Found *found
        cdef Cursor c
        if not self.looks(index, &step, &found):
            return refused_or_raised()
        if step.node.op == ARRAY or step.node.op == MAP:
            return ItemsPart.__new__(ItemsPart, self, index)
        if found == NULL or step.flags & (REPEATED | PACKED):
            return shown(step.node, built_field(&self.cursor, step, found))
        c = self.cursor
        c.at = found.first
        if step.flags & IMPLICIT and starts_with_zero(&c, step.tag & 7):
            return NotImplemented
        return proto_at(self, &c, step.node, step.tag)

    def values(self, tuple names):
        """The objects of fields of a record; ``NotImplemented`` where one has no such name, or
        is refused.
        """
        cdef Step *step
        cdef Found *place
        indexes = <dict>self.node.names
        found = []
        for name in names:
            index = indexes.get(name)
            if index is None or not self.looks(index, &step, &place):
                return refused_or_raised()
            value = built_field(&self.cursor, step, place)
            if value is NotImplemented:
                return value
            found.append(value)
        return tuple(found)

    def hydrate(self):
        """The object of the whole part; ``NotImplemented`` where the kernel refuses it."""
        cdef Cursor c = self.cursor
        cdef int collects = PyGC_Disable()
        cdef PyObject *found = read_record_of(&c, self.node, self.stop)
        if collects:
            PyGC_Enable()
        return taken(found)

cdef MessagePart message_part(
    Program program, Node *node, bytes payload, Cursor *c, uint32_t stop
):
    """The part of a message that is entered; ``stop`` is the tag that ends it."""
    cdef MessagePart part = MessagePart.__new__(MessagePart, program, payload)
    part.node, part.cursor, part.stop = node, c[0], stop
    return part

cdef bint find_all(
    Cursor *c, Node *node, uint32_t stop, Seen *seen, Found *fields
) noexcept:
    """Finds all fields of a message, as ``read_fields`` reads them."""
    cdef Step *step = node.steps
    cdef Step *last = step + node.count
    cdef Found *found
    cdef uint32_t tag = 0
    cdef int more
    while True:
        more = next_tag(c, stop, &tag)
        if more <= 0:
            return more == 0
        while step < last and step.tag < tag:
            step += 1
        if step == last or step.tag != tag:
            step = find_step(node, tag)
            if step == last:
                return False
        if not mark_seen(seen, step.bit) and not step.flags & REPEATED:
            return False
        found = &fields[step - node.steps]
        if found.first == NULL:
            found.first = c.at
        if not find_run(c, found, tag, step.flags & REPEATED):
            return False

cdef inline bint find_run(Cursor *c, Found *found, uint32_t tag, bint repeated) noexcept:
    """Passes over a value, and over those that follow under the same tag."""
    while True:
        found.last = c.at
        found.count += 1
        if not skip_field(c, tag):
            return False
        found.stop = c.at
        if not repeated or not same_tag(c, tag):
            return True

cdef object built_field(Cursor *fields, Step *step, Found *found):
    """The object of a field, built with the collector at rest."""
    cdef Cursor c = fields[0]
    cdef int collects = PyGC_Disable()
    cdef PyObject *value
    if found == NULL:
        value = absent_of(step.node)
    else:
        c.at = found.first
        value = read_found(&c, step, found)
    if collects:
        PyGC_Enable()
    return taken(value)

cdef PyObject *read_found(Cursor *c, Step *step, Found *found) noexcept:
    """A field that is there, behind its first tag."""
    cdef PyObject *value = NULL
    cdef Step alone = step[0]
    if not step.flags & (REPEATED | PACKED):
        if step.flags & IMPLICIT and starts_with_zero(c, step.tag & 7):
            return NULL
        return read_proto(c, step.node, step.tag)
    # The items are read as of a record whose one slot is the variable.
    alone.slot = 0
    while read_repeated(c, &alone, <PyObject *>&value):
        if not to_next(c, step.tag, found.stop):
            return outside(step.node, step.inner, value)
    Py_XDECREF(value)
    return NULL

cdef bint to_next(Cursor *c, uint32_t tag, const uint8_t *stop) noexcept:
    """Moves behind the next of these tags before ``stop``; False where there is none."""
    cdef uint32_t other = 0
    while c.at < stop and next_tag(c, 0, &other) == 1:
        if other == tag:
            return True
        if not skip_field(c, other):
            return False
    return False

cdef object proto_at(Part within, Cursor *c, Node *node, uint32_t tag):
    """What a node says stands behind a tag: a part, or a value."""
    cdef MessagePart part
    while node.op == OPTIONAL or node.op == UNION:
        if node.op == UNION:
            node = branch_in(c, node, &tag)
            if node == NULL:
                return NotImplemented
        else:
            node = node.nodes[0]
    if node.op != RECORD and node.op != WRAP:
        return shown(node, built_proto(c, node, tag))
    if not open_message(c, tag):
        return NotImplemented
    part = message_part(within.program, node, within.payload, c, end_of(tag))
    return part if node.op == RECORD else part.field(0)

cdef Node *branch_in(Cursor *c, Node *node, uint32_t *tag) noexcept:
    """The node of the one branch in the message of a union, and its tag; the cursor is then
    behind that. NULL refuses.
    """
    cdef Cursor ahead
    cdef Step *step
    cdef uint32_t stop = end_of(tag[0])
    cdef uint32_t other = 0
    if not open_message(c, tag[0]) or next_tag(c, stop, tag) != 1:
        return NULL
    step = find_step(node, tag[0])
    if step == node.steps + node.count:
        return NULL
    ahead = c[0]
    if not skip_field(&ahead, tag[0]) or next_tag(&ahead, stop, &other) != 0:
        return NULL
    return step.node

cdef object built_proto(Cursor *c, Node *node, uint32_t tag):
    """The object of a node, built with the collector at rest."""
    cdef int collects = PyGC_Disable()
    cdef PyObject *found = read_proto(c, node, tag)
    if collects:
        PyGC_Enable()
    return taken(found)
