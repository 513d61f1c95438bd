# Programs: trees of nodes, one for each type of a schema. A node says how its value is read
# (or written) and where it goes. They are built by Python code (`lower_*.py`) from plain
# tuples, and are never changed once a program runs.

cpdef enum:
    # Values that take no bytes.
    CONSTANT        # `object`, shared: null, and defaults that cannot be changed
    EMPTY_LIST      # a fresh list
    EMPTY_DICT      # a fresh dict
    MAKE            # what the callable `object` gives: any other default; to look at one of
                    # the last three in parts, or at ASSEMBLE, TO_ITEM and FIRST_ITEM, there is
                    # a callable in `objects`
    NEVER           # a value that the reader cannot express; node 0 is the writer's
    ANY             # of a check: nothing is left to be checked; of JSON and MessagePack, any
                    # value, which is passed over
    # Scalars as the wire has them.
    BOOLEAN
    INT             # 32 bits
    LONG            # 64 bits
    UINT32
    UINT64
    FLOAT           # rounded to 32 bits if `size` is not 0, where it may have more
    DOUBLE
    BYTES
    STRING
    FIXED           # `size` bytes
    ENUM            # `objects` by position; an empty place cannot be expressed
    # Scalars with a meaning.
    DATE
    TIME            # `size` microseconds to a unit
    TIMESTAMP
    LOCAL_TIMESTAMP
    DURATION
    UUID_TEXT
    UUID_BYTES
    DECIMAL         # `size` scale, `extra` precision
    JSON            # JSON text in bytes, nesting at most `size` levels
    CARRIED         # the Python value itself, which stands beside the payload; to write, node 0
                    # checks it, or else the callable `object` gives what is carried; a float is
                    # rounded to 32 bits where it is read if `size` is not 0
    CALL            # node 0, then the callable `object`; `extra` may be FLAT
    TO_ITEM         # a list of the one value of node 0; where `size` is not 0, null is none
    FIRST_ITEM      # of the list of node 0; of an empty one null where `size` is not 0
    # What is made of more than one field of the writer.
    SCRATCH         # the fields of a record, which go to the scratch; `slots` lead to its places.
                    # Of ASSEMBLE, it has `size` places; of a record inside, the value is true
    ASSEMBLE        # node 0 is the SCRATCH, whose odd slots are, but for the one, of the record;
                    # then those between run, each a FUNCTION; the last is the rest of the record
    FUNCTION        # the callable `object`; as many results as `objects`, in a tuple if `extra`,
                    # go to the scratch at `size`. The last nodes tell whether they fit, or else
                    # a callable of `objects` makes what does; the nodes before are arguments
    HELD            # the value in the scratch at `size`, taken as `extra` says; node 0, if any,
                    # is for what stands in an inner record that is null
    GATHER          # node 0, or null where all others are null
    # What holds others.
    OPTIONAL        # `size` is the branch of null, node 0 the item
    UNION           # a node for each branch
    BOX             # a record of one field around node 0
    ARRAY           # node 0; `size` bounds items that take no bytes, of all lists, or is 0
    MAP             # node 0 is the key, node 1 the value
    RECORD          # in Avro: a node for each field of the writer, `slots` where its value goes:
                    # 0 for nowhere, negative where the field is read once more after
    VECTOR          # numbers of `size` bytes as one block: node 0 is the number, `object` an
                    # array of one of them, `extra` its typecode
    # Messages of Protobuf, which has steps instead of fields in a fixed order.
    WRAP            # a message around one value, that of node 0
    TIMESTAMP_PARTS # google.protobuf.Timestamp, read in units of `size` nanoseconds
    DURATION_PARTS  # google.protobuf.Duration, the same
    JSON_VALUE      # google.protobuf.Value, nesting at most `size` levels
    JSON_STRUCT
    JSON_LIST
    # Only of JSON and MessagePack, whose records have keys: `objects` of what holds fields (to
    # read: RECORD and SCRATCH, and WRAP for a box of the writer; to write: RECORD and BOX) have
    # the bytes before each value and those of the end, of OPTIONAL those of null, which is
    # refused if `size` is not 0, and of ENUM, which true and false are too, `size` objects and
    # then the bytes of each.
    SPELLED         # the callable `object` gives a value for its bytes, or its bytes for a value;
                    # it does so too for what other ops leave

