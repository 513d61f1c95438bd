# Looks for the records of a state that keep residue, and the way to each.

cdef extern from "Python.h":
    int PyType_IsSubtype(PyTypeObject *, PyTypeObject *)
    PyObject *PyObject_GetAttr(PyObject *, PyObject *) noexcept

cdef class Carriers:
    """A walk over a state. ``names`` has the attributes of each class that was met, and
    ``None`` for one that is no record. Ways are noted on the way back, from their end, if
    ``has_ways`` says that they are wanted.
    """

    cdef list found
    cdef bint has_ways
    cdef dict names
    cdef object base

    cdef bint look(self, value, Py_ssize_t room) except -1:
        """Looks at a value and all within it; False where it nests too deep."""
        cls = type(value)
        if cls is list:
            return room > 0 and self.items(<list>value, room - 1)
        if cls is dict:
            return room > 0 and self.entries(<dict>value, room - 1)
        names = self.names.get(cls, self)
        if names is self:
            names = self.names[cls] = self.names_of(cls)
        return names is None or (room > 0 and self.record(value, <tuple>names, room - 1))

    cdef object names_of(self, cls):
        if PyType_IsSubtype(<PyTypeObject *>cls, <PyTypeObject *>self.base):
            return cls.__struct_fields__
        return None

    cdef bint record(self, value, tuple names, Py_ssize_t room) except -1:
        cdef PyObject *residue = slot_at(<PyObject *>value, RESIDUE_AT)[0]
        cdef PyObject *held
        cdef bint done
        if residue != NULL and self.has_ways:
            self.found.append(([], value, <object>residue))
        elif residue != NULL:
            self.found.append((value, <object>residue))
        for name in names:
            held = PyObject_GetAttr(<PyObject *>value, <PyObject *>name)
            if held == NULL:
                PyErr_Clear()  # an attribute that is not set
                continue
            done = self.step(name, <object>held, room)
            Py_DECREF(held)
            if not done:
                return False
        return True

    cdef bint items(self, list values, Py_ssize_t room) except -1:
        cdef Py_ssize_t index = 0
        while index < len(values):
            if not self.step(index, values[index], room):
                return False
            index += 1
        return True

    cdef bint entries(self, dict values, Py_ssize_t room) except -1:
        for key, value in values.items():
            if not is_leaf(value) and not self.step((key,), value, room):
                return False
        return True

    cdef inline bint step(self, object step, value, Py_ssize_t room) except -1:
        """Looks at what is one step further."""
        cdef Py_ssize_t before = len(self.found)
        if is_leaf(value):
            return True
        if not self.look(value, room):
            return False
        if not self.has_ways:
            return True
        for index in range(before, len(self.found)):
            (<list>(<tuple>self.found[index])[0]).append(step)
        return True

cdef inline bint is_leaf(value):
    """Whether a value is one of those that most are, and hold nothing."""
    return type(value) is str or type(value) is int or type(value) is bool or value is None

cdef Carriers carriers(base, bint has_ways):
    cdef Carriers walk = Carriers()
    walk.found, walk.names, walk.base, walk.has_ways = [], {}, base, has_ways
    return walk

def carriers_of(state, base, Py_ssize_t depth):
    """The records of class ``base`` with residue, as ``instar.codec.residue.carriers`` gives
    them with repeats; ``None`` for a state that nests deeper than ``depth``.

    ``base`` is the class that has the slot for residue right behind its header.
    """
    cdef Carriers walk = carriers(base, True)
    if not walk.look(state, depth):
        return None
    return [(tuple(reversed(way)), record, residue) for way, record, residue in walk.found]
