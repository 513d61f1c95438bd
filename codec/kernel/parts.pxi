# Parts of a payload that are looked at one by one: a record, a list or a map that is not built.
# Each format has its own way to find where what is in them stands.

cdef struct Starts:
    Py_ssize_t *at      # in the payload
    Py_ssize_t known    # how many there are
    Py_ssize_t room

cdef Py_ssize_t *more_starts(Starts *starts, Py_ssize_t count) except NULL:
    """Where so many more starts may be put, behind those that are known."""
    cdef Py_ssize_t *at
    if starts.room - starts.known < count:
        room = max(starts.room * 2, starts.known + count, 16)
        at = <Py_ssize_t *>PyMem_Realloc(starts.at, room * sizeof(Py_ssize_t))
        if at == NULL:
            raise MemoryError
        starts.at, starts.room = at, room
    return starts.at + starts.known

cdef bint note_start(Starts *starts, Py_ssize_t start) except -1:
    """Keep one more start."""
    more_starts(starts, 1)[0] = start
    starts.known += 1
    return True

cdef class Part:
    """A record, a list or a map that stands in a payload, not yet built."""

    cdef Program program
    cdef Node *node
    cdef bytes payload          # the bytes, whole: keeps them alive

    def __cinit__(self):
        if not isinstance(self, (AvroPart, MessagePart, ItemsPart)):
            raise TypeError("a part is of a payload")

    @property
    def kind(self):
        """``record``, ``list`` or ``map``."""
        return "list" if self.node.op == ARRAY else "map" if self.node.op == MAP else "record"

    @property
    def cls(self):
        """The class that a record is hydrated to."""
        return <object>self.node.object

    @property
    def names(self):
        """The index of each field of a record, by attribute."""
        return {} if self.node.names == NULL else <object>self.node.names

    cdef const uint8_t *base(self):
        return <const uint8_t *>PyBytes_AS_STRING(<PyObject *>self.payload)

cdef Cursor root_cursor(Program program, bytes payload) noexcept:
    """A cursor at the first byte of a payload."""
    cdef Cursor c
    c.at = <const uint8_t *>PyBytes_AS_STRING(<PyObject *>payload)
    c.end = c.at + PyBytes_GET_SIZE(<PyObject *>payload)
    c.depth, c.limit, c.spare, c.residue = 0, program.depth, program.spare, 0
    c.scratch = c.carried = NULL
    return c

cdef bint is_made(int op) noexcept:
    """Whether values are not as the payload has them, so that they are built whole."""
    return op in (EMPTY_LIST, EMPTY_DICT, MAKE, ASSEMBLE, TO_ITEM, FIRST_ITEM)

cdef object shown(Node *node, object found):
    """A value that was built, or the part that it is: a default too is one, where it holds
    others.
    """
    if found is NotImplemented or not node.places or not is_made(node.op):
        return found
    return (<object>node.objects[0])(found)

cdef bint is_in_parts(Program program) noexcept:
    """Whether the root is a record that can be looked at field by field."""
    return program.format in (AVRO, PROTOBUF) and program.root.op == RECORD

cdef Part root_part(Program program, bytes payload, Cursor *c):
    """The root record, which begins at the cursor."""
    if program.format == PROTOBUF:
        return message_part(program, program.root, payload, c, 0)
    return avro_part(program, program.root, payload, c)

def part_of_payload(Program program not None, bytes payload not None):
    """The root record of a payload; ``NotImplemented`` where it is assembled of more than
    fields.
    """
    cdef Cursor c = root_cursor(program, payload)
    return root_part(program, payload, &c) if is_in_parts(program) else NotImplemented
