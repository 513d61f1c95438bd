# Looks for the records of a state that keep residue, and the way to each.

cdef class Carriers:
    """A walk over a state. ``names`` has the attributes of each class that was met."""

    cdef list way
    cdef list found
    cdef dict names
    cdef object base

    cdef bint look(self, value, Py_ssize_t room) except -1:
        """Looks at a value and all within it; False where it nests too deep."""
        if type(value) is list:
            return self.items(<list>value, room - 1)
        if type(value) is dict:
            return self.entries(<dict>value, room - 1)
        if isinstance(value, self.base):
            return self.record(value, room - 1)
        return True

    cdef bint record(self, value, Py_ssize_t room) except -1:
        if room < 0:
            return False
        cdef PyObject *residue = slot_at(<PyObject *>value, RESIDUE_AT)[0]
        if residue != NULL:
            self.found.append((tuple(self.way), value, <object>residue))
        names = self.names.get(type(value))
        if names is None:
            names = self.names[type(value)] = type(value).__struct_fields__
        for name in <tuple>names:
            if not self.step(name, getattr(value, <str>name, None), room):
                return False
        return True

    cdef bint items(self, list values, Py_ssize_t room) except -1:
        if room < 0:
            return False
        cdef Py_ssize_t index = 0
        while index < len(values):
            if not self.step(index, values[index], room):
                return False
            index += 1
        return True

    cdef bint entries(self, dict values, Py_ssize_t room) except -1:
        if room < 0:
            return False
        for key, value in values.items():
            if not self.step((key,), value, room):
                return False
        return True

    cdef inline bint step(self, step, value, Py_ssize_t room) except -1:
        """Looks at what is one step further. Most values hold nothing, and need no way."""
        if type(value) is str or type(value) is int or value is None:
            return True
        self.way.append(step)
        if not self.look(value, room):
            return False
        self.way.pop()
        return True

def carriers_of(state, base, Py_ssize_t depth):
    """The records of class ``base`` with residue, as ``instar.codec.residue.carriers`` gives
    them with repeats; ``None`` for a state that nests deeper than ``depth``.

    ``base`` is the class that has the slot for residue right behind its header.
    """
    cdef Carriers walk = Carriers()
    walk.way, walk.found, walk.names, walk.base = [], [], {}, base
    return walk.found if walk.look(state, depth) else None
