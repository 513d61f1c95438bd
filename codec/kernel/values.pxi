# Values of Python classes that are not the kernel's own: UUIDs and decimals.

cdef PyTypeObject *UUID_CLASS = <PyTypeObject *>uuid.UUID
cdef PyObject *UUID_SAFE = <PyObject *>uuid.SafeUUID.unknown
cdef PyObject *DECIMAL_CLASS = <PyObject *>decimal.Decimal

cdef extern from *:
    """
    /* A number without a sign, the highest byte first; what does not fit is an error. */
    static inline PyObject *instar_number_of_bytes(const unsigned char *at, size_t size)
    {
        return _PyLong_FromByteArray(at, size, 0, 0);
    }

    static inline int instar_bytes_of_number(PyObject *number, unsigned char *out, size_t size)
    {
    #if PY_VERSION_HEX >= 0x030D0000
        return _PyLong_AsByteArray((PyLongObject *)number, out, size, 0, 0, 1);
    #else
        return _PyLong_AsByteArray((PyLongObject *)number, out, size, 0, 0);
    #endif
    }
    """
    PyObject *number_of_bytes "instar_number_of_bytes" (const uint8_t *, size_t) noexcept
    int bytes_of_number "instar_bytes_of_number" (PyObject *, uint8_t *, size_t) noexcept

def _uuid_slots():
    """The offsets of a UUID's number and of its safety, as ``uuid.UUID`` lays them out."""
    found = [static_attribute(uuid.UUID, name) for name in ("int", "is_safe")]
    if any(type(member) is not types.MemberDescriptorType for member in found):
        return 0, 0
    return tuple(
        (<PyMemberDescrObject *><PyObject *>member).d_member.offset for member in found
    )

cdef Py_ssize_t UUID_INT, UUID_IS_SAFE
UUID_INT, UUID_IS_SAFE = _uuid_slots()

cdef PyObject *uuid_of(uint64_t high, uint64_t low) noexcept:
    """A UUID of its 128 bits; NULL where the class is not laid out as it is known to be."""
    cdef PyObject *made
    if UUID_INT == 0:
        return NULL
    cdef uint8_t[16] bits
    put_big_endian(high, bits)
    put_big_endian(low, bits + 8)
    cdef PyObject *number = number_of_bytes(bits, 16)
    if number == NULL:
        return NULL
    made = UUID_CLASS.tp_alloc(UUID_CLASS, 0)
    if made == NULL:
        Py_DECREF(number)
        return NULL
    slot_at(made, UUID_INT)[0] = number
    Py_INCREF(UUID_SAFE)
    slot_at(made, UUID_IS_SAFE)[0] = UUID_SAFE
    return made

cdef bint bits_of_uuid(PyObject *value, uint64_t *high, uint64_t *low) noexcept:
    """The 128 bits of a UUID of this very class."""
    cdef PyObject *number
    cdef uint8_t[16] bits
    if Py_TYPE(value) != UUID_CLASS or UUID_INT == 0:
        return False
    number = slot_at(value, UUID_INT)[0]
    if number == NULL or not PyLong_CheckExact(number):
        return False
    if bytes_of_number(number, bits, 16) < 0:
        # Negative, or more than 128 bits: no number that a UUID can have.
        PyErr_Clear()
        return False
    high[0], low[0] = big_endian(bits), big_endian(bits + 8)
    return True

cdef inline int hex_digit(uint8_t byte) noexcept:
    if 48 <= byte <= 57:
        return byte - 48
    byte |= 0x20
    return byte - 87 if 97 <= byte <= 102 else -1

cdef bint parse_uuid(const uint8_t *at, uint64_t *high, uint64_t *low) noexcept:
    """The bits of 36 bytes of text in the usual form: 8-4-4-4-12 digits."""
    cdef uint64_t bits[2]
    cdef int digits = 0
    cdef int digit
    bits[0] = bits[1] = 0
    for index in range(36):
        if index in (8, 13, 18, 23):
            if at[index] != 45:
                return False
            continue
        digit = hex_digit(at[index])
        if digit < 0:
            return False
        bits[digits >> 4] = bits[digits >> 4] << 4 | <uint64_t>digit
        digits += 1
    high[0], low[0] = bits[0], bits[1]
    return True

cdef const char *HEX = b"0123456789abcdef"

