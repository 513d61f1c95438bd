# Passes over values of an Avro payload to find where others begin. It looks at no more than that
# takes, lengths, counts and branches, so that what is not asked for costs little: text may be no
# UTF-8, and a symbol none. `avro_skip.pxi` is for what has to be sound.
#
# Each node has its steps in a row, and one loop runs them for all items of a block. A value
# mostly takes as many bytes as the one before it in its place, and a processor that guesses so
# goes on before it has read the length: hence `mark` and `size`.

cdef enum:
    PASS_END
    PASS_SIZED          # bytes behind their length
    PASS_NUMBER
    PASS_FIXED          # `size` bytes
    PASS_OPTIONAL
    PASS_UNION
    PASS_INTO           # the steps of `node`
    PASS_BLOCKS
    PASS_NUMBERS        # blocks of numbers
    PASSES = 16         # steps that are interrupted by others, before memory is asked of the stack

cdef struct Pass:
    int op
    uint64_t mark       # what said that the last value took `size` bytes
    Py_ssize_t size
    Node *node

cdef extern from *:
    """
    /* The lowest byte that ends a number, as its highest bit, of the eight that stand at `at`;
       0 where none of them does. */
    static inline uint64_t instar_stop(const unsigned char *at)
    {
    #if PY_LITTLE_ENDIAN && defined(__GNUC__)
        uint64_t word;
        memcpy(&word, at, 8);
        word = ~word & 0x8080808080808080ULL;
        return word & (0 - word);
    #else
        return 0;
    #endif
    }
    static inline int instar_stop_size(uint64_t stop)
    {
    #if defined(__GNUC__)
        return (__builtin_ctzll(stop) >> 3) + 1;
    #else
        return 0;
    #endif
    }
    """
    uint64_t stop_of "instar_stop" (const uint8_t *) noexcept
    int size_of_stop "instar_stop_size" (uint64_t) noexcept

cdef inline bint pass_avro(Cursor *c, Node *node) noexcept:
    """Moves behind a value."""
    return pass_all(c, node.passes, 1, NULL, NULL)

cdef bint pass_all(
    Cursor *c, Pass *first, Py_ssize_t count, Py_ssize_t *starts, const uint8_t *base
) noexcept:
    """Moves behind so many values. ``starts``, if any, are filled with where each of them
    begins behind ``base``.
    """
    cdef Pass *back[PASSES]
    cdef int level = 0
    cdef Pass *step
    cdef const uint8_t *at = c.at
    cdef const uint8_t *end = c.end
    cdef uint64_t mark
    cdef Py_ssize_t size
    for index in range(count):
        if starts != NULL:
            starts[index] = at - base
        step = first
        while True:
            if step.op == PASS_SIZED:
                if end - at < 2 or (at[0] & at[1]) >> 7:
                    if not slow_sized(c, &at):
                        return False
                else:
                    # Both bytes as they are: a length may be written longer than it need be.
                    mark = at[0] | (<uint64_t>at[1] << 8 & (0 - <uint64_t>(at[0] >> 7)))
                    if mark != step.mark:
                        step.mark = mark
                        step.size = 1 + (at[0] >> 7) + half_of_short(mark)
                    size = step.size
                    if mark & 1 or end - at < size:
                        return False
                    at += size
            elif step.op == PASS_NUMBER:
                mark = stop_of(at) if end - at >= 8 else 0
                if mark == 0:
                    if not slow_number(c, &at):
                        return False
                else:
                    if mark != step.mark:
                        step.mark, step.size = mark, size_of_stop(mark)
                    at += step.size
            elif step.op == PASS_UNION or step.op == PASS_OPTIONAL:
                if not choose(c, &at, &step, back, &level):
                    return False
                continue
            elif step.op == PASS_FIXED:
                if end - at < step.size:
                    return False
                at += step.size
            elif step.op == PASS_INTO:
                if not into(c, &at, &step, step.node, back, &level):
                    return False
                continue
            elif step.op == PASS_END:
                if level == 0:
                    break
                level -= 1
                step = back[level]
                continue
            else:
                c.at = at
                if not pass_blocks(c, step):
                    return False
                at = c.at
            step += 1
    c.at = at
    return True

cdef inline Py_ssize_t half_of_short(uint64_t mark) noexcept:
    """The length that two bytes say, the first in the lowest place; it is not negative."""
    return <Py_ssize_t>((mark & 0x7F | mark >> 8 << 7) >> 1)

cdef bint slow_sized(Cursor *c, const uint8_t **at) noexcept:
    cdef Py_ssize_t size
    c.at = at[0]
    if not read_size(c, &size):
        return False
    at[0] = c.at + size
    return True

