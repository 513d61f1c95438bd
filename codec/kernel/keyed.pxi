# What JSON and MessagePack have in common: records are objects with keys, and a value has a
# spelling that says of what kind it is. A program for one of the two reads and writes alike:
# what stands before each value of a record, its key and all, is known when it is made. Only
# that very layout, which is that of our writer, is read here; the library takes all others.

cdef enum:
    AS_MSGPACK = 3      # codes of formats
    AS_JSON = 4

cdef extern from *:
    """
    /* Whether bytes are the same, without a call where they are few. What is asked about often
       differs at its end, such as names that begin alike. */
    static inline int instar_equal(const unsigned char *a, const unsigned char *b, Py_ssize_t size)
    {
        uint64_t one, other;
        if (size >= 8) {
            memcpy(&one, a + size - 8, 8);
            memcpy(&other, b + size - 8, 8);
            return one == other && (size == 8 || !memcmp(a, b, size - 8));
        }
        if (size >= 4) {
            uint32_t first[2], last[2];
            memcpy(&first[0], a, 4);
            memcpy(&first[1], b, 4);
            memcpy(&last[0], a + size - 4, 4);
            memcpy(&last[1], b + size - 4, 4);
            return first[0] == first[1] && last[0] == last[1];
        }
        while (size--)
            if (a[size] != b[size])
                return 0;
        return 1;
    }
    """
    bint are_equal "instar_equal" (const uint8_t *, const uint8_t *, Py_ssize_t) noexcept

cdef inline bint put_held(Buffer *b, PyObject *held) noexcept:
    return put_bytes(b, PyBytes_AS_STRING(held), PyBytes_GET_SIZE(held))

cdef inline bint pass_held(Cursor *c, PyObject *held, Py_ssize_t skipped) noexcept:
    """Passes over these very bytes, but for the first few; where others stand, stays."""
    cdef Py_ssize_t size = PyBytes_GET_SIZE(held) - skipped
    cdef const uint8_t *wanted = <const uint8_t *>PyBytes_AS_STRING(held) + skipped
    if c.end - c.at < size or not are_equal(c.at, wanted, size):
        return False
    c.at += size
    return True

cdef bint write_keyed(Buffer *b, Node *node, PyObject *value) noexcept:
    """A record or a box. ``objects`` has what stands before each of its values, and the end."""
    if <PyObject *>Py_TYPE(value) != node.object or not deeper(b):
        return False
    if has_residue(value) and not b.residue:
        return False
    for index in range(node.count):
        if not put_held(b, node.objects[index]) or not write_slot(b, node, value, index):
            return False
    b.depth -= 1
    return put_held(b, node.objects[node.count])

cdef bint write_keyed_optional(Buffer *b, Node *node, PyObject *value) noexcept:
    if value == Py_None:
        return put_held(b, node.objects[0])
    return node.nodes[0].write(b, node.nodes[0], value)

cdef bint write_keyed_branch(Buffer *b, Node *node, PyObject *value) noexcept:
    cdef PyObject *cls = <PyObject *>Py_TYPE(value)
    for index in range(node.places):
        if node.objects[index] == cls:
            return node.nodes[index].write(b, node.nodes[index], value)
    return False

cdef inline PyObject *symbol_at(Node *node, Py_ssize_t index) noexcept:
    # None is no object to a node.
    return node.objects[index] if node.objects[index] != NULL else Py_None

cdef bint write_keyed_symbol(Buffer *b, Node *node, PyObject *value) noexcept:
    """One of ``size`` objects, which stand before their spellings: members, true and false, null."""
    for index in range(node.size):
        if symbol_at(node, index) == value:
            return put_held(b, node.objects[node.size + index])
    return False

cdef bint write_spelled(Buffer *b, Node *node, PyObject *value) noexcept:
    """What the Python function ``object`` gives for a value: its bytes, checked."""
    # What is converted may count as a level: a calendar-duration is a record in Python.
    if b.depth >= b.limit:
        return False
    cdef PyObject *raw = PyObject_CallOneArg(node.object, value)
    if raw == NULL:
        return False
    cdef bint done = PyBytes_CheckExact(raw) and put_held(b, raw)
    Py_DECREF(raw)
    return done