cpdef enum:
    # How Protobuf writes what a node has for a number.
    NO_NUMBER = 0
    VARINT_64
    VARINT_32       # as 64 bits, of which the upper half repeats the sign
    VARINT_U32
    ZIGZAG_64
    ZIGZAG_32
    FIXED_64
    FIXED_32
    FIXED_U32

cpdef enum:
    IMPLICIT = 1    # a zero is left out
    REQUIRED = 2    # what is not there has no value
    REPEATED = 4    # an item or an entry; node 0 is the list or the map
    PACKED = 8      # all items of a list at once, behind their length
    ALSO = 16       # a further branch of a oneof: another step says what is missing
    ONEOF = 32      # to write: branch `bit` of a oneof, or any where that is negative
    MAYBE = 64      # to write: nothing is written for None
    AGAIN = 128     # to read: the next step has the same tag

cpdef enum:
    # How a value is taken out of a scratch.
    LAST_USE = 1    # nobody takes it later
    NEEDED = 2      # null is refused
    FLAT = 4        # the collector need not know of it

cdef struct Node
cdef struct Pass

cdef struct Step:
    # A field of a message.
    uint32_t tag    # number and wire type; 0 for a field that no message has
    int flags
    Py_ssize_t bit  # to read: what marks it as seen, one for all branches of a oneof
    Py_ssize_t slot # negative for nowhere
    Node *node
    Node *inner     # to read: the list or map that `node` puts in a box, or else `node`

# What reads a value of a node, NULL where it refuses, and what writes one.
ctypedef PyObject *(*Read)(Cursor *, Node *) noexcept
ctypedef bint (*Write)(Buffer *, Node *, PyObject *) noexcept
ctypedef bint (*Skip)(Cursor *, Node *) noexcept
# The same for Protobuf, with the tag before the value.
ctypedef PyObject *(*ReadField)(Cursor *, Node *, uint32_t) noexcept
ctypedef bint (*WriteField)(Buffer *, Node *, PyObject *, uint32_t) noexcept

cdef struct Node:
    Read read
    Write write
    Skip skip
    ReadField read_field
    WriteField write_field
    int op
    int count           # of `nodes`
    Py_ssize_t size
    Py_ssize_t extra
    Py_ssize_t least        # the fewest bytes that a value takes
    Py_ssize_t item_least   # and an item of it
    Node **nodes
    Py_ssize_t *slots
    Py_ssize_t places   # of `objects`
    PyObject **objects
    int32_t *numbers    # of symbols, where a number is not the position; as many as `objects`
    PyObject *object
    PyObject *names     # of a record, the index of each attribute
    bint tracked        # whether the collector has to know of the record
    bint plain          # of a record in JSON and MessagePack: each value goes to a slot of it
    Texts *texts
    int coding
    Step *steps     # as many as `nodes`, for what is a message
    uint64_t full   # the bits of all its fields, where none of them needs more than to be read
    LastDate last
    Pass *passes    # of Avro: how to pass over a value; NULL until there is a part

# A record that must hold itself has no value at all, and its least size no bound.
cdef enum:
    MOST_LEAST = 256
    SEEN_WORDS = 7          # beyond the first
    MOST_SEEN = 512         # fields of a message whose presence is told apart

