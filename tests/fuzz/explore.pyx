# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Changes payloads and runs a decoder on them, millions of times, led by what code they reach."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy, memmove, memset


cdef enum:
    EDGES = 65536   # as in cover.c
    ROOM = 8192     # bytes of the largest payload

# What lengths, counts, indexes and numbers break on.
cdef tuple EDGY = (
    b"\x00", b"\x01", b"\x02", b"\x03", b"\x04", b"\x7f", b"\x80", b"\xff", b"\xfe\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\x0f", b"\x80\x80\x80\x80\x10", b"\x80\xda\xc4\x09", b"\x80\x00", b"\x81\x00",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00",
    b"\xed\xa0\x80", b"\xc3\xa9", b"\xf0\x9f\x98\x80", b"\xc0\x80", b'{"a":[1,2.5e3,"\\u00e9"]}',
    b"1e400", b"-0", b"[[[[[[", b"\x00\x00\xc0\x7f", b"\x12\x00",
)


cdef class Explorer:
    """Payloads of one decoder that each reach code in a way no other does."""

    cdef public list corpus
    cdef public list fruitful   # those of the corpus that were accepted
    cdef public long executions
    cdef public long accepted
    cdef object decode
    cdef object check
    cdef uint64_t random
    cdef uint8_t[EDGES] known
    cdef uint8_t *passed
    cdef uint16_t *edges
    cdef uint32_t *edge_count
    cdef uint8_t[ROOM] data
    cdef Py_ssize_t size

    def __init__(self, decode, check, list seeds, uint64_t seed, tuple places):
        """``check`` is called with whatever was new, and what came out. ``places`` are the
        addresses of the three tables of ``cover.c``.
        """
        self.decode, self.check = decode, check
        self.corpus, self.fruitful = [], []
        self.random = seed * 2654435761 + 88172645463325252
        memset(self.known, 0, EDGES)
        self.passed = <uint8_t *><uintptr_t>places[0]
        self.edges = <uint16_t *><uintptr_t>places[1]
        self.edge_count = <uint32_t *><uintptr_t>places[2]
        for payload in seeds:
            self._take(payload)
            self._execute(0)

    def explore(self, long executions, long every):
        """Run so many changed payloads. Of the accepted ones, one in ``every`` is checked
        though it is not new.
        """
        cdef long done
        cdef list source
        for done in range(executions):
            # What was accepted is the better ground: one change of it is often accepted too.
            source = self.fruitful if self.fruitful and self._below(4) else self.corpus
            self._take(source[self._below(len(source))])
            for _ in range(1 + self._below(4) * self._below(3)):
                self._change()
            self._execute(every)

    cdef Py_ssize_t _below(self, Py_ssize_t limit):
        # xorshift64, by Marsaglia
        self.random ^= self.random << 13
        self.random ^= self.random >> 7
        self.random ^= self.random << 17
        return <Py_ssize_t>((self.random >> 11) % <uint64_t>limit)

    cdef void _take(self, bytes payload):
        self.size = min(PyBytes_GET_SIZE(payload), ROOM)
        memcpy(self.data, PyBytes_AS_STRING(payload), self.size)

    cdef void _change(self):
        cdef Py_ssize_t kind = self._below(9)
        cdef Py_ssize_t at = self._below(self.size) if self.size else 0
        cdef Py_ssize_t size
        cdef bytes other
        if kind == 0 and self.size:
            self.data[at] ^= <uint8_t>(1 << self._below(8))
        elif kind == 1 and self.size:
            self.data[at] = <uint8_t>self._below(256)
        elif kind == 2 and self.size:
            self.data[at] = <uint8_t>(self.data[at] + self._below(9) - 4)
        elif kind == 3 and self.size:
            self._remove(at, 1 + self._below(min(self.size - at, 16)))
        elif kind == 4:
            self._insert(at, <bytes>EDGY[self._below(len(EDGY))])
        elif kind == 5 and self.size:
            other = <bytes>EDGY[self._below(len(EDGY))]
            size = min(PyBytes_GET_SIZE(other), self.size - at)
            memcpy(self.data + at, PyBytes_AS_STRING(other), size)
        elif kind == 6:
            # A stretch of another payload, in the middle of this one.
            other = <bytes>self.corpus[self._below(len(self.corpus))]
            size = PyBytes_GET_SIZE(other)
            if size:
                size = self._below(size)
                self._insert(at, other[size:size + 1 + self._below(64)])
        elif kind == 7:
            self._remove(at, min(self.size - at, self._below(4)))
            self._insert(at, self._number())
        elif self._below(8) == 0:
            self.size = at

    cdef bytes _number(self):
        """A varint of any length."""
        cdef uint64_t value
        cdef uint8_t[10] digits
        cdef int size = 0
        self._below(2)
        value = self.random >> self._below(64)
        while value >= 0x80:
            digits[size] = <uint8_t>(value | 0x80)
            value >>= 7
            size += 1
        digits[size] = <uint8_t>value
        return PyBytes_FromStringAndSize(<char *>digits, size + 1)

    cdef void _insert(self, Py_ssize_t at, bytes more):
        cdef Py_ssize_t size = PyBytes_GET_SIZE(more)
        if self.size + size > ROOM:
            return
        memmove(self.data + at + size, self.data + at, self.size - at)
        memcpy(self.data + at, PyBytes_AS_STRING(more), size)
        self.size += size

    cdef void _remove(self, Py_ssize_t at, Py_ssize_t size):
        memmove(self.data + at, self.data + at + size, self.size - at - size)
        self.size -= size

    cdef int _execute(self, long every) except -1:
        cdef bytes payload = PyBytes_FromStringAndSize(<char *>self.data, self.size)
        self.edge_count[0] = 0
        found = self.decode(payload)
        cdef bint accepted = found is not NotImplemented
        self.executions += 1
        self.accepted += accepted
        if self._is_new():
            self.corpus.append(payload)
            if accepted:
                self.fruitful.append(payload)
            self.check(payload, found)
        elif accepted and every and self._below(every) == 0:
            self.check(payload, found)
        # What the check itself has reached does not count.
        self._forget()
        return 0

    cdef void _forget(self):
        cdef uint32_t at
        for at in range(self.edge_count[0]):
            self.passed[self.edges[at]] = 0
        self.edge_count[0] = 0

    cdef bint _is_new(self):
        """Whether an edge was passed that never was, or by another order of times."""
        cdef uint32_t at
        cdef uint8_t times, mark
        cdef bint new = False
        for at in range(self.edge_count[0]):
            times = self.passed[self.edges[at]]
            mark = 1
            while times > 1:
                times >>= 1
                mark <<= 1
            if not self.known[self.edges[at]] & mark:
                self.known[self.edges[at]] |= mark
                new = True
        return new