cdef PyObject *unspelled_by(Node *node, const uint8_t *at, Py_ssize_t size) noexcept:
    """What the Python function ``object`` makes of the bytes of a value."""
    cdef PyObject *raw = PyBytes_FromStringAndSize(<const char *>at, size)
    if raw == NULL:
        return NULL
    cdef PyObject *found = PyObject_CallOneArg(node.object, raw)
    Py_DECREF(raw)
    return found

cdef extern from *:
    """
    /* Whether an int is one digit of Python's, and its value then. */
    static inline int instar_short_int(PyObject *value, int64_t *found)
    {
    #if PY_VERSION_HEX >= 0x030C0000
        if (!PyUnstable_Long_IsCompact((PyLongObject *)value))
            return 0;
        *found = (int64_t)PyUnstable_Long_CompactValue((PyLongObject *)value);
    #else
        Py_ssize_t size = Py_SIZE(value);
        if (size < -1 || size > 1)
            return 0;
        *found = size ? size * (int64_t)((PyLongObject *)value)->ob_digit[0] : 0;
    #endif
        return 1;
    }
    """
    bint is_short_int "instar_short_int" (PyObject *, int64_t *) noexcept

cdef inline bint check_number(Node *node, PyObject *value, uint64_t *found, bint *negative) noexcept:
    """The magnitude of an integer that is in the range of the node's op."""
    cdef int overflow = 0
    cdef int64_t number
    if not PyLong_CheckExact(value):
        return False
    if not is_short_int(value, &number):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        if overflow < 0 or node.op != UINT64:
            return False
        found[0] = PyLong_AsUnsignedLongLong(value)
        negative[0] = False
        if found[0] == <uint64_t>-1 and PyErr_Occurred() != NULL:
            PyErr_Clear()
            return False
        return True
    negative[0] = number < 0
    found[0] = 0 - <uint64_t>number if number < 0 else <uint64_t>number
    return in_range(node.op, found[0], negative[0])

cdef inline bint in_range(int op, uint64_t magnitude, bint negative) noexcept:
    """Whether an integer is one of the op's."""
    if op == LONG:
        return magnitude <= <uint64_t>INT64_MAX + negative
    if op == INT:
        return magnitude <= <uint64_t>0x7FFFFFFF + negative
    if negative:
        return False
    return op == UINT64 or magnitude <= 0xFFFFFFFFULL

cdef inline PyObject *signed_number(uint64_t magnitude, bint negative) noexcept:
    if negative:
        return PyLong_FromLongLong(<int64_t>(0 - magnitude))
    return PyLong_FromUnsignedLongLong(magnitude)

cdef inline bint is_narrow(double number) noexcept:
    """Whether a float of 32 bits has room for a number, which is NaN or infinite or neither."""
    cdef float narrow = <float>number
    return number - number != 0 or narrow - narrow == 0

cdef inline PyObject *float_in(Node *node, double number) noexcept:
    """A number as a float of the node, if it is one."""
    if node.op == FLOAT:
        if not is_narrow(number):
            return NULL
        if node.size:
            number = <float>number
    return PyFloat_FromDouble(number)

cdef inline const uint8_t *bytes_of_text(PyObject *text, Py_ssize_t *size) noexcept:
    """The UTF-8 of a text of this very class; NULL where it has none. Text that is not ASCII
    keeps it for the next time, as it does with msgspec.
    """
    cdef const uint8_t *found
    if not PyUnicode_CheckExact(text):
        return NULL
    if PyUnicode_IS_COMPACT_ASCII(text):
        size[0] = PyUnicode_GET_LENGTH(text)
        return PyUnicode_1BYTE_DATA(text)
    found = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, size)
    if found == NULL:
        PyErr_Clear()
    return found
