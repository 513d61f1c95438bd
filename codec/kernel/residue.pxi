# Residue: given to records by the way to each, and what of it holds whatever an edit changed.
#
# A token is read only as our own encoder lays it out, with names in ASCII. All else, and all that
# is wrong, is left to Python, which also words it.

cdef enum:
    TOKEN_TAG = 19173 << 3 | 2      # of `instar.codec.newer.token`, with the wire type of bytes
    TOKEN_ITEMS = 0x96              # a list of six, as a token is
    ENTRY_ITEMS = 0x98              # and of eight, as an entry is
    NO_ITEMS = 0x90
    DIGEST_SIZE = 8
    DEEPEST_STORED = 100            # levels that a stored value may nest
    MOST_DIGESTS = 256              # that are kept: their sources come from blobs

cdef inline bint lone_token(bytes residue, Cursor *c) noexcept:
    """Whether residue is one token and nothing else; the cursor then is over its bytes, which
    live as long as ``residue`` does.
    """
    cdef uint64_t tag
    cdef Py_ssize_t size
    c.at = <const uint8_t *>PyBytes_AS_STRING(<PyObject *>residue)
    c.end = c.at + PyBytes_GET_SIZE(<PyObject *>residue)
    if not read_shortest(c, &tag) or tag != TOKEN_TAG or not read_length(c, &size):
        return False
    return size == c.end - c.at

cdef inline bint pass_bytes(Cursor *c, bytes wanted) noexcept:
    """Passes over bytes if they are the wanted ones."""
    cdef Py_ssize_t size = PyBytes_GET_SIZE(<PyObject *>wanted)
    if size > c.end - c.at or memcmp(c.at, PyBytes_AS_STRING(<PyObject *>wanted), size) != 0:
        return False
    c.at += size
    return True

cdef inline bint pass_byte(Cursor *c, int wanted) noexcept:
    if c.at >= c.end or c.at[0] != wanted:
        return False
    c.at += 1
    return True

cdef inline bint pass_binary(Cursor *c, Py_ssize_t *size) noexcept:
    """Passes over bytes of MessagePack; ``size`` of them end where the cursor is then."""
    if not take_head(c, 0, -1, 0xC4, 0xC5, size) or size[0] > c.end - c.at:
        return False
    c.at += size[0]
    return True

cdef inline bint pass_name(Cursor *c) noexcept:
    """Passes over a text of ASCII."""
    cdef Py_ssize_t size
    if not take_text(c, &size) or not is_ascii(c.at, size):
        return False
    c.at += size
    return True

cdef bint pass_names(Cursor *c) noexcept:
    cdef Py_ssize_t count
    if not take_count(c, 0x90, 0xDC, &count):
        return False
    for _ in range(count):
        if not pass_name(c):
            return False
    return True

cdef bint pass_sources(Cursor *c) noexcept:
    cdef Py_ssize_t count
    if not take_count(c, 0x90, 0xDC, &count):
        return False
    for _ in range(count):
        if not pass_names(c):
            return False
    return True

cdef inline bint pass_value(Cursor *c) noexcept:
    """Passes over a value that a field may have: a timestamp, or what JSON has too."""
    cdef Py_ssize_t left = c.end - c.at
    cdef Py_ssize_t size = 0
    if left >= 3 and c.at[1] == 0xFF and c.at[0] == 0xD6:
        size = 6
    elif left >= 3 and c.at[1] == 0xFF and c.at[0] == 0xD7:
        size = 10
    elif left >= 3 and c.at[2] == 0xFF and c.at[0] == 0xC7 and c.at[1] == 12:
        size = 15
    elif skip_msgpack(c, DEEPEST_STORED):
        return True
    else:
        PyErr_Clear()  # Text that is no UTF-8; Python says so where that matters.
        return False
    if left < size:
        return False
    c.at += size
    return True

cdef inline bint pass_end(Cursor *c) noexcept:
    """Passes over the end of an entry that has no places, residue or guards."""
    return pass_byte(c, NO_ITEMS) and pass_byte(c, NO_ITEMS) and pass_byte(c, NO_ITEMS)

cdef inline bint is_last(Cursor *c) noexcept:
    """Whether a token ends with no token in it, and is not settled."""
    return c.end - c.at == 3 and c.at[0] == 0xC4 and c.at[1] == 0 and c.at[2] == 0xC2

cdef class Pad:
    """A buffer, freed with the object."""

    cdef Buffer b

    def __dealloc__(self):
        PyMem_Free(self.b.data)

cdef inline bint put_object(Buffer *b, bytes data) noexcept:
    return put_bytes(b, PyBytes_AS_STRING(<PyObject *>data), PyBytes_GET_SIZE(<PyObject *>data))

