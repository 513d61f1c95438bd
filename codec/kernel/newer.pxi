# A state of a newer version beside what it became in an older one, record by record: what has to
# be kept is written as tokens, and what was kept is laid over what an older state became.
#
# See `instar.codec.newer.beside`, which says what stands for what; what is rare is called there.

cdef class Field:
    """A field of a newer record that a token may have.

    ``opening`` is how an entry of its value begins, up to what it is made of. ``given`` is what it
    upgrades to where it is made of nothing (``is_given``). ``kind`` is the op of a scalar that is
    read here, or 0.
    """

    cdef str attribute
    cdef bytes opening
    cdef object given
    cdef bint is_given
    cdef bint is_made
    cdef int kind
    cdef bint is_optional
    cdef object slot
    cdef object read
    cdef object digest

    def __init__(self, attribute, opening, is_given, given, is_made, kind, is_optional, *rest):
        self.attribute, self.opening = attribute, opening
        self.is_given, self.given, self.is_made = is_given, given, is_made
        self.kind, self.is_optional = kind, is_optional
        self.slot, self.read, self.digest = rest

cdef class Pairing:
    """A newer record and the one that stands for it. ``opening`` is how its token begins, up to
    its entries; ``inner`` are the attributes of both that hold others, each a ``Within``.
    """

    cdef object old
    cdef bytes opening
    cdef tuple lossy
    cdef tuple known
    cdef tuple inner
    cdef object again

    def __init__(self, old, opening, lossy, known, inner, again):
        self.old, self.opening, self.lossy, self.known = old, opening, lossy, known
        self.inner, self.again = inner, again

cdef class Within:
    """An attribute of two records that stand for each other, which has others in it. ``is_lossy``
    says whether something may be lost there.
    """

    cdef Shape new
    cdef Py_ssize_t new_at
    cdef Shape old
    cdef Py_ssize_t old_at
    cdef bint is_lossy

    def __init__(self, new, new_name, old, old_name, is_lossy):
        self.new, self.new_at = shape_for(new), new.__struct_fields__.index(new_name)
        self.old, self.old_at = shape_for(old), old.__struct_fields__.index(old_name)
        self.is_lossy = is_lossy

cdef bytes ENTRY_END = b"\x90\x90\x90"
cdef bytes TOKEN_END = b"\xc4\x00\xc2"
cdef bytes NO_CHECK = b"\xc4\x00"

cdef bint are_same_floats(list before, list after) noexcept:
    """Whether two lists have nothing but floats, and the same: NaN is NaN, and the zeros differ."""
    cdef double one, other
    if len(before) != len(after):
        return False
    for index in range(len(before)):
        if not PyFloat_CheckExact(PyList_GET_ITEM(<PyObject *>before, index)):
            return False
        if not PyFloat_CheckExact(PyList_GET_ITEM(<PyObject *>after, index)):
            return False
        one = PyFloat_AS_DOUBLE(PyList_GET_ITEM(<PyObject *>before, index))
        other = PyFloat_AS_DOUBLE(PyList_GET_ITEM(<PyObject *>after, index))
        if memcmp(&one, &other, sizeof(double)) != 0 and (one == one or other == other):
            return False
    return True

cdef inline int alike(before, after) noexcept:
    """Whether two values are one; -1 where only Python can tell."""
    if before is after:
        return 1
    if type(before) is list and type(after) is list:
        return 1 if are_same_floats(<list>before, <list>after) else -1
    if not is_leaf(before):
        return -1
    if type(before) is not type(after):
        return 0 if is_leaf(after) else -1
    if type(before) is str:
        return (<str>before) == (<str>after)
    if type(before) is int:
        return before == after
    return 0  # There is one true, one false and one null.