cdef void format_uuid(uint64_t high, uint64_t low, uint8_t *out) noexcept:
    """The 36 bytes of text of a UUID."""
    cdef uint8_t byte
    for index in range(16):
        if index in (4, 6, 8, 10):
            out[0] = 45
            out += 1
        byte = <uint8_t>((high if index < 8 else low) >> (56 - 8 * (index & 7)))
        out[0], out[1] = HEX[byte >> 4], HEX[byte & 15]
        out += 2

cdef inline uint64_t big_endian(const uint8_t *at) noexcept:
    """Eight bytes, the highest first."""
    cdef uint64_t value = 0
    for index in range(8):
        value = value << 8 | at[index]
    return value

cdef inline void put_big_endian(uint64_t value, uint8_t *out) noexcept:
    for index in range(8):
        out[index] = <uint8_t>(value >> (56 - 8 * index))

# A decimal goes through its text, as arithmetic would round it to the context's precision.
# Up to 18 digits it is put together here; longer ones are left to Python.
cdef enum:
    MOST_DIGITS = 18

cdef uint64_t[MOST_DIGITS + 1] POWERS
for _power in range(MOST_DIGITS + 1):
    POWERS[_power] = 10**_power

cdef PyObject *decimal_of(
    const uint8_t *at, Py_ssize_t size, Py_ssize_t scale, Py_ssize_t precision
) noexcept:
    """A Decimal of unscaled two's complement, highest byte first; NULL leaves it to Python."""
    cdef int64_t number = 0
    cdef uint64_t rest
    cdef char digits[32]
    cdef int place = 32
    if size > 8 or precision > MOST_DIGITS or not 0 <= scale <= MOST_DIGITS:
        return NULL
    if size and at[0] & 0x80:
        number = -1
    for index in range(size):
        number = <int64_t>(<uint64_t>number << 8 | at[index])
    rest = <uint64_t>number if number >= 0 else 0 - <uint64_t>number
    if rest >= POWERS[precision]:
        return NULL
    for index in range(20):
        if index == scale and scale:
            place -= 1
            digits[place] = 46
        place -= 1
        digits[place] = 48 + <char>(rest % 10)
        rest //= 10
        if rest == 0 and index >= scale:
            break
    if number < 0:
        place -= 1
        digits[place] = 45
    cdef PyObject *made
    cdef PyObject *text = PyUnicode_New(32 - place, 127)
    if text == NULL:
        return NULL
    memcpy(PyUnicode_1BYTE_DATA(text), digits + place, 32 - place)
    made = PyObject_CallOneArg(DECIMAL_CLASS, text)
    Py_DECREF(text)
    return made

cdef bint unscaled_of(
    PyObject *value, Py_ssize_t scale, Py_ssize_t precision, int64_t *found
) noexcept:
    """The unscaled number of a Decimal of this very class, read from its text where that is
    plain digits. False leaves it to Python.
    """
    cdef PyObject *text
    cdef bint plain
    if <PyObject *>Py_TYPE(value) != DECIMAL_CLASS or not 0 <= scale <= MOST_DIGITS:
        return False
    text = PyObject_Str(value)
    if text == NULL:
        PyErr_Clear()
        return False
    plain = PyUnicode_IS_COMPACT_ASCII(text) and parse_unscaled(
        PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text), scale, precision, found
    )
    Py_DECREF(text)
    return plain

cdef bint parse_unscaled(
    const uint8_t *at, Py_ssize_t size, Py_ssize_t scale, Py_ssize_t precision, int64_t *found
) noexcept:
    cdef uint64_t number = 0
    cdef Py_ssize_t behind = -1     # digits behind the point, once there is one
    cdef Py_ssize_t digits = 0
    cdef Py_ssize_t start = 1 if size and at[0] == 45 else 0
    if precision > MOST_DIGITS:
        return False
    for index in range(start, size):
        if at[index] == 46 and behind < 0:
            behind = 0
            continue
        if not 48 <= at[index] <= 57 or digits == MOST_DIGITS:
            return False
        number = number * 10 + (at[index] - 48)
        digits += 1
        if behind >= 0:
            behind += 1
    if behind < 0:
        behind = 0
    if not digits or behind > scale or digits + scale - behind > MOST_DIGITS:
        return False
    number *= POWERS[scale - behind]
    if number >= POWERS[precision]:
        return False
    found[0] = -<int64_t>number if start else <int64_t>number
    return True