cdef bint put_leaf(Buffer *b, value) noexcept:
    """Writes a value that :func:`is_leaf` found to be one."""
    cdef uint64_t magnitude
    cdef bint negative
    if value is None:
        return put_byte(b, 0xC0)
    if type(value) is bool:
        return put_byte(b, 0xC3 if value is True else 0xC2)
    if type(value) is str:
        return pack_any_text(b, <PyObject *>value)
    return take_long(<PyObject *>value, &magnitude, &negative) and pack_integer(
        b, magnitude, negative
    )

cdef bint take_long(PyObject *value, uint64_t *magnitude, bint *negative) noexcept:
    """An integer of 64 bits with a sign."""
    cdef int overflow = 0
    cdef long long number = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        return False
    negative[0] = number < 0
    magnitude[0] = 0 - <uint64_t>number if number < 0 else <uint64_t>number
    return True

cdef class Holding:
    """Tells which records have residue that has to be looked at: what edits may have overtaken.

    ``taker`` gives, for a class and the sources of an entry as they are stored, a function from
    a record to the digest of what they lead to, or ``None``.
    """

    cdef object base
    cdef object taker
    cdef dict digests

    def __init__(self, base, taker):
        """``base`` is the class that has the slot for residue right behind its header."""
        self.base, self.taker, self.digests = base, taker, {}

    def doubtful(self, state, Py_ssize_t depth):
        """The records whose residue may not hold, or not read; ``None`` for a state that nests
        deeper than ``depth``.
        """
        cdef Carriers walk = carriers(self.base)
        if not walk.look(state, depth):
            return None
        return [each for each in walk.found if not self.holds(each[0], each[1])]

    cdef bint holds(self, record, residue) except -1:
        cdef Cursor c
        cdef uint64_t number
        cdef bint negative
        cdef Py_ssize_t count
        if type(residue) is not bytes or not lone_token(residue, &c):
            return False
        if not pass_byte(&c, TOKEN_ITEMS) or not take_integer(&c, &number, &negative):
            return False
        if not take_integer(&c, &number, &negative) or not pass_name(&c):
            return False
        if not take_count(&c, 0x90, 0xDC, &count):
            return False
        for _ in range(count):
            if not self.entry_holds(&c, record):
                return False
        return is_last(&c)

    cdef bint entry_holds(self, Cursor *c, record) except -1:
        """Whether an entry is a value that is made of what it was made of."""
        cdef Py_ssize_t size
        cdef const uint8_t *sources
        cdef const uint8_t *check
        if not pass_byte(c, ENTRY_ITEMS) or not pass_names(c):
            return False
        if not pass_byte(c, 0xA1) or not pass_byte(c, c"v"):
            return False
        sources = c.at
        if not pass_sources(c):
            return False
        check = c.at
        if not pass_binary(c, &size) or (size != 0 and size != DIGEST_SIZE):
            return False
        if size and not self.is_same(record, sources, check - sources, c.at - size):
            return False
        return pass_value(c) and pass_end(c)

    cdef bint is_same(
        self, record, const uint8_t *sources, Py_ssize_t size, const uint8_t *check
    ) except -1:
        """Whether a digest is that of what the sources lead to now."""
        key = (type(record), sources[:size])
        take = self.digests.get(key, self)
        if take is self:
            if len(self.digests) >= MOST_DIGESTS:
                self.digests.clear()
            take = self.digests[key] = self.taker(*key)
        return take is not None and is_digest(take(record), check)

cdef inline bint is_digest(found, const uint8_t *check) noexcept:
    """Whether a digest is the one that stands at ``check``."""
    if type(found) is not bytes or PyBytes_GET_SIZE(<PyObject *>found) != DIGEST_SIZE:
        return False
    return memcmp(PyBytes_AS_STRING(<PyObject *>found), check, DIGEST_SIZE) == 0

cdef class Section(Carriers):
    """A walk that writes the section of a state: each way and residue."""

    cdef Pad pad
    cdef Py_ssize_t count
    cdef Py_ssize_t size        # bytes of residue

    cdef int note(self, record, residue) except -1:
        cdef Buffer *b = &self.pad.b
        cdef bytes data = <bytes?>residue
        cdef Py_ssize_t size = len(data)
        if not pack_head(b, 2, 0x90, 15, 0, 0xDC) or not put_way(b, self.way):
            raise MemoryError
        if not pack_head(b, size, 0, -1, 0xC4, 0xC5) or not put_object(b, data):
            raise MemoryError
        self.count += 1
        self.size += size
        return 0

cdef bint put_way(Buffer *b, list way) except -1:
    if not pack_head(b, len(way), 0x90, 15, 0, 0xDC):
        return False
    for step in way:
        if type(step) is tuple:
            if not put_byte(b, 0x91):
                return False
            step = (<tuple>step)[0]
        if not is_leaf(step) or not put_leaf(b, step):
            raise TypeError("a step of this kind has no form")
    return True

