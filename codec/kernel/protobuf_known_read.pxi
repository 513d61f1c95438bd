# Messages that every program with Protobuf knows: instants, spans, and JSON values (struct.proto).

cdef PyObject *read_well_known(Cursor *c, Node *node, uint32_t tag) noexcept:
    cdef PyObject *found
    cdef const uint8_t *outer = c.end
    if not open_message(c, tag):
        return NULL
    if node.op == JSON_VALUE:
        found = read_any(c, node.texts, node.size, end_of(tag))
    elif node.op == JSON_STRUCT:
        found = read_members(c, node.texts, node.size, end_of(tag))
    elif node.op == JSON_LIST:
        found = read_values(c, node.texts, node.size, end_of(tag))
    else:
        found = read_parts(c, node, end_of(tag))
    close_message(c, outer)
    return found

cdef enum:
    # Tags of the two parts.
    SECONDS_TAG = 0x08
    NANOS_TAG = 0x10

# Beyond these seconds 64 bits do not hold the microseconds, or the nanoseconds, of all.
cdef int64_t MOST_SECONDS = 1000000000000LL
cdef int64_t MOST_SECONDS_OF_NANOS = 9223372036LL
cdef int64_t NANOS_OF_SECOND = 1000000000LL

cdef PyObject *read_parts(Cursor *c, Node *node, uint32_t stop) noexcept:
    """Seconds and nanoseconds, as the value that they are."""
    cdef int64_t seconds = 0, nanos = 0
    cdef uint32_t tag = 0
    cdef int more
    while True:
        more = next_tag(c, stop, &tag)
        if more <= 0:
            break
        # A part that is there is no zero, so one that is not zero has been there.
        if tag == SECONDS_TAG and seconds == 0:
            if not read_number(c, VARINT_64, &seconds) or seconds == 0:
                return NULL
        elif tag == NANOS_TAG and nanos == 0:
            if not read_number(c, VARINT_32, &nanos) or nanos == 0:
                return NULL
        else:
            return NULL
    if more < 0 or not -NANOS_OF_SECOND < nanos < NANOS_OF_SECOND:
        return NULL
    return nanos_of_parts(seconds, nanos) if node.size == 1 else time_of_parts(node, seconds, nanos)

cdef PyObject *time_of_parts(Node *node, int64_t seconds, int64_t nanos) noexcept:
    """An instant or a span, if it is of whole microseconds."""
    if nanos % 1000 or not -MOST_SECONDS <= seconds <= MOST_SECONDS:
        return NULL
    seconds = seconds * 1000000 + nanos // 1000
    if node.op == DURATION_PARTS:
        return duration_of(seconds)
    return moment_of(seconds, 1, PyDateTimeAPI.TimeZone_UTC, &node.last)

cdef PyObject *nanos_of_parts(int64_t seconds, int64_t nanos) noexcept:
    """The nanoseconds of both, if 64 bits hold them."""
    # Of one sign, so that the product is no larger than the sum.
    if seconds < 0 and nanos > 0:
        seconds, nanos = seconds + 1, nanos - NANOS_OF_SECOND
    elif seconds > 0 and nanos < 0:
        seconds, nanos = seconds - 1, nanos + NANOS_OF_SECOND
    if not -MOST_SECONDS_OF_NANOS <= seconds <= MOST_SECONDS_OF_NANOS:
        return NULL
    seconds *= NANOS_OF_SECOND
    if (nanos > 0 and seconds > INT64_MAX - nanos) or (nanos < 0 and seconds < INT64_MIN - nanos):
        return NULL
    return PyLong_FromLongLong(seconds + nanos)

cdef enum:
    # Tags of google.protobuf.Value's cases, and of the fields of Struct and ListValue.
    NULL_TAG = 0x08
    DOUBLE_TAG = 0x11
    TEXT_TAG = 0x1A
    BOOLEAN_TAG = 0x20
    STRUCT_TAG = 0x2A
    LIST_TAG = 0x32
    ITEM_TAG = 0x0A
    KEY_TAG = 0x0A
    ENTRY_VALUE_TAG = 0x12

cdef PyObject *read_any(Cursor *c, Texts *texts, Py_ssize_t room, uint32_t stop) noexcept:
    """A google.protobuf.Value, which has one case; ``room`` levels may nest."""
    cdef PyObject *found
    cdef uint32_t tag = 0
    if next_tag(c, stop, &tag) != 1:
        return NULL
    found = read_case(c, texts, room, tag)
    if found != NULL and next_tag(c, stop, &tag) != 0:
        Py_DECREF(found)
        return NULL
    return found

