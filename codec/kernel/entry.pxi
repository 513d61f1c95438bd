# What Python calls: programs run on payloads and on whole blobs.

# Where the stack of Python ends, the long way says so in words.
_REFUSALS = (ValueMismatch, ComputeError, UnicodeDecodeError, RecursionError)
cdef PyObject *REFUSALS = <PyObject *>_REFUSALS

cdef object refused_or_raised():
    """``NotImplemented`` where the input was refused; any other exception goes on."""
    if PyErr_Occurred() != NULL:
        if not PyErr_ExceptionMatches(REFUSALS):
            raise_current()
        PyErr_Clear()
    return NotImplemented

cdef extern from *:
    """
    static int instar_raise(void) { return -1; }
    """
    int raise_current "instar_raise" () except -1

cdef object run(
    Program program,
    const uint8_t *at,
    Py_ssize_t size,
    Py_ssize_t skipped,
    Py_ssize_t residue,
    PyObject *carried,
):
    """The object of a payload, or ``NotImplemented`` where the kernel refuses it. Its first
    ``skipped`` bytes are another's, in JSON. There may be tokens of ``residue`` bytes in it, and
    values in the list ``carried``, unless that is NULL.

    The collector pauses: it would visit objects that are not finished, again and again.
    """
    cdef Cursor c
    cdef PyObject *found
    c.at, c.end, c.depth, c.limit = at + skipped, at + size, 0, program.depth
    c.spare, c.residue, c.scratch, c.carried = program.spare, residue, NULL, carried
    cdef int collects = PyGC_Disable()
    if skipped:
        found = read_keyed_root(&c, program.root, skipped)
    else:
        found = read_payload(program, &c)
    if found != NULL and c.at != c.end:
        Py_DECREF(found)
        found = NULL
    if collects:
        PyGC_Enable()
    return taken(found)

cdef object taken(PyObject *found):
    """The object, which the caller gives up; ``NotImplemented`` where it was refused."""
    if found == NULL:
        return refused_or_raised()
    result = <object>found
    Py_DECREF(found)
    return result

cdef inline PyObject *read_payload(Program program, Cursor *c) noexcept:
    cdef Node *root = program.root
    if program.format == PROTOBUF:
        if root.op == ASSEMBLE:
            return assembled_of_fields(c, root, 0)
        return read_record_of(c, root, 0)
    return read_avro(c, program.root)

cdef class Decoder:
    """Reads whole blobs of the writers it has programs for."""

    cdef list _programs
    cdef list _marks
    cdef list _texts
    cdef Py_ssize_t _largest

    def __init__(self, Py_ssize_t largest):
        """``largest`` is the size up to which a blob is read, in bytes."""
        self._programs = []
        self._marks = []
        self._texts = []
        self._largest = largest

    def add(self, int code, uint64_t version, uint64_t fingerprint, object decode not None):
        """Read blobs of this format, version and fingerprint with ``decode``: a program, or a
        function of the payload.
        """
        mark = Mark(code, version, fingerprint)
        # At once, so that two threads do not put one's mark beside the other's program.
        self._programs.append(decode)
        self._marks.append(mark)

    def add_text(self, bytes opening not None, Program program not None):
        """Read JSON blobs that begin with ``opening``, up to the digits of the sum."""
        if program.format != AS_JSON or not is_opening(opening):
            raise ValueError("no opening of a program of JSON")
        self._texts.append((opening, program))

    def decode(self, blob):
        """The state of a blob; ``NotImplemented`` for any that is not as plain as can be."""
        cdef Cursor c
        cdef PyObject *payload
        cdef PyObject *found = NULL
        decode = self.open(blob, True, &c)
        if decode is None:
            return self.decode_text(blob)
        if type(decode) is Program:
            return run(<Program>decode, c.at, c.end - c.at, 0, 0, NULL)
        payload = PyBytes_FromStringAndSize(<const char *>c.at, c.end - c.at)
        if payload != NULL:
            found = PyObject_CallOneArg(<PyObject *>decode, payload)
            Py_DECREF(payload)
        return taken(found)

    cdef object decode_text(self, object blob):
        """The same for JSON."""
        cdef const uint8_t *data
        cdef Py_ssize_t at, size
        if not PyBytes_CheckExact(<PyObject *>blob):
            return NotImplemented
        data = <const uint8_t *>PyBytes_AS_STRING(<PyObject *>blob)
        size = PyBytes_GET_SIZE(<PyObject *>blob)
        if size > self._largest:
            return NotImplemented
        for opening, program in self._texts:
            at = text_start(data, size, <bytes>opening)
            if at:
                # The comma behind the tag is there for the brace of the payload.
                return run(<Program>program, data + at, size - at, 1, 0, NULL)
        return NotImplemented

    def part(self, blob, bint verify):
        """The root record of a blob, to be looked at field by field; ``NotImplemented`` as
        with ``decode``. The checksum is compared if ``verify`` says so.
        """
        cdef Cursor c
        decode = self.open(blob, verify, &c)
        if type(decode) is not Program or not is_in_parts(<Program>decode):
            return NotImplemented
        c.depth, c.limit, c.spare = 0, (<Program>decode).depth, (<Program>decode).spare
        c.residue, c.scratch, c.carried = 0, NULL, NULL
        return root_part(<Program>decode, blob, &c)

    cdef object open(self, object blob, bint verify, Cursor *c):
        """What decodes a blob, and where its payload is; ``None`` where there is nothing."""
        cdef Head head
        cdef Mark mark
        if not PyBytes_CheckExact(<PyObject *>blob):
            return None
        cdef const uint8_t *data = <const uint8_t *>PyBytes_AS_STRING(<PyObject *>blob)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(<PyObject *>blob)
        if size > self._largest or not read_head(data, size, verify, &head):
            return None
        for index in range(len(self._marks)):
            mark = <Mark>self._marks[index]
            if (
                mark.fingerprint == head.fingerprint
                and mark.version == head.version
                and mark.format == head.format
            ):
                c.at, c.end = data + head.stop, data + size
                return self._programs[index]
        return None