cdef class Beside:
    """Two versions. ``pairings`` are by the class of the newer record, ``mark`` is how the
    token of each begins, ``of_field`` gives the entries of a field, encoded.
    """

    cdef object base
    cdef dict pairings
    cdef bytes mark
    cdef object of_field
    cdef Py_ssize_t depth

    def __init__(self, base, pairings, mark, of_field, depth):
        self.base, self.pairings, self.mark = base, pairings, mark
        self.of_field, self.depth = of_field, depth

    def lower(self, new, old):
        """Gives the records of ``old`` tokens of what ``new`` had, and their size in bytes.

        The collector pauses, as it does while records are made.
        """
        cdef int collects = PyGC_Disable()
        try:
            return self.keep_all(new, old, Pad(), self.depth)
        finally:
            if collects:
                PyGC_Enable()

    cdef Py_ssize_t keep_all(self, new, old, Pad pad, Py_ssize_t room) except -1:
        cdef Pairing pairing = self.pairings[type(new)]
        cdef Py_ssize_t size = 0
        if room < 1:
            raise RecursionError
        if type(old) is not pairing.old:
            raise TypeError("another record stands for it")
        if pairing.lossy:
            size = self.keep(new, old, pairing, pad)
        for each in pairing.inner:
            within = <Within>each
            if within.is_lossy:
                ours = within.new.get(new, within.new_at)
                size += self.keep_in(ours, within.old.get(old, within.old_at), pad, room - 1)
        return size

    cdef Py_ssize_t keep_in(self, new, old, Pad pad, Py_ssize_t room) except -1:
        """The same of all records in two values."""
        cdef Py_ssize_t size = 0, at = 0
        if is_leaf(new) or not self.holds(new):
            return 0
        if room < 1:
            raise RecursionError
        if type(new) is list:
            if type(old) is not list or len(<list>new) != len(<list>old):
                raise ValueError("the lists are not alike")
            while at < len(<list>new) and at < len(<list>old):
                size += self.keep_in((<list>new)[at], (<list>old)[at], pad, room - 1)
                at += 1
        elif type(new) is dict:
            for key, value in (<dict>new).items():
                size += self.keep_in(value, old[key], pad, room - 1)
        else:
            size = self.keep_all(new, old, pad, room)
        return size

    cdef Py_ssize_t keep(self, new, old, Pairing pairing, Pad pad) except -1:
        cdef Py_ssize_t count = 0
        cdef Field field
        cdef object again = None
        pad.b.size = 0
        for each in pairing.lossy:
            field = <Field>each
            before = getattr(new, field.attribute)
            if field.is_given:
                after = field.given
            else:
                if again is None:
                    again = pairing.again(old)
                after = again[field.attribute]
            if field.is_made or alike(before, after) != 1:
                count += self.put_field(&pad.b, field, before, after, old)
        return self.put_token(&pad.b, old, pairing, count) if count else 0

    cdef Py_ssize_t put_field(self, Buffer *b, Field field, before, after, old) except -1:
        """Writes the entries of a field, and says how many."""
        cdef Py_ssize_t start = b.size
        if field.is_given and alike(before, after) == 0:
            if put_object(b, field.opening) and put_object(b, NO_CHECK):
                if put_leaf(b, before) and put_object(b, ENTRY_END):
                    return 1
            PyErr_Clear()
            b.size = start
        found = self.of_field(field.slot, before, after, old)
        for entry in <list?>found:
            if not put_object(b, <bytes?>entry):
                raise MemoryError
        return len(<list>found)

    cdef Py_ssize_t put_token(self, Buffer *b, old, Pairing pairing, Py_ssize_t count) except -1:
        """Gives a record the token of so many entries, which are in the buffer."""
        cdef Py_ssize_t entries = b.size, token
        cdef Py_ssize_t opening = len(pairing.opening)
        cdef const uint8_t *start
        # Its head is written behind the entries, and then all is brought in order.
        if not pack_head(b, count, 0x90, 15, 0, 0xDC):
            raise MemoryError
        token = opening + b.size + len(TOKEN_END)
        count = b.size - entries
        if not put_varint(b, TOKEN_TAG) or not put_varint(b, token):
            raise MemoryError
        start = b.data + entries
        cdef Py_ssize_t before = b.size - entries - count
        cdef PyObject *made = PyBytes_FromStringAndSize(NULL, before + token)
        if made == NULL:
            raise MemoryError
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(made)
        memcpy(out, start + count, before)
        memcpy(out + before, <const char *>pairing.opening, opening)
        memcpy(out + before + opening, start, count)
        memcpy(out + before + opening + count, b.data, entries)
        memcpy(out + before + token - len(TOKEN_END), <const char *>TOKEN_END, len(TOKEN_END))
        put_residue(<PyObject *>old, made)
        Py_DECREF(made)
        return token

    def raise_(self, old, new):
        """Lays over ``new``, which ``old`` became, what the tokens of ``old`` have. Gives what is
        left for Python: older record, newer one and residue; ``None`` where that is all.
        """
        cdef int collects = PyGC_Disable()
        try:
            return self.raise_each(old, new)
        finally:
            if collects:
                PyGC_Enable()

    cdef object raise_each(self, old, new):
        cdef list found = [], left = []
        cdef Carriers walk = carriers(self.base)
        cdef Cursor c
        if not self.gather(old, new, found, self.depth) or not found:
            return None
        if not walk.look(old, self.depth) or len(walk.found) != len(found):
            return None
        for _, _, _, residue in found:
            if type(residue) is not bytes or not lone_token(residue, &c):
                return None
            if not pass_bytes(&c, self.mark):
                return None
        for pairing, before, after, residue in found:
            if not restore(<Pairing>pairing, before, after, <bytes>residue):
                left.append((before, after, residue))
        return left

    cdef bint gather(self, old, new, list found, Py_ssize_t room) except -1:
        """Finds the records of both that have residue; False where they are not alike."""
        pairing = self.pairings.get(type(new))
        if pairing is None or type(old) is not (<Pairing>pairing).old or room < 1:
            return False
        if slot_at(<PyObject *>old, RESIDUE_AT)[0] != NULL:
            residue = <object>slot_at(<PyObject *>old, RESIDUE_AT)[0]
            found.append((pairing, old, new, residue))
        for each in (<Pairing>pairing).inner:
            within = <Within>each
            theirs = within.old.get(old, within.old_at)
            if not self.gather_in(theirs, within.new.get(new, within.new_at), found, room - 1):
                return False
        return True

    cdef bint gather_in(self, old, new, list found, Py_ssize_t room) except -1:
        cdef Py_ssize_t at = 0
        if is_leaf(old) or not self.holds(old):
            return True
        if room < 1:
            return False
        if type(old) is list:
            if type(new) is not list or len(<list>new) != len(<list>old):
                return False
            while at < len(<list>new) and at < len(<list>old):
                if not self.gather_in((<list>old)[at], (<list>new)[at], found, room - 1):
                    return False
                at += 1
        elif type(old) is dict:
            if type(new) is not dict:
                return False
            for key, value in (<dict>old).items():
                other = (<dict>new).get(key, NotImplemented)
                if other is NotImplemented or not self.gather_in(value, other, found, room - 1):
                    return False
        else:
            return self.gather(old, new, found, room)
        return True

    cdef inline bint holds(self, value) noexcept:
        """Whether there may be records in a value."""
        return type(value) is list or type(value) is dict or is_record(value, self.base)

