# Records: allocated, and their slots written in place, where the class is as plain as that.

cdef extern from *:
    """
    #if PY_VERSION_HEX >= 0x030C0000
    #define INSTAR_MANAGED (Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF)
    #else
    #define INSTAR_MANAGED (Py_TPFLAGS_MANAGED_DICT)
    #endif
    """
    unsigned long INSTAR_MANAGED

cdef Py_ssize_t HEADER = sizeof(PyObject)

cdef enum:
    RESIDUE_AT = sizeof(PyObject)   # the base of all records has this one slot

cdef inline PyObject **slot_at(PyObject *record, Py_ssize_t offset) noexcept:
    return <PyObject **>(<char *>record + offset)

cdef object static_attribute(object cls, str name):
    """What a class or the first of its bases has under a name, as it stands there."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None

def slots_of(object cls, tuple names):
    """The offset of each attribute in objects of ``cls``, in bytes.

    ``None`` where an object is more than a header, the slot of its residue and these slots (a
    dictionary, weak references, other members), or a slot is not a plain one: such a class is
    not written in place.
    """
    if not isinstance(cls, type):
        return None
    cdef PyTypeObject *made = <PyTypeObject *><PyObject *>cls
    cdef PyMemberDef *member
    if made.tp_itemsize or made.tp_dictoffset or made.tp_flags & INSTAR_MANAGED:
        return None
    if not made.tp_flags & Py_TPFLAGS_HAVE_GC:
        return None
    if made.tp_basicsize != RESIDUE_AT + <Py_ssize_t>((1 + len(names)) * sizeof(PyObject *)):
        return None
    offsets = []
    for name in ("_residue", *names):
        found = static_attribute(cls, name)
        if type(found) is not types.MemberDescriptorType:
            return None
        member = (<PyMemberDescrObject *><PyObject *>found).d_member
        if member.type != T_OBJECT_EX or member.flags & READONLY:
            return None
        if not HEADER <= member.offset < made.tp_basicsize:
            return None
        offsets.append(member.offset)
    if offsets[0] != RESIDUE_AT or len(set(offsets)) != len(offsets):
        return None
    return tuple(offsets[1:])

cdef inline bint has_residue(PyObject *record) noexcept:
    """Whether a record, whose class ``slots_of`` found plain, keeps what only the library
    engine writes.
    """
    return slot_at(record, RESIDUE_AT)[0] != NULL

cdef inline PyObject *new_record(PyTypeObject *cls) noexcept:
    """A record with empty slots that the collector does not know yet."""
    cdef PyObject *made = _PyObject_GC_New(cls)
    if made != NULL:
        memset(<char *>made + HEADER, 0, cls.tp_basicsize - HEADER)
    return made