cdef class Mark:
    """What the tag of a blob has to say to be read by a program."""

    cdef uint8_t format
    cdef uint64_t version
    cdef uint64_t fingerprint

    def __init__(self, int format, uint64_t version, uint64_t fingerprint):
        self.format, self.version, self.fingerprint = format, version, fingerprint

def framed(
    int code, uint64_t version, uint64_t fingerprint, bytes payload not None, Py_ssize_t largest
):
    """A payload behind its tag; ``NotImplemented`` for a blob of more than ``largest`` bytes."""
    cdef Head head
    head.format, head.version, head.fingerprint = code, version, fingerprint
    return blob_of(&head, <const uint8_t *>PyBytes_AS_STRING(<PyObject *>payload), len(payload),
                   largest)

cdef object blob_of(Head *head, const uint8_t *payload, Py_ssize_t written, Py_ssize_t largest):
    cdef uint8_t[LONGEST_HEAD] start
    cdef Py_ssize_t size
    if written >> 31 or head.version == 0 or head.version >> 31:
        return NotImplemented
    size = write_head(head, written, start)
    if size + 4 + written > largest:
        return NotImplemented
    put_little_endian(checksum(start, size, payload, written), 4, start + size)
    size += 4
    blob = PyBytes_FromStringAndSize_object(NULL, size + written)
    cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(<PyObject *>blob)
    memcpy(out, start, size)
    memcpy(out + size, payload, written)
    return blob

cdef bint put_head(Buffer *b, Head *head, Py_ssize_t start, Py_ssize_t largest) noexcept:
    """Puts a tag before a payload that begins at ``start``; False for a blob of more than
    ``largest`` bytes, or one whose tag cannot say this.
    """
    cdef uint8_t[LONGEST_HEAD] raw
    cdef Py_ssize_t written = b.size - start
    cdef Py_ssize_t size
    if written >> 31 or head.version == 0 or head.version >> 31:
        return False
    size = write_head(head, written, raw)
    if size + 4 + written > largest:
        return False
    if size + 4 != start:
        # The length has another number of bytes than that of the last payload.
        if not ensure(b, 4):
            return False
        memmove(b.data + size + 4, b.data + start, written)
        b.size += size + 4 - start
    memcpy(b.data, raw, size)
    put_little_endian(
        checksum(raw, size, b.data + size + 4, written), 4, b.data + size
    )
    return True

def head_of(blob):
    """What the tag of a blob says, its checksum compared: format, version, fingerprint, where
    the payload begins, its size, and the checksum. ``NotImplemented`` as with ``decode``.
    """
    cdef Head head
    if not PyBytes_CheckExact(<PyObject *>blob):
        return NotImplemented
    cdef const uint8_t *data = <const uint8_t *>PyBytes_AS_STRING(<PyObject *>blob)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(<PyObject *>blob)
    if not read_head(data, size, True, &head):
        return NotImplemented
    total = little_endian(data + head.stop - 4, 4)
    return head.format, head.version, head.fingerprint, head.stop, size - head.stop, total

def decode_payload(
    Program program not None, bytes payload not None, Py_ssize_t residue=0, list carried=None
):
    """The object of a payload; ``NotImplemented`` where the kernel refuses it. There may be
    tokens of up to ``residue`` bytes in it, and values that an encoder gave to ``carried``.
    """
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(<PyObject *>payload)
    return run(program, at, len(payload), 0, residue, list_or_null(carried))

cdef inline PyObject *list_or_null(list values) noexcept:
    return NULL if values is None else <PyObject *>values

# A buffer is kept up to this size, in bytes, between two calls.
cdef enum:
    FIRST_ROOM = 4096
    MOST_KEPT = 1048576

