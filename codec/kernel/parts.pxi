# Parts of a payload that are looked at one by one: where each begins is found by passing over
# what stands before it, and is kept.

cdef class Part:
    """A record, an array or a map that stands in an Avro payload, not yet built."""

    cdef Program program
    cdef Node *node
    cdef object payload         # the bytes, whole: keeps them alive
    cdef Py_ssize_t origin      # where the part begins
    cdef Py_ssize_t depth       # of the part itself
    cdef Cursor cursor          # behind the last start that is known
    cdef Py_ssize_t *starts     # of the fields, or of the items; of a map, of the entries
    cdef Py_ssize_t known       # how many starts are
    cdef Py_ssize_t room
    cdef Py_ssize_t left        # items of the current block that are not passed yet
    cdef const uint8_t *stop    # where the current block says to end
    cdef bint ended

    def __init__(self):
        raise TypeError("a part is found in a blob")

    def __dealloc__(self):
        PyMem_Free(self.starts)

    @property
    def kind(self):
        """``record``, ``list`` or ``map``."""
        return "record" if self.node.op == RECORD else "list" if self.node.op == ARRAY else "map"

    @property
    def names(self):
        """The index of each field of a record, by attribute."""
        return <object>self.node.names

    cdef const uint8_t *base(self):
        return <const uint8_t *>PyBytes_AS_STRING(<PyObject *>self.payload)

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

    def field(self, Py_ssize_t index):
        """The value or part of a field; ``NotImplemented`` where the kernel refuses it."""
        if self.node.op != RECORD or not 0 <= index < self.node.count:
            raise IndexError(index)
        cdef Cursor before
        while self.known <= index:
            last = self.known - 1
            before = self.cursor
            if last >= 0 and self.node.slots[last] >= 0 and not skip_avro(
                &self.cursor, self.node.nodes[last], False
            ):
                self.cursor = before  # or it would go on in the middle when asked again
                return refused_or_raised()
            self.note()
        return self.at(self.node.nodes[index], self.starts[index])

    def values(self, tuple names):
        """The values of fields of a record; ``NotImplemented`` where one is no plain value."""
        if self.node.op != RECORD:
            return NotImplemented
        indexes = <dict>self.node.names
        found = []
        for name in names:
            index = indexes.get(name)
            value = NotImplemented if index is None else self.field(index)
            if value is NotImplemented or isinstance(value, Part):
                return NotImplemented
            found.append(value)
        return tuple(found)

    def count(self):
        """How many items or entries there are; ``NotImplemented`` where the kernel refuses."""
        if self.node.op not in (ARRAY, MAP):
            raise TypeError("a record has fields")
        cdef Cursor before
        while not self.ended:
            before, known = self.cursor, self.known
            if not self.step():
                self.cursor, self.known = before, known
                return refused_or_raised()
        return self.known

    cdef bint step(self) except -1:
        """Pass over one more item, or to the next block. False refuses."""
        cdef Py_ssize_t index
        if self.left == 0:
            if self.stop != NULL and self.stop != self.cursor.at:
                return False
            if not read_block(&self.cursor, self.node, &self.left, &self.stop):
                return False
            self.ended = self.left == 0
            return True
        self.note()
        for index in range(self.node.count):
            if not skip_avro(&self.cursor, self.node.nodes[index], False):
                return False
        self.left -= 1
        return True

    def item(self, Py_ssize_t index):
        """An item of an array, or the key of an entry of a map."""
        return self.at(self.node.nodes[0], self.starts[self.checked(index)])

    def value(self, Py_ssize_t index):
        """The value of an entry of a map."""
        cdef Cursor c = self.cursor
        if self.node.op != MAP:
            raise TypeError("only a map has entries")
        c.at = self.base() + self.starts[self.checked(index)]
        if not skip_avro(&c, self.node.nodes[0], False):
            return refused_or_raised()
        return self.at(self.node.nodes[1], c.at - self.base())

    cdef Py_ssize_t checked(self, Py_ssize_t index) except -1:
        if self.node.op == RECORD or not 0 <= index < self.known:
            raise IndexError(index)
        return index

    def hydrate(self):
        """The object of the whole part; ``NotImplemented`` where the kernel refuses it."""
        cdef Cursor c = self.cursor
        c.at, c.depth, c.spare = self.base() + self.origin, self.depth, self.program.spare
        return built(&c, self.node)

    cdef object at(self, Node *node, Py_ssize_t start):
        """What a node says stands there: a part, or a value."""
        cdef Cursor c = self.cursor
        cdef int64_t number
        c.at, c.depth, c.spare = self.base() + start, self.depth + 1, self.program.spare
        while node.op == OPTIONAL or node.op == UNION:
            if not read_long(&c, &number) or not 0 <= number < (
                2 if node.op == OPTIONAL else node.count
            ):
                return NotImplemented
            if node.op == OPTIONAL and number == node.size:
                return None
            node = node.nodes[0 if node.op == OPTIONAL else number]
        if node.op == RECORD or node.op == ARRAY or node.op == MAP:
            if c.depth >= c.limit:
                return NotImplemented
            return part_of(self.program, node, self.payload, &c)
        return built(&c, node)

cdef object built(Cursor *c, Node *node):
    """The object of a node, built with the collector at rest."""
    cdef int collects = PyGC_Disable()
    cdef PyObject *found = read_avro(c, node)
    if collects:
        PyGC_Enable()
    return taken(found)

cdef Part part_of(Program program, Node *node, object payload, Cursor *c):
    cdef Part part = Part.__new__(Part)
    part.program, part.node, part.payload = program, node, payload
    part.cursor = c[0]
    part.origin = c.at - part.base()
    part.depth = c.depth
    part.cursor.depth = c.depth + 1
    return part
