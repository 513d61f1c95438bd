# The order in which upb writes the entries of a map where it is asked to be deterministic:
# whole numbers and booleans from the largest down, compared without their sign; texts from the
# smallest up, by their bytes, but what goes on comes before what ends.

cdef extern from "stdlib.h":
    void qsort(void *, size_t, size_t, int (*)(const void *, const void *) noexcept) noexcept

cdef enum:
    FEW_ENTRIES = 24        # are sorted on the stack

cdef struct Entry:
    uint64_t rank           # orders entries, but for texts that are alike in eight bytes
    PyObject *key           # held, as the value is
    PyObject *value

cdef struct Entries:
    Entry few[FEW_ENTRIES]
    Entry *all
    Py_ssize_t count

cdef inline uint64_t rank_of_text(PyObject *text) noexcept:
    """The first eight bytes of a text in ASCII; its end ranks above any byte."""
    cdef uint64_t rank = 0
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    cdef uint8_t *at = PyUnicode_1BYTE_DATA(text)
    for index in range(8):
        rank = rank << 8 | (at[index] if index < size else <uint8_t>0xFF)
    return rank

cdef int compare_texts(PyObject *left, PyObject *right) noexcept:
    """By code points, which have the order of their bytes in UTF-8."""
    cdef Py_ssize_t left_size = PyUnicode_GET_LENGTH(left)
    cdef Py_ssize_t right_size = PyUnicode_GET_LENGTH(right)
    cdef int left_kind = PyUnicode_KIND(left), right_kind = PyUnicode_KIND(right)
    cdef void *left_data = PyUnicode_DATA(left)
    cdef void *right_data = PyUnicode_DATA(right)
    cdef uint32_t one, other
    for index in range(left_size if left_size < right_size else right_size):
        one = PyUnicode_READ(left_kind, left_data, index)
        other = PyUnicode_READ(right_kind, right_data, index)
        if one != other:
            return -1 if one < other else 1
    return (right_size > left_size) - (right_size < left_size)

cdef int compare_entries(const void *left, const void *right) noexcept:
    cdef Entry *one = <Entry *>left
    cdef Entry *other = <Entry *>right
    if one.rank != other.rank:
        return -1 if one.rank < other.rank else 1
    if PyUnicode_CheckExact(one.key) and PyUnicode_CheckExact(other.key):
        return compare_texts(one.key, other.key)
    return 0

cdef bint rank_entries(Entries *e, Node *key) noexcept:
    """Ranks the entries by their keys, of which each must be of the node's type."""
    cdef int64_t number
    cdef bint is_ascii_all = True
    for index in range(e.count):
        if key != NULL and key.op != STRING:
            if not number_of(key, e.all[index].key, &number):
                return False
            e.all[index].rank = ~<uint64_t>number
            continue
        if not PyUnicode_CheckExact(e.all[index].key):
            return False
        if PyUnicode_IS_COMPACT_ASCII(e.all[index].key):
            e.all[index].rank = rank_of_text(e.all[index].key)
        else:
            is_ascii_all = False
    if not is_ascii_all:
        for index in range(e.count):
            e.all[index].rank = 0
    return True

cdef bint sorted_entries(PyObject *entries, Node *key, Entries *e) noexcept:
    """The entries of a dictionary in their order. ``forget_entries`` is called in any case.

    ``key`` is the node of the keys; NULL for texts.
    """
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t count = PyDict_GET_SIZE(entries)
    e.count, e.all = 0, e.few
    if count > FEW_ENTRIES:
        e.all = <Entry *>PyMem_Malloc(count * sizeof(Entry))
        if e.all == NULL:
            e.all = e.few
            return PyErr_NoMemory() != NULL
    while e.count < count and PyDict_Next(
        entries, &place, &e.all[e.count].key, &e.all[e.count].value
    ):
        Py_INCREF(e.all[e.count].key)
        Py_INCREF(e.all[e.count].value)
        e.count += 1
    if not rank_entries(e, key):
        return False
    for index in range(1, e.count):
        if compare_entries(&e.all[index - 1], &e.all[index]) > 0:
            qsort(e.all, e.count, sizeof(Entry), compare_entries)
            return True
    return True

cdef void forget_entries(Entries *e) noexcept:
    for index in range(e.count):
        Py_DECREF(e.all[index].key)
        Py_DECREF(e.all[index].value)
    if e.all != e.few:
        PyMem_Free(e.all)