cdef class Encoder:
    """Writes payloads, or whole blobs, of one program."""

    cdef Program _program
    cdef Head _head
    cdef Py_ssize_t _largest
    cdef bytes _opening
    cdef Py_ssize_t _expected       # what the last blob or payload took, in bytes
    cdef uint8_t *_data
    cdef Py_ssize_t _room

    def __cinit__(
        self,
        Program program not None,
        uint64_t version,
        uint64_t fingerprint,
        Py_ssize_t largest,
        bytes opening not None=b"",
    ):
        """``largest`` is the size up to which a blob is written, in bytes, and ``opening`` how
        a blob of JSON begins, up to the digits of the sum.
        """
        self._program = program
        self._opening = opening
        self._head.format = program.format
        self._head.version = version
        self._head.fingerprint = fingerprint
        self._largest = largest

    def __dealloc__(self):
        PyMem_Free(self._data)

    def encode(self, state):
        """The blob of a state; ``NotImplemented`` where the kernel refuses it."""
        return self._write(state, True, 0, NULL)

    def payload(self, state, Py_ssize_t residue=0, list carried=None):
        """The payload alone, of a state that may have residue if ``residue`` is not 0:
        Protobuf writes tokens of up to so many bytes, and the other formats pass over it.

        ``carried`` is given the values that stand beside the payload.
        """
        return self._write(state, False, residue, list_or_null(carried))

    cdef object _write(self, state, bint tagged, Py_ssize_t residue, PyObject *carried):
        if self._program.format == PROTOBUF:
            return self._write_back(state, tagged, residue)
        return self._write_front(state, tagged, residue, carried)

    cdef object _write_front(self, state, bint tagged, Py_ssize_t residue, PyObject *carried):
        """Writes into the bytes object that is to be given, as large as the last one was."""
        cdef Buffer b
        cdef Py_ssize_t start = self._start() if tagged else 0
        if start < 0:
            return NotImplemented
        b.whole = b.room = self._expected + (self._expected >> 4) + FIRST_ROOM
        b.owner = PyBytes_FromStringAndSize(NULL, b.whole)
        if b.owner == NULL:
            return refused_or_raised()
        b.data, b.size = <uint8_t *>PyBytes_AS_STRING(b.owner), start
        b.depth, b.limit, b.messages = 0, self._program.depth, 0
        b.spare, b.residue, b.carried = self._program.spare, residue, carried
        if not write_payload(self._program, &b, <PyObject *>state):
            Py_XDECREF(b.owner)
            return refused_or_raised()
        if tagged and not self._put_tag(&b, start):
            Py_XDECREF(b.owner)
            return NotImplemented
        self._expected = b.size
        if _PyBytes_Resize(&b.owner, b.size) < 0:
            return refused_or_raised()
        return taken(b.owner)

    cdef Py_ssize_t _start(self) noexcept:
        """Where the payload begins if it is as long as the last one; negative where its tag is
        none of ours.
        """
        cdef uint8_t[LONGEST_HEAD] unused
        if self._program.format == AS_JSON:
            return text_room(self._opening)
        return write_head(&self._head, self._expected, unused) + 4

    cdef bint _put_tag(self, Buffer *b, Py_ssize_t start) noexcept:
        """Puts the tag before a payload that begins at ``start``."""
        if self._program.format == AS_JSON:
            return put_text_tag(b, self._opening, self._largest)
        return put_head(b, &self._head, start, self._largest)

    cdef object _write_back(self, state, bint tagged, Py_ssize_t residue):
        """Writes into a buffer, from its end."""
        cdef Buffer b
        # A function in Python may let another thread in, which then has a buffer of its own.
        b.data, b.room, b.whole, b.size = self._data, self._room, self._room, 0
        b.depth, b.limit, b.messages = 0, self._program.depth, 0
        b.spare, b.residue, b.owner, b.carried = self._program.spare, residue, NULL, NULL
        self._data, self._room = NULL, 0
        try:
            if not (b.room or grow(&b, FIRST_ROOM)) or not write_payload(
                self._program, &b, <PyObject *>state
            ):
                return refused_or_raised()
            if not tagged:
                return PyBytes_FromStringAndSize_object(
                    <const char *>payload_of(&b), payload_size(&b)
                )
            return blob_of(&self._head, payload_of(&b), payload_size(&b), self._largest)
        finally:
            self._keep(&b)

    cdef void _keep(self, Buffer *b) noexcept:
        if self._data == NULL and b.whole <= MOST_KEPT:
            self._data, self._room = b.data, b.whole
        else:
            PyMem_Free(b.data)

cdef extern from "Python.h":
    object PyBytes_FromStringAndSize_object "PyBytes_FromStringAndSize" (const char *, Py_ssize_t)

cdef inline const uint8_t *payload_of(Buffer *b) noexcept:
    return b.data + b.room if b.room < b.whole else b.data

cdef inline Py_ssize_t payload_size(Buffer *b) noexcept:
    """The bytes of a payload, which was written from one end alone."""
    return b.whole - b.room + b.size

cdef inline bint write_payload(Program program, Buffer *b, PyObject *state) noexcept:
    if program.format == PROTOBUF:
        return write_record_fields(b, program.root, state)
    return write_avro(b, program.root, state)