def section_of(state, base, Py_ssize_t depth):
    """The entries of a state as ``instar.codec.library.residue_section`` writes them: how many
    there are, the bytes of residue in them, the head of the list, and the rest. ``None`` for a
    state that nests deeper than ``depth``.
    """
    cdef Section walk = Section()
    cdef Py_ssize_t entries
    walk.shapes, walk.base, walk.way, walk.pad = {}, base, [], Pad()
    if not walk.look(state, depth):
        return None
    cdef Buffer *b = &walk.pad.b
    entries = b.size
    if not pack_head(b, walk.count, 0x90, 15, 0, 0xDC):
        raise MemoryError
    head = taken(PyBytes_FromStringAndSize(<char *>b.data + entries, b.size - entries))
    rest = taken(PyBytes_FromStringAndSize(<char *>b.data, entries))
    return walk.count, walk.size, head, rest

def attach_section(state, bytes section, base):
    """Gives the records of ``state`` the residue of a section, and says how many bytes that is;
    ``None`` where Python has to do it again, or to refuse it.
    """
    cdef Cursor c
    cdef Py_ssize_t count, size, total = 0
    cdef dict shapes = {}
    c.at = <const uint8_t *>PyBytes_AS_STRING(<PyObject *>section)
    c.end = c.at + len(section)
    if not take_count(&c, 0x90, 0xDC, &count):
        return None
    for _ in range(count):
        place = pass_way(&c, state, shapes, base) if pass_byte(&c, 0x92) else NotImplemented
        if not is_record(place, base) or not pass_binary(&c, &size):
            return None
        residue = taken(PyBytes_FromStringAndSize(<const char *>c.at - size, size))
        if not is_lone_token(<bytes>residue):
            return None
        put_residue(<PyObject *>place, <PyObject *>residue)
        total += size
    return total if c.at == c.end else None

cdef bint is_lone_token(bytes residue) noexcept:
    cdef Cursor c
    return lone_token(residue, &c)

cdef inline bint is_text(Cursor *c) noexcept:
    """Whether a text begins here, be all of it there or not."""
    return c.at < c.end and (0xA0 <= c.at[0] <= 0xBF or 0xD9 <= c.at[0] <= 0xDB)

cdef object pass_way(Cursor *c, place, dict shapes, base):
    """What a way leads to; ``NotImplemented`` where it leads nowhere."""
    cdef Py_ssize_t count, size
    cdef uint64_t number
    cdef bint negative
    if not take_count(c, 0x90, 0xDC, &count):
        return NotImplemented
    for _ in range(count):
        if is_text(c):
            if not take_text(c, &size):
                return NotImplemented
            c.at += size
            place = named(shape_in(shapes, type(place), base), place, c.at - size, size)
        elif pass_byte(c, 0x91):
            key = pass_key(c)
            if type(place) is not dict or key is NotImplemented:
                return NotImplemented
            place = (<dict>place).get(key, NotImplemented)
        elif take_integer(c, &number, &negative) and type(place) is list and not negative:
            if number >= <uint64_t>len(<list>place):
                return NotImplemented
            place = (<list>place)[<Py_ssize_t>number]
        else:
            return NotImplemented
    return place

cdef object named(found, place, const uint8_t *name, Py_ssize_t size):
    """The attribute of this name of a record that has the shape."""
    cdef Shape shape
    cdef Py_ssize_t length
    cdef const uint8_t *known
    if found is None:
        return NotImplemented
    shape = <Shape>found
    for at in range(len(shape.names)):
        known = bytes_of_text(<PyObject *>shape.names[at], &length)
        if known != NULL and length == size and memcmp(known, name, size) == 0:
            return shape.get(place, at)
    return NotImplemented

cdef object pass_key(Cursor *c):
    """The key of a map: a text, a number, true or false."""
    cdef Py_ssize_t size
    cdef uint64_t magnitude
    cdef bint negative
    if is_text(c):
        if not take_text(c, &size):
            return NotImplemented
        c.at += size
        return taken_or_not(PyUnicode_DecodeUTF8(<const char *>c.at - size, size, NULL))
    if pass_byte(c, 0xC3):
        return True
    if pass_byte(c, 0xC2):
        return False
    if take_integer(c, &magnitude, &negative) and in_range(LONG, magnitude, negative):
        return taken_or_not(signed_number(magnitude, negative))
    return NotImplemented

cdef inline bint is_record(value, base) noexcept:
    return PyType_IsSubtype(Py_TYPE(<PyObject *>value), <PyTypeObject *><PyObject *>base)

cdef inline void put_residue(PyObject *record, PyObject *residue) noexcept:
    """Gives a record residue in the place of what it has."""
    cdef PyObject *before = slot_at(record, RESIDUE_AT)[0]
    Py_INCREF(residue)
    slot_at(record, RESIDUE_AT)[0] = residue
    Py_XDECREF(before)

cdef object taken_or_not(PyObject *made):
    if made == NULL:
        PyErr_Clear()
        return NotImplemented
    return taken(made)