cdef bint restore(Pairing pairing, old, new, bytes residue) except -1:
    """Sets the fields that a token has; False where Python has to do all of it again."""
    cdef Cursor c
    cdef Py_ssize_t count
    if not lone_token(residue, &c) or not pass_bytes(&c, pairing.opening):
        return False
    if not take_count(&c, 0x90, 0xDC, &count):
        return False
    for _ in range(count):
        if not restore_entry(&c, pairing, old, new):
            return False
    return is_last(&c)

cdef bint restore_entry(Cursor *c, Pairing pairing, old, new) except -1:
    cdef Field field = None
    cdef Py_ssize_t size
    cdef bint holds = True
    for each in pairing.known:
        if pass_bytes(c, (<Field>each).opening):
            field = <Field>each
            break
    if field is None or not pass_binary(c, &size):
        return False
    if size:
        if size != DIGEST_SIZE:
            return False
        holds = is_digest(field.digest(old), c.at - size)
    value = stored(c, field)
    if value is NotImplemented or not pass_end(c):
        return False
    if holds:
        setattr(new, field.attribute, value)
    return True

cdef object stored(Cursor *c, Field field):
    """The value that stands in an entry; ``NotImplemented`` where it is none."""
    cdef const uint8_t *start = c.at
    cdef uint64_t magnitude
    cdef bint negative
    cdef Py_ssize_t size
    if field.is_optional and pass_byte(c, 0xC0):
        return None
    if field.kind == STRING:
        if not take_text(c, &size):
            return NotImplemented
        c.at += size
        return taken_or_not(PyUnicode_DecodeUTF8(<const char *>c.at - size, size, NULL))
    if field.kind == BOOLEAN:
        if pass_byte(c, 0xC3):
            return True
        return False if pass_byte(c, 0xC2) else NotImplemented
    if field.kind:
        if not take_integer(c, &magnitude, &negative):
            return NotImplemented
        if not in_range(field.kind, magnitude, negative):
            return NotImplemented
        return taken_or_not(signed_number(magnitude, negative))
    if not pass_value(c):
        return NotImplemented
    return field.read(start[:c.at - start])
