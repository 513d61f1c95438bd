# Parts of a payload that are looked at one by one: where each begins is found by passing over
# what stands before it, and is kept.

cdef class Part:
    """A record, an array or a map that stands in an Avro payload, not yet built."""

    cdef Program program
    cdef Node *node
    cdef bytes payload          # the bytes, whole: keeps them alive
    cdef Py_ssize_t origin      # where the part begins
    cdef Py_ssize_t depth       # of the part itself
    cdef Cursor cursor          # behind the last start that is known
    cdef Py_ssize_t *starts     # of the fields, or of the items; of a map, of the entries
    cdef Py_ssize_t known       # how many starts are
    cdef Py_ssize_t room
    cdef Py_ssize_t left        # items of the current block that are not passed yet
    cdef const uint8_t *stop    # where the current block says to end
    cdef bint ended
    cdef bint broken            # nothing is known of what stands behind the known starts

    def __cinit__(self, Program program not None, bytes payload not None):
        """The whole of a payload."""
        if not is_in_parts(program):
            raise TypeError("only plain records of Avro are read in parts")
        self.program, self.node, self.payload = program, program.root, payload
        self.cursor.at, self.cursor.limit = self.base(), program.depth
        self.cursor.end = self.base() + len(payload)
        self.cursor.depth, self.cursor.spare = 1, program.spare

    def __dealloc__(self):
        PyMem_Free(self.starts)

    @property
    def kind(self):
        """``record``, ``list`` or ``map``."""
        return "record" if self.node.op == RECORD else "list" if self.node.op == ARRAY else "map"

    @property
    def cls(self):
        """The class that a record is hydrated to."""
        return <object>self.node.object

    @property
    def names(self):
        """The index of each field of a record, by attribute."""
        return <object>self.node.names

    cdef const uint8_t *base(self):
        return <const uint8_t *>PyBytes_AS_STRING(<PyObject *>self.payload)

    cdef Cursor cursor_at(self, Py_ssize_t start, Py_ssize_t depth) noexcept:
        """A cursor of its own, to read from a start at a depth."""
        cdef Cursor c = self.cursor
        c.at, c.depth, c.spare = self.base() + start, depth, self.program.spare
        return c

    cdef bint note(self) except -1:
        """Keep where the cursor stands as the next start."""
        if self.known == self.room:
            room = self.room * 2 or 16
            starts = <Py_ssize_t *>PyMem_Realloc(self.starts, room * sizeof(Py_ssize_t))
            if starts == NULL:
                raise MemoryError
            self.starts, self.room = starts, room
        self.starts[self.known] = self.cursor.at - self.base()
        self.known += 1
        return True

    cdef bint reach(self, Py_ssize_t index) except -1:
        """Find where a field begins. False refuses."""
        cdef Py_ssize_t last
        if self.node.op != RECORD or not 0 <= index < self.node.count:
            raise IndexError(index)
        while self.known <= index and not self.broken:
            last = self.known - 1
            # A field with a negative slot is read once more, by the next node.
            if last < 0 or self.node.slots[last] < 0 or self.passes(self.node.nodes[last]):
                self.note()
        return self.known > index

    cdef bint passes(self, Node *node) noexcept:
        """Move behind a value. Where that fails, what follows is never looked at again: the
        cursor stands in the middle of something.
        """
        if not skip_avro(&self.cursor, node, False):
            self.broken = True
        return not self.broken

    def field(self, Py_ssize_t index):
        """The value or part of a field; ``NotImplemented`` where the kernel refuses it."""
        if not self.reach(index):
            return refused_or_raised()
        return self.at(self.node.nodes[index], self.starts[index])

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
            c = self.cursor_at(self.starts[at], self.depth + 1)
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
        return self.known

    cdef bint step(self) except -1:
        """Pass over one more item, or to the next block. False refuses."""
        cdef Py_ssize_t index
        if self.broken:
            return False
        if self.left == 0:
            self.broken = (self.stop != NULL and self.stop != self.cursor.at) or not read_block(
                &self.cursor, self.node, &self.left, &self.stop
            )
            self.ended = not self.broken and self.left == 0
            return not self.broken
        self.note()
        for index in range(self.node.count):
            if not self.passes(self.node.nodes[index]):
                return False
        self.left -= 1
        return True

    def item(self, Py_ssize_t index):
        """An item of an array, or the key of an entry of a map."""
        return self.at(self.node.nodes[0], self.starts[self.checked(index)])

    def value(self, Py_ssize_t index):
        """The value of an entry of a map."""
        if self.node.op != MAP:
            raise TypeError("only a map has entries")
        cdef Cursor c = self.cursor_at(self.starts[self.checked(index)], self.depth + 1)
        if not skip_avro(&c, self.node.nodes[0], False):
            return refused_or_raised()
        return self.at(self.node.nodes[1], c.at - self.base())

    cdef Py_ssize_t checked(self, Py_ssize_t index) except -1:
        if self.node.op == RECORD or not 0 <= index < self.known:
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
            return NotImplemented if c.depth >= c.limit else part_of(
                self.program, node, self.payload, &c
            )
        found = built(&c, node)
        if node.places and is_made(node.op):
            # A default too is a part, where it holds others.
            return found if found is NotImplemented else (<object>node.objects[0])(found)
        return found

cdef bint is_made(int op) noexcept:
    """Whether values are not as the payload has them, so that they are built whole."""
    return op in (EMPTY_LIST, EMPTY_DICT, MAKE, ASSEMBLE, TO_ITEM, FIRST_ITEM)

cdef object built(Cursor *c, Node *node):
    """The object of a node, built with the collector at rest."""
    cdef int collects = PyGC_Disable()
    cdef PyObject *found = read_avro(c, node)
    if collects:
        PyGC_Enable()
    return taken(found)

cdef Part part_of(Program program, Node *node, bytes payload, Cursor *c):
    cdef Part part = Part.__new__(Part, program, payload)
    part.node, part.cursor = node, c[0]
    part.origin = c.at - part.base()
    part.depth = c.depth
    part.cursor.depth = c.depth + 1
    return part

cdef bint is_in_parts(Program program) noexcept:
    """Whether the root is a record that can be looked at field by field."""
    return program.format == AVRO and program.root.op == RECORD

def part_of_payload(Program program not None, bytes payload not None):
    """The root record of a payload; ``NotImplemented`` where it is of another format,
    or is assembled of more than fields."""
    return Part(program, payload) if is_in_parts(program) else NotImplemented
