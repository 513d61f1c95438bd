# Looks for the records of a state that keep residue, and the way to each.

cdef extern from "Python.h":
    int PyType_IsSubtype(PyTypeObject *, PyTypeObject *)

cdef class Shape:
    """Where the attributes of a class of records are: by name, and by offset if it is plain."""

    cdef tuple names
    cdef Py_ssize_t *offsets

    def __cinit__(self, cls):
        self.names = cls.__struct_fields__
        found = slots_of(cls, self.names)
        if found is None:
            return
        self.offsets = <Py_ssize_t *>zeroed(len(self.names), sizeof(Py_ssize_t))
        for at, offset in enumerate(found):
            self.offsets[at] = offset

    def __dealloc__(self):
        PyMem_Free(self.offsets)

    cdef object get(self, record, Py_ssize_t at):
        """The attribute of this index of a record of the class; ``None`` where it is not set."""
        cdef PyObject *held
        if self.offsets != NULL:
            held = slot_at(<PyObject *>record, self.offsets[at])[0]
            return None if held == NULL else <object>held
        return getattr(record, self.names[at], None)

cdef object SHAPES = weakref.WeakKeyDictionary()

cdef object shape_of(cls, base):
    """The shape of a class; ``None`` where its objects are no records."""
    if not PyType_IsSubtype(<PyTypeObject *><PyObject *>cls, <PyTypeObject *><PyObject *>base):
        return None
    return shape_for(cls)

cdef Shape shape_for(cls):
    """The shape of a class of records, which is made once."""
    found = SHAPES.get(cls)
    if found is None:
        found = SHAPES[cls] = Shape(cls)
    return <Shape>found

cdef object shape_in(dict shapes, cls, base):
    """The same, of a class that may have been met before."""
    found = shapes.get(cls, shapes)
    if found is shapes:
        found = shapes[cls] = shape_of(cls, base)
    return found

cdef class Carriers:
    """A walk over a state. ``shapes`` are those of each class that was met, and ``None`` for
    one that is no record. ``way`` leads to where the walk is, and is ``None`` where
    nobody asks for it.
    """

    cdef list found
    cdef list way
    cdef dict shapes
    cdef object base

    cdef int note(self, record, residue) except -1:
        """There is a record that has residue."""
        if self.way is None:
            self.found.append((record, residue))
        else:
            self.found.append((tuple(self.way), record, residue))
        return 0

    cdef bint look(self, value, Py_ssize_t room) except -1:
        """Looks at a value and all within it; False where it nests too deep."""
        cls = type(value)
        if cls is list:
            return room > 0 and self.items(<list>value, room - 1)
        if cls is dict:
            return room > 0 and self.entries(<dict>value, room - 1)
        shape = shape_in(self.shapes, cls, self.base)
        return shape is None or (room > 0 and self.record(value, <Shape>shape, room - 1))

    cdef bint record(self, value, Shape shape, Py_ssize_t room) except -1:
        cdef PyObject *residue = slot_at(<PyObject *>value, RESIDUE_AT)[0]
        cdef Py_ssize_t at
        if residue != NULL:
            self.note(value, <object>residue)
        for at in range(len(shape.names)):
            inside = shape.get(value, at)
            if not is_leaf(inside) and not self.step(shape.names[at], inside, room):
                return False
        return True

    cdef bint items(self, list values, Py_ssize_t room) except -1:
        cdef Py_ssize_t index = 0
        while index < len(values):
            value = values[index]
            if not is_leaf(value) and not self.step(index, value, room):
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
        cdef bint done
        if self.way is None:
            return self.look(value, room)
        self.way.append(step)
        done = self.look(value, room)
        self.way.pop()
        return done

cdef inline bint is_leaf(value) noexcept:
    """Whether a value is one of those that most are, and hold nothing."""
    return type(value) is str or type(value) is int or type(value) is bool or value is None

cdef Carriers carriers(base):
    """A walk that finds records of class ``base`` and their residue, without the way there."""
    cdef Carriers walk = Carriers()
    walk.found, walk.shapes, walk.base = [], {}, base
    return walk

def carriers_of(state, base, Py_ssize_t depth):
    """The records of class ``base`` with residue, as ``instar.codec.residue.carriers`` gives
    them with repeats; ``None`` for a state that nests deeper than ``depth``.

    ``base`` is the class that has the slot for residue right behind its header.
    """
    cdef Carriers walk = carriers(base)
    walk.way = []
    return walk.found if walk.look(state, depth) else None

def has_carriers(state, base, Py_ssize_t depth):
    """Whether there is any; ``None`` for a state that nests deeper than ``depth``."""
    cdef Carriers walk = carriers(base)
    return bool(walk.found) if walk.look(state, depth) else None
