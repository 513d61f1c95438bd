# Parts of an Avro payload: where each begins is found by passing over what stands before it,
# and is kept.

cdef enum:
    AT_ONCE = 4096      # items, so that a count that lies asks for little memory

cdef class AvroPart(Part):
    """A record, an array or a map that stands in an Avro payload."""

    cdef Py_ssize_t origin      # where the part begins
    cdef Py_ssize_t depth       # of the part itself
    cdef Cursor cursor          # behind the last start that is known
    cdef Starts starts          # of the fields, or of the items; of a map, of the entries
    cdef Py_ssize_t left        # items of the current block that are not passed yet
    cdef const uint8_t *stop    # where the current block says to end
    cdef bint ended
    cdef bint broken            # nothing is known of what stands behind the known starts

    def __cinit__(self, Program program not None, bytes payload not None):
        """The whole of a payload."""
        if program.format != AVRO or not is_in_parts(program):
            raise TypeError("it is no plain record of Avro")
        cdef Cursor c = root_cursor(program, payload)
        if program.root.passes == NULL:
            add_passes(program)
        stand_at(self, program, program.root, payload, &c)

    def __dealloc__(self):
        PyMem_Free(self.starts.at)

    cdef Cursor cursor_at(self, Py_ssize_t start, Py_ssize_t depth) noexcept:
        """A cursor of its own, to read from a start at a depth."""
        cdef Cursor c = self.cursor
        c.at, c.depth, c.spare = self.base() + start, depth, self.program.spare
        return c

    cdef bint note(self) except -1:
        """Keep where the cursor stands as the next start."""
        return note_start(&self.starts, self.cursor.at - self.base())

    cdef bint reach(self, Py_ssize_t index) except -1:
        """Find where a field begins. False refuses."""
        cdef Py_ssize_t last
        if self.node.op != RECORD or not 0 <= index < self.node.count:
            raise IndexError(index)
        if self.node.slots[index] == 0:
            raise IndexError("the reader has no place for it")
        while self.starts.known <= index and not self.broken:
            last = self.starts.known - 1
            # A field with a negative slot is read once more, by the next node.
            if last < 0 or self.node.slots[last] < 0 or self.passes(self.node.nodes[last]):
                self.note()
        return self.starts.known > index

    cdef bint passes(self, Node *node) noexcept:
        """Move behind a value. Where that fails, what follows is never looked at again: the
        cursor stands in the middle of something.
        """
        if not pass_avro(&self.cursor, node):
            self.broken = True
        return not self.broken

    def field(self, Py_ssize_t index):
        """The value or part of a field; ``NotImplemented`` where the kernel refuses it."""
        if not self.reach(index):
            return refused_or_raised()
        return self.at(self.node.nodes[index], self.starts.at[index])

    def values(self, tuple names):
        """The objects of fields of a record; ``NotImplemented`` where one has no such name, or
        is refused.
        """
        cdef Cursor c
        cdef Py_ssize_t at
        indexes = <dict>self.node.names
        found = []
        for name in names:
            index = indexes.get(name)
            if index is None or not self.reach(index):
                return refused_or_raised()
            at = index
            c = self.cursor_at(self.starts.at[at], self.depth + 1)
            value = built(&c, self.node.nodes[at])
            if value is NotImplemented:
                return value
            found.append(value)
        return tuple(found)

    def count(self):
        """How many items or entries there are; ``NotImplemented`` where the kernel refuses."""
        if self.node.op not in (ARRAY, MAP):
            raise TypeError("a record has fields")
        while not self.ended:
            if not self.step():
                return refused_or_raised()
        return self.starts.known

    cdef bint step(self) except -1:
        """Pass over some more items, or to the next block. False refuses."""
        cdef Py_ssize_t many
        if self.broken:
            return False
        if self.left == 0:
            self.broken = (self.stop != NULL and self.stop != self.cursor.at) or not read_block(
                &self.cursor, self.node, &self.left, &self.stop
            )
            self.ended = not self.broken and self.left == 0
            return not self.broken
        many = min(self.left, AT_ONCE)
        room = more_starts(&self.starts, many)
        self.broken = not pass_all(&self.cursor, items_of(self.node), many, room, self.base())
        if not self.broken:
            self.starts.known += many
            self.left -= many
        return not self.broken

    def item(self, Py_ssize_t index):
        """An item of a list."""
        if self.node.op != ARRAY:
            raise TypeError("only a list has items")
        return self.at(self.node.nodes[0], self.starts.at[self.checked(index)])

    def keys(self):
        """The index of each key of a map, the last one where a key stands twice;
        ``NotImplemented`` where the kernel refuses one.
        """
        cdef Cursor c
        if self.node.op != MAP:
            raise TypeError("only a map has keys")
        count = self.count()
        if count is NotImplemented:
            return count
        found = {}
        for index in range(count):
            c = self.cursor_at(self.starts.at[<Py_ssize_t>index], self.depth + 1)
            key = built(&c, self.node.nodes[0])
            if key is NotImplemented:
                return key
            found[key] = index
        return found

    def value(self, Py_ssize_t index):
        """The value of an entry of a map."""
        if self.node.op != MAP:
            raise TypeError("only a map has entries")
        cdef Cursor c = self.cursor_at(self.starts.at[self.checked(index)], self.depth + 1)
        if not pass_avro(&c, self.node.nodes[0]):
            return refused_or_raised()
        return self.at(self.node.nodes[1], c.at - self.base())

    cdef Py_ssize_t checked(self, Py_ssize_t index) except -1:
        if not 0 <= index < self.starts.known:
            raise IndexError(index)
        return index

    def hydrate(self):
        """The object of the whole part; ``NotImplemented`` where the kernel refuses it."""
        cdef Cursor c = self.cursor_at(self.origin, self.depth)
        found = built(&c, self.node)
        # Behind the root nothing may follow.
        return found if self.depth or c.at == c.end else NotImplemented

    cdef object at(self, Node *node, Py_ssize_t start):
        """What a node says stands there: a part, or a value."""
        cdef Cursor c = self.cursor_at(start, self.depth + 1)
        cdef int64_t number
        while node.op == OPTIONAL or node.op == UNION:
            if not read_long(&c, &number) or not 0 <= number < (
                2 if node.op == OPTIONAL else node.count
            ):
                return NotImplemented
            if node.op == OPTIONAL and number == node.size:
                return None
            node = node.nodes[0 if node.op == OPTIONAL else number]
        if node.op == RECORD or node.op == ARRAY or node.op == MAP:
            return NotImplemented if c.depth >= c.limit else avro_part(
                self.program, node, self.payload, &c
            )
        return shown(node, built(&c, node))

cdef object built(Cursor *c, Node *node):
    """The object of a node, built with the collector at rest."""
    cdef int collects = PyGC_Disable()
    cdef PyObject *found = read_avro(c, node)
    if collects:
        PyGC_Enable()
    return taken(found)

cdef void stand_at(AvroPart part, Program program, Node *node, bytes payload, Cursor *c) noexcept:
    part.program, part.node, part.payload, part.cursor = program, node, payload, c[0]
    part.origin = c.at - part.base()
    part.depth = c.depth
    part.cursor.depth = c.depth + 1

cdef AvroPart avro_part(Program program, Node *node, bytes payload, Cursor *c):
    """The part of a node, which begins at the cursor."""
    cdef AvroPart part = AvroPart.__new__(AvroPart, program, payload)
    stand_at(part, program, node, payload, c)
    return part
