# Vectors: numbers of one size, between the blocks of a payload and an ``array.array`` by one
# copy each.

cdef PyTypeObject *ARRAY_CLASS = <PyTypeObject *>array.array

cdef extern from *:
    """
    /* Numbers of `each` bytes, the lowest first in the payload, and as the machine has them. */
    static inline void instar_copy_numbers(
        void *to, const void *from, Py_ssize_t size, Py_ssize_t each)
    {
    #if PY_LITTLE_ENDIAN
        (void)each;
        memcpy(to, from, size);
    #else
        for (Py_ssize_t at = 0; at < size; at += each)
            for (Py_ssize_t place = 0; place < each; place++)
                ((char *)to)[at + place] = ((const char *)from)[at + each - 1 - place];
    #endif
    }
    """
    void copy_numbers "instar_copy_numbers" (void *, const void *, Py_ssize_t, Py_ssize_t) noexcept

cdef PyObject *new_vector(Node *node, Py_ssize_t count, Py_buffer *view) noexcept:
    """A vector of so many numbers, and its memory, which whoever fills it releases."""
    cdef PyObject *made = PySequence_Repeat(node.object, count)
    if made != NULL and PyObject_GetBuffer(made, view, PyBUF_WRITABLE) < 0:
        Py_DECREF(made)
        return NULL
    return made

cdef bint open_vector(Node *node, PyObject *value, Py_buffer *view) noexcept:
    """The memory of a vector of the node's numbers; False for anything else."""
    if Py_TYPE(value) != ARRAY_CLASS:
        return False
    if PyObject_GetBuffer(value, view, PyBUF_FORMAT) < 0:
        return False
    if view.format != NULL and view.format[0] == node.extra and view.itemsize == node.size:
        return True
    PyBuffer_Release(view)
    return False

cdef PyObject *vector_of(Node *node, const uint8_t *at, Py_ssize_t size) noexcept:
    """The vector of the bytes of a payload of Protobuf."""
    cdef Py_buffer view
    if size % node.size:
        return NULL
    cdef PyObject *made = new_vector(node, size // node.size, &view)
    if made == NULL:
        return NULL
    copy_numbers(view.buf, at, size, node.size)
    if has_signal(node, <const uint8_t *>view.buf, size):
        Py_DECREF(made)
        made = NULL
    PyBuffer_Release(&view)
    return made

cdef bint has_signal(Node *node, const uint8_t *numbers, Py_ssize_t size) noexcept:
    """Whether a float of 32 bits is a signalling NaN. Protobuf's library makes a quiet one of
    it, on the way through 64 bits, so such a vector is left to it.
    """
    cdef const uint32_t *bits = <const uint32_t *>numbers
    cdef bint found = False
    if node.size != 4:
        return False
    for index in range(size // 4):
        found |= (bits[index] & 0x7FC00000) == 0x7F800000 and (bits[index] & 0x3FFFFF) != 0
    return found

cdef bint count_numbers(Cursor *c, Node *node, Py_ssize_t *total) noexcept:
    """Passes over the blocks of numbers, and says how many there are."""
    cdef Py_ssize_t count = 0
    cdef const uint8_t *stop
    total[0] = 0
    if not enter(c):
        return False
    while read_block(c, node, &count, &stop):
        if count == 0:
            c.depth -= 1
            return True
        # As many bytes are there: that bounds the count.
        c.at += count * node.item_least
        total[0] += count
        if stop != NULL and stop != c.at:
            return False
    return False

cdef PyObject *read_vector(Cursor *c, Node *node) noexcept:
    cdef Cursor ahead = c[0]
    cdef Py_ssize_t total, size, count = 0
    cdef const uint8_t *stop
    cdef Py_buffer view
    if not count_numbers(&ahead, node, &total):
        return NULL
    cdef PyObject *made = new_vector(node, total, &view)
    if made == NULL:
        return NULL
    cdef char *out = <char *>view.buf
    while read_block(c, node, &count, &stop) and count:
        size = count * node.size
        copy_numbers(out, c.at, size, node.size)
        out += size
        c.at += size
    PyBuffer_Release(&view)
    return made

cdef bint write_vector(Buffer *b, Node *node, PyObject *value) noexcept:
    """One block of all numbers, and the end."""
    cdef Py_buffer view
    if not deeper(b) or not open_vector(node, value, &view):
        return False
    cdef bint done = view.len == 0 or put_long(b, view.len // node.size)
    done = done and ensure(b, view.len + 1)
    if done:
        copy_numbers(b.data + b.size, view.buf, view.len, node.size)
        b.size += view.len
        b.data[b.size] = 0
        b.size += 1
    PyBuffer_Release(&view)
    b.depth -= 1
    return done