cdef PyObject *read_case(Cursor *c, Texts *texts, Py_ssize_t room, uint32_t tag) noexcept:
    cdef int64_t number
    cdef Py_ssize_t size
    if tag == TEXT_TAG:
        if not read_length(c, &size):
            return NULL
        c.at += size
        return shared_text(texts, c.at - size, size)
    if tag == DOUBLE_TAG:
        return read_json_double(c)
    if tag == BOOLEAN_TAG:
        if not read_number(c, VARINT_U32, &number) or number > 1:
            return NULL
        return owned(Py_True if number else Py_False)
    if tag == NULL_TAG:
        return owned(Py_None) if read_number(c, VARINT_32, &number) and number == 0 else NULL
    return read_nested(c, texts, room, tag)

cdef PyObject *read_nested(Cursor *c, Texts *texts, Py_ssize_t room, uint32_t tag) noexcept:
    """A case that is a message itself."""
    cdef PyObject *found = NULL
    cdef const uint8_t *outer = c.end
    if not open_message(c, tag):
        return NULL
    if tag == STRUCT_TAG:
        found = read_members(c, texts, room, 0)
    elif tag == LIST_TAG:
        found = read_values(c, texts, room, 0)
    close_message(c, outer)
    return found

cdef PyObject *read_json_double(Cursor *c) noexcept:
    """A number as JSON has it: whole where a double holds it exactly."""
    cdef double number
    cdef bint is_whole
    if c.end - c.at < 8:
        return NULL
    number = PyFloat_Unpack8(<const char *>c.at, 1)
    is_whole = -9007199254740992.0 <= number <= 9007199254740992.0
    is_whole = is_whole and <double><int64_t>number == number
    # The zero that is negative has a bit set.
    if is_whole and not (number == 0 and little_endian(c.at, 8)):
        c.at += 8
        return PyLong_FromLongLong(<int64_t>number)
    c.at += 8
    return PyFloat_FromDouble(number) if number - number == 0 else NULL

cdef PyObject *read_values(Cursor *c, Texts *texts, Py_ssize_t room, uint32_t stop) noexcept:
    """A google.protobuf.ListValue."""
    cdef uint32_t tag = 0
    cdef int more = -1
    if room < 1:
        return NULL
    cdef PyObject *items = PyList_New(0)
    if items == NULL:
        return NULL
    while True:
        more = next_tag(c, stop, &tag)
        if more != 1 or tag != ITEM_TAG or not read_value_into(c, texts, room - 1, items, NULL):
            break
    if more == 0:
        return items
    Py_DECREF(items)
    return NULL

cdef PyObject *read_members(Cursor *c, Texts *texts, Py_ssize_t room, uint32_t stop) noexcept:
    """A google.protobuf.Struct."""
    cdef uint32_t tag = 0
    cdef int more = -1
    if room < 1:
        return NULL
    cdef PyObject *members = PyDict_New()
    if members == NULL:
        return NULL
    while True:
        more = next_tag(c, stop, &tag)
        if more != 1 or tag != ITEM_TAG or not read_member(c, texts, room - 1, members):
            break
    if more == 0:
        return members
    Py_DECREF(members)
    return NULL

cdef bint read_member(Cursor *c, Texts *texts, Py_ssize_t room, PyObject *members) noexcept:
    """An entry: a key and its value, which fill it."""
    cdef Py_ssize_t size
    cdef PyObject *key
    cdef bint done
    cdef const uint8_t *outer = c.end
    if not open_message(c, ITEM_TAG) or not same_tag(c, KEY_TAG) or not read_length(c, &size):
        return False
    c.at += size
    key = shared_text(&texts[1], c.at - size, size)
    if key == NULL:
        return False
    done = same_tag(c, ENTRY_VALUE_TAG) and read_value_into(c, texts, room, members, key)
    done = done and c.at == c.end
    Py_DECREF(key)
    close_message(c, outer)
    return done

cdef bint read_value_into(
    Cursor *c, Texts *texts, Py_ssize_t room, PyObject *holder, PyObject *key
) noexcept:
    """Reads a Value into a list, or under a key that a dictionary has not yet."""
    cdef PyObject *value
    cdef bint done
    cdef const uint8_t *outer = c.end
    if not open_message(c, ITEM_TAG):
        return False
    value = read_any(c, texts, room, 0)
    close_message(c, outer)
    if value == NULL:
        return False
    if key == NULL:
        done = PyList_Append(holder, value) == 0
    else:
        done = put_new(holder, key, value)
    Py_DECREF(value)
    return done
