# Lists and maps that stand in a Protobuf payload: items, or entries, each behind a tag of its own
# and perhaps with other fields between them, or numbers that are packed behind one tag.

cdef class ItemsPart(Part):
    """A list or a map that stands in a Protobuf payload."""

    cdef Cursor outer       # of the message
    cdef Cursor cursor      # where the next start is looked for
    cdef Step *step
    cdef Found found
    cdef Starts starts      # of items or entries
    cdef bint packed
    cdef bint broken

    def __cinit__(self, MessagePart message not None, Py_ssize_t index):
        """The items of a field of a message."""
        cdef Found *found
        if not message.looks(index, &self.step, &found) or not (
            self.step.node.op == ARRAY or self.step.node.op == MAP
        ):
            raise TypeError("it is no list or map")
        self.program, self.payload, self.node = message.program, message.payload, self.step.node
        self.cursor = self.outer = message.cursor
        if found != NULL:
            self.found = found[0]
        self.cursor.at = self.found.first
        self.packed = self.step.flags & PACKED != 0
        if self.packed and found != NULL:
            self.enter_packed()

    def __dealloc__(self):
        PyMem_Free(self.starts.at)

    cdef void enter_packed(self) noexcept:
        cdef Py_ssize_t size
        # A packed list without items is not there at all.
        if read_length(&self.cursor, &size) and size:
            self.cursor.end = self.cursor.at + size
        else:
            self.broken = True

    cdef bint finds_next(self) except -1:
        """Find one more start. False refuses."""
        cdef uint32_t tag = 0 if self.packed else self.step.tag
        if self.broken:
            return False
        note_start(&self.starts, self.cursor.at - self.base())
        if self.packed:
            self.broken = not skip_packed(&self.cursor, self.node.nodes[0])
        elif self.starts.known < self.found.count:
            self.broken = not skip_field(&self.cursor, tag) or not to_next(
                &self.cursor, tag, self.found.stop
            )
        return not self.broken

    cdef bint reach(self, Py_ssize_t index, Cursor *c) except -1:
        """Move a cursor to an item or entry. False refuses."""
        if not 0 <= index < (self.starts.known if self.packed else self.found.count):
            raise IndexError(index)
        c[0] = self.cursor
        if not self.packed and index == self.found.count - 1:
            c.at = self.found.last
            return True
        while self.starts.known <= index:
            if not self.finds_next():
                return False
        c.at = self.base() + self.starts.at[index]
        return True

    def count(self):
        """How many items or entries there are; ``NotImplemented`` where the kernel refuses."""
        if not self.packed:
            return self.found.count
        while self.cursor.at < self.cursor.end and self.found.count:
            if not self.finds_next():
                return refused_or_raised()
        return NotImplemented if self.broken else self.starts.known

    def item(self, Py_ssize_t index):
        """An item of a list."""
        cdef Cursor c
        if self.node.op != ARRAY:
            raise TypeError("only a list has items")
        if not self.reach(index, &c):
            return refused_or_raised()
        return proto_at(self, &c, self.node.nodes[0], 0 if self.packed else self.step.tag)

    def keys(self):
        """The index of each key of a map; ``NotImplemented`` where the kernel refuses one, or
        one stands twice.
        """
        cdef Cursor c
        cdef Py_ssize_t index
        if self.node.op != MAP:
            raise TypeError("only a map has keys")
        found = {}
        for index in range(self.found.count):
            if not self.reach(index, &c) or not enter_entry(&c, self.node, self.step.tag):
                return refused_or_raised()
            key = built_proto(&c, self.node.nodes[0], self.node.steps[0].tag)
            if key is NotImplemented or key in found or not enter_value(&c, self.node):
                return NotImplemented
            found[key] = index
        return found

    def value(self, Py_ssize_t index):
        """The value of an entry of a map."""
        cdef Cursor c
        if self.node.op != MAP:
            raise TypeError("only a map has entries")
        if not self.reach(index, &c) or not enter_entry(&c, self.node, self.step.tag):
            return refused_or_raised()
        if not skip_field(&c, self.node.steps[0].tag) or not enter_value(&c, self.node):
            return NotImplemented
        return proto_at(self, &c, self.node.nodes[1], self.node.steps[1].tag)

    def hydrate(self):
        """The object of the whole part; ``NotImplemented`` where the kernel refuses it."""
        cdef Found *found = NULL if self.found.first == NULL else &self.found
        return built_field(&self.outer, self.step, found)

cdef inline bint enter_entry(Cursor *c, Node *node, uint32_t tag) noexcept:
    """Moves into an entry, behind the tag of its key."""
    return open_message(c, tag) and same_tag(c, node.steps[0].tag)

cdef bint enter_value(Cursor *c, Node *node) noexcept:
    """Moves behind the tag of the value of an entry, which the value has to fill."""
    cdef Cursor ahead
    if not same_tag(c, node.steps[1].tag):
        return False
    ahead = c[0]
    return skip_field(&ahead, node.steps[1].tag) and ahead.at == ahead.end

cdef bint skip_packed(Cursor *c, Node *node) noexcept:
    """Moves behind a number that has no tag of its own."""
    cdef int64_t number
    node = within_boxes(node)
    if node.op == DOUBLE or node.op == FLOAT:
        return skip_bytes(c, node.least)
    return node.coding != NO_NUMBER and read_number(c, node.coding, &number)