cdef bint slow_number(Cursor *c, const uint8_t **at) noexcept:
    cdef uint64_t number
    c.at = at[0]
    if not read_varint(c, &number):
        return False
    at[0] = c.at
    return True

cdef inline bint choose(
    Cursor *c, const uint8_t **at, Pass **step, Pass **back, int *level
) noexcept:
    """Goes on with the steps of the branch that is there."""
    cdef int64_t number
    cdef Node *node = step[0].node
    if at[0] < c.end and at[0][0] < 0x80:
        number = at[0][0] >> 1 if not at[0][0] & 1 else -1
        at[0] += 1
    else:
        c.at = at[0]
        if not read_long(c, &number):
            return False
        at[0] = c.at
    if step[0].op == PASS_UNION:
        if not 0 <= number < node.count:
            return False
        return into(c, at, step, node.nodes[number], back, level)
    if number == node.size:
        step[0] += 1
        return True
    return 0 <= number <= 1 and into(c, at, step, node.nodes[0], back, level)

cdef inline bint into(
    Cursor *c, const uint8_t **at, Pass **step, Node *node, Pass **back, int *level
) noexcept:
    """Goes on with the steps of another node, and then with those that follow."""
    if level[0] == PASSES:
        c.at = at[0]
        # From here on the stack of C is used, which the limit of depth protects.
        if not enter(c) or not pass_avro(c, node):
            return False
        c.depth -= 1
        at[0] = c.at
        step[0] += 1
        return True
    back[level[0]] = step[0] + 1
    level[0] += 1
    step[0] = node.passes
    return True

cdef bint pass_blocks(Cursor *c, Pass *step) noexcept:
    """Moves behind an array or a map; where a block says its size, in one step."""
    cdef Py_ssize_t count = 0
    cdef const uint8_t *stop
    if step.op == PASS_NUMBERS:
        return count_numbers(c, step.node, &count)
    if not enter(c):
        return False
    while read_block(c, step.node, &count, &stop):
        if count == 0:
            c.depth -= 1
            return True
        if stop != NULL:
            c.at = stop
        elif not pass_all(c, items_of(step.node), count, NULL, NULL):
            return False
    return False

cdef enum:
    BEFORE_ITEMS = 2    # steps of an array or a map itself

cdef inline Pass *items_of(Node *node) noexcept:
    """The steps of an item, or of an entry."""
    return node.passes + BEFORE_ITEMS

cdef int add_passes(Program program) except -1:
    """Gives each node its steps. The root is the last, and says that all of them have some."""
    for index in range(program.count):
        if &program.nodes[index] != program.root:
            give_passes(&program.nodes[index])
    give_passes(program.root)
    return 0

cdef int give_passes(Node *node) except -1:
    if node.passes == NULL:
        # The last is the end, and all of them are that at first.
        node.passes = <Pass *>zeroed(node.count + BEFORE_ITEMS + 2, sizeof(Pass))
        fill_passes(node)
    return 0

cdef void fill_passes(Node *node) noexcept:
    cdef Pass *step = node.passes
    if node.op == RECORD or node.op == SCRATCH:
        for index in range(node.count):
            if node.slots[index] >= 0:
                step = put_pass(step, node.nodes[index])
        return
    put_pass(step, node)
    if node.op == ARRAY or node.op == MAP:
        step = items_of(node)
        for index in range(node.count):
            step = put_pass(step, node.nodes[index])

cdef Pass *put_pass(Pass *step, Node *node) noexcept:
    """Puts the step of a value, if it takes any bytes. Gives the place behind."""
    if node.least == 0:
        return step
    while node.op in (CALL, BOX, NEVER, TO_ITEM, FIRST_ITEM, ASSEMBLE):
        node = node.nodes[0]
    step.op, step.node = pass_of(node.op), node
    step.size = node.least if step.op == PASS_FIXED else 0
    # Marks of nothing that can stand there.
    step.mark = 1 if step.op == PASS_SIZED else 0
    return step + 1

cdef int pass_of(int op) noexcept:
    if op in (STRING, UUID_TEXT, BYTES, JSON, DECIMAL):
        return PASS_SIZED
    if op in (LONG, UINT32, UINT64, TIMESTAMP, LOCAL_TIMESTAMP, DURATION, INT, DATE, TIME, ENUM):
        return PASS_NUMBER
    if op == CARRIED:
        return PASS_NUMBER
    if op == RECORD or op == SCRATCH:
        return PASS_INTO
    if op == OPTIONAL:
        return PASS_OPTIONAL
    if op == UNION:
        return PASS_UNION
    if op == ARRAY or op == MAP:
        return PASS_BLOCKS
    return PASS_NUMBERS if op == VECTOR else PASS_FIXED