cdef class Program:
    """A tree of nodes, and whatever they refer to, kept alive."""

    cdef Node *nodes
    cdef Py_ssize_t count
    cdef Node *root
    cdef object kept
    cdef Py_ssize_t depth
    cdef Py_ssize_t spare
    cdef int format

    def __cinit__(self, int code, list specs, Py_ssize_t root, Py_ssize_t depth):
        """``code`` is what tags have for the format. ``specs`` are those of :mod:`.spec`,
        each naming others by their index, and ``root`` is the index of the first to run.
        ``depth`` bounds nesting.
        """
        if not 0 <= root < len(specs):
            raise IndexError(root)
        self.kept = list(specs)
        self.count = len(specs)
        self.depth = depth
        self.format = code
        self.nodes = <Node *>PyMem_Calloc(self.count, sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError
        for index in range(self.count):
            self._fill(&self.nodes[index], specs[index])
        self.root = &self.nodes[root]
        self._settle()

    cdef int _fill(self, Node *node, object spec) except -1:
        op, nodes, slots, objects, value, size, extra, names, coding, steps, numbers = spec
        node.op = op
        if self.format == AS_MSGPACK or self.format == AS_JSON:
            node.read = keyed_reader(op, self.format, len(objects) > 0)
            node.write = msgpack_writer(op) if self.format == AS_MSGPACK else text_writer(op)
            node.skip = keyed_skipper(self.format)
        else:
            node.read, node.write = avro_reader(op), avro_writer(op)
            node.skip = avro_skipper(op)
        node.read_field, node.write_field = proto_reader(op, coding), proto_writer(op, coding)
        node.size = size
        node.extra = extra
        node.object = <PyObject *>value
        node.names = NULL if names is None else <PyObject *>names
        node.count = len(nodes)
        node.nodes = <Node **>zeroed(len(nodes), sizeof(Node *))
        node.slots = <Py_ssize_t *>zeroed(len(nodes), sizeof(Py_ssize_t))
        node.places = len(objects)
        node.objects = <PyObject **>zeroed(len(objects), sizeof(PyObject *))
        for at, child in enumerate(nodes):
            if not 0 <= child < self.count:
                raise IndexError(child)
            node.nodes[at] = &self.nodes[<Py_ssize_t>child]
            node.slots[at] = slots[at] if slots else 0
        node.coding = coding
        self._fill_steps(node, steps)
        node.numbers = <int32_t *>zeroed(len(numbers), sizeof(int32_t))
        for at, number in enumerate(numbers):
            node.numbers[at] = number
        for at, held in enumerate(objects):
            node.objects[at] = NULL if held is None else <PyObject *>held
        node.plain = op == RECORD and is_plain(node)
        if node.op == STRING:
            node.texts = new_texts(1)
        elif node.op in (JSON, JSON_VALUE, JSON_STRUCT, JSON_LIST):
            node.texts = new_texts(2)  # of its texts, and of its keys
        return 0

    cdef int _fill_steps(self, Node *node, tuple steps) except -1:
        if steps and len(steps) != node.count:
            raise IndexError(len(steps))
        node.steps = <Step *>zeroed(len(steps), sizeof(Step))
        for at, (tag, flags, bit) in enumerate(steps):
            step = &node.steps[at]
            step.tag, step.flags, step.bit = tag, flags, bit
            if bit >= MOST_SEEN:
                raise IndexError(bit)
            step.slot, step.node = node.slots[at], node.nodes[at]
        return 0

    cdef int _settle(self) except -1:
        """What follows from the children: least sizes, and which records are tracked."""
        # A recursive record has no fixed order, so this goes on until nothing changes.
        changed = True
        while changed:
            changed = False
            for index in range(self.count):
                node = &self.nodes[index]
                least, tracked = least_size(node), holds_containers(node)
                if least != node.least or tracked != node.tracked:
                    node.least, node.tracked = least, tracked
                    changed = True
        for index in range(self.count):
            node = &self.nodes[index]
            if node.op == VECTOR:
                node.item_least = node.size
            elif node.op == ARRAY:
                node.item_least = node.nodes[0].least
                self.spare = max(self.spare, node.size)
            elif node.op == MAP:
                node.item_least = node.nodes[0].least + node.nodes[1].least
            if node.steps != NULL:
                settle_steps(node)
        return 0

    def __dealloc__(self):
        if self.nodes == NULL:
            return
        for index in range(self.count):
            node = &self.nodes[index]
            PyMem_Free(node.nodes)
            PyMem_Free(node.slots)
            PyMem_Free(node.objects)
            PyMem_Free(node.numbers)
            PyMem_Free(node.steps)
            PyMem_Free(node.passes)
            forget_texts(node.texts, 1 if node.op == STRING else 2)
        PyMem_Free(self.nodes)

cdef void *zeroed(Py_ssize_t count, size_t size) except? NULL:
    if count == 0:
        return NULL
    cdef void *found = PyMem_Calloc(count, size)
    if found == NULL:
        raise MemoryError
    return found

cdef bint is_plain(Node *node) noexcept:
    for at in range(node.count):
        if node.slots[at] <= 0:
            return False
    return node.places == node.count + 1

cdef void settle_steps(Node *node) noexcept:
    """What follows for the steps of a message from each other and from their nodes."""
    cdef bint simple = True
    for at in range(node.count):
        step = &node.steps[at]
        step.inner = within_boxes(step.node)
        if step.bit < 0:
            return  # to write
        if at + 1 < node.count and step.tag == node.steps[at + 1].tag:
            step.flags |= AGAIN
        is_boxed = step.inner != step.node and step.flags & (REPEATED | PACKED)
        if step.tag == 0 or step.bit >= 64 or is_boxed:
            simple = False
        else:
            node.full |= <uint64_t>1 << step.bit
    if not simple:
        node.full = 0

cdef Node *within_boxes(Node *node) noexcept:
    while node.op in (BOX, CALL, TO_ITEM, FIRST_ITEM):
        node = node.nodes[0]
    return node

cdef Py_ssize_t least_size(Node *node) noexcept:
    """The fewest bytes that a value takes in Avro; counts are checked against it."""
    cdef Py_ssize_t total = 0
    if node.op in (CONSTANT, EMPTY_LIST, EMPTY_DICT, MAKE, FUNCTION, HELD, GATHER):
        return 0
    if node.op == FLOAT:
        return 4
    if node.op == DOUBLE:
        return 8
    if node.op == FIXED:
        return node.size
    if node.op == UUID_BYTES:
        return 16
    if node.op in (CALL, BOX, NEVER, TO_ITEM, FIRST_ITEM, ASSEMBLE):
        return node.nodes[0].least
    if node.op == RECORD or node.op == SCRATCH:
        for at in range(node.count):
            if node.slots[at] >= 0:
                total += node.nodes[at].least
            if total > MOST_LEAST:
                return MOST_LEAST
        return total
    return 1

cdef bint holds_containers(Node *node) noexcept:
    """Whether a value may be, or hold, what takes part in reference cycles."""
    if node.op in (ARRAY, MAP, JSON, EMPTY_LIST, EMPTY_DICT, MAKE, VECTOR, BOX):
        return True
    if node.op in (CALL, HELD):
        return not node.extra & FLAT
    if node.op in (JSON_VALUE, JSON_STRUCT, JSON_LIST, TO_ITEM, FIRST_ITEM, SPELLED):
        return True
    if node.op in (OPTIONAL, UNION, WRAP):
        for at in range(node.count):
            if is_seen(node.nodes[at]):
                return True
        return False
    if node.op == RECORD:
        for at in range(node.count):
            if node.slots[at] and is_seen(node.nodes[at]):
                return True
    if node.op == ASSEMBLE:
        fields = node.nodes[0]
        for at in range(fields.count):
            if fields.slots[at] & 1 and is_seen(fields.nodes[at]):
                return True
        return node.nodes[node.count - 1].tracked
    return False

cdef inline bint is_seen(Node *node) noexcept:
    """Whether a record of such a value is shown to the collector."""
    return node.tracked or node.op in (RECORD, ASSEMBLE, GATHER)
