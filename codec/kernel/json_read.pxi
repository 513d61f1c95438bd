# JSON text (RFC 8259) as Python values: the common part of it. Whatever is rare (escapes that
# msgspec never writes, large numbers, white space) or wrong makes the reader give up, and the
# caller asks a library.

cdef PyObject *read_json(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    """The value that the text begins with; NULL to give up. ``room`` levels may nest."""
    cdef uint8_t byte
    if c.at >= c.end:
        return NULL
    byte = c.at[0]
    if byte == 34:
        return read_json_text(c, texts)
    if byte == 123:
        return read_json_dict(c, texts, room)
    if byte == 91:
        return read_json_list(c, texts, room)
    if byte == 45 or 48 <= byte <= 57:
        return read_json_number(c)
    if byte == 116:
        return read_json_word(c, b"true", 4, Py_True)
    if byte == 102:
        return read_json_word(c, b"false", 5, Py_False)
    if byte == 110:
        return read_json_word(c, b"null", 4, Py_None)
    return NULL

cdef PyObject *read_json_word(
    Cursor *c, const char *word, Py_ssize_t size, PyObject *value
) noexcept:
    if c.end - c.at < size or memcmp(c.at, word, size):
        return NULL
    c.at += size
    Py_INCREF(value)
    return value

cdef extern from *:
    """
    #if defined(__SSE2__) && defined(__GNUC__)
    #include <emmintrin.h>
    #endif

    #if defined(__SSE2__) && defined(__GNUC__)
    /* A bit for each of sixteen bytes that is a quote, a backslash or a control character. */
    static inline int instar_json_mask(__m128i bytes)
    {
        const __m128i control = _mm_set1_epi8(0x1F);
        return _mm_movemask_epi8(_mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                         _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\\\'))),
            _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes)));
    }
    #endif

    /* The first byte from `at` on that is a quote, a backslash or a control character, or
       `end`; sixteen at a time where the processor can. */
    static inline const unsigned char *instar_json_stop(
        const unsigned char *at, const unsigned char *end)
    {
    #if defined(__SSE2__) && defined(__GNUC__)
        for (; end - at >= 16; at += 16) {
            int mask = instar_json_mask(_mm_loadu_si128((const __m128i *)at));
            if (mask)
                return at + __builtin_ctz(mask);
        }
    #endif
        while (at < end && *at != '"' && *at != '\\\\' && *at >= 0x20)
            at++;
        return at;
    }
    """
    const uint8_t *json_stop "instar_json_stop" (const uint8_t *, const uint8_t *)

cdef inline PyObject *read_json_text(Cursor *c, Texts *texts) noexcept:
    """A text; the cursor stands on its first quote."""
    cdef const uint8_t *start = c.at + 1
    cdef const uint8_t *stop = json_stop(start, c.end)
    if stop >= c.end:
        return NULL
    if stop[0] != 34:
        return read_escaped_text(c)
    c.at = stop + 1
    return shared_text(texts, start, stop - start)

cdef extern from *:
    """
    /* The text that is being read, without its escapes. */
    typedef struct {
        unsigned char *data;
        Py_ssize_t size, room;
        unsigned char first[2048];
    } InstarPlain;

    static inline int instar_plain_grow(InstarPlain *plain)
    {
        Py_ssize_t room = plain->room * 4;
        unsigned char *data = plain->data == plain->first ? PyMem_Malloc(room)
                                                          : PyMem_Realloc(plain->data, room);
        if (!data)
            return 0;
        if (plain->data == plain->first)
            memcpy(data, plain->first, plain->size);
        plain->data = data;
        plain->room = room;
        return 1;
    }

    static inline int instar_hex_digit(unsigned char byte)
    {
        if (byte >= '0' && byte <= '9')
            return byte - '0';
        byte |= 0x20;
        return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
    }

    /* What the escape says that ends a backslash, `at` standing behind that; how many bytes it
       takes, or 0 where it is rare. */
    static inline int instar_escaped(
        const unsigned char *at, const unsigned char *end, unsigned char *out)
    {
        int high, low;
        if (at >= end)
            return 0;
        switch (*at) {
        case '"': case '\\\\': case '/': *out = *at; return 1;
        case 'b': *out = 8; return 1;
        case 't': *out = 9; return 1;
        case 'n': *out = 10; return 1;
        case 'f': *out = 12; return 1;
        case 'r': *out = 13; return 1;
        case 'u':
            if (end - at < 5 || at[1] != '0' || at[2] != '0')
                return 0;
            high = instar_hex_digit(at[3]);
            low = instar_hex_digit(at[4]);
            if (high < 0 || high > 7 || low < 0)
                return 0;
            *out = (unsigned char)(high << 4 | low);
            return 5;
        }
        return 0;
    }

    /* Takes the text from `at` to its last quote, and gives what stands behind that: NULL where
       there is none, for an escape that is rare, and where there is no memory. Sixteen bytes at
       a time are copied, and then it is seen how many of them were wanted. */
    static const unsigned char *instar_json_unescape(
        const unsigned char *at, const unsigned char *end, InstarPlain *plain)
    {
        int taken;
        for (;;) {
            if (plain->room - plain->size < 16 && !instar_plain_grow(plain))
                return NULL;
    #if defined(__SSE2__) && defined(__GNUC__)
            if (end - at >= 16) {
                __m128i bytes = _mm_loadu_si128((const __m128i *)at);
                int mask = instar_json_mask(bytes);
                _mm_storeu_si128((__m128i *)(plain->data + plain->size), bytes);
                taken = mask ? __builtin_ctz(mask) : 16;
                at += taken;
                plain->size += taken;
                if (!mask)
                    continue;
            }
    #endif
            if (at >= end)
                return NULL;
            if (*at == '"')
                return at + 1;
            if (*at < 0x20)
                return NULL;
            if (*at != '\\\\') {
                plain->data[plain->size++] = *at++;
                continue;
            }
            taken = instar_escaped(at + 1, end, plain->data + plain->size);
            if (!taken)
                return NULL;
            plain->size++;
            at += 1 + taken;
        }
    }

    /* The same as text, and NULL where that cannot be. */
    static PyObject *instar_unescaped_text(
        const unsigned char **at, const unsigned char *end,
        PyObject *(*make)(const unsigned char *, Py_ssize_t))
    {
        InstarPlain plain;
        PyObject *found = NULL;
        plain.data = plain.first;
        plain.size = 0;
        plain.room = sizeof plain.first;
        *at = instar_json_unescape(*at, end, &plain);
        if (*at)
            found = make(plain.data, plain.size);
        if (plain.data != plain.first)
            PyMem_Free(plain.data);
        return found;
    }
    """
    ctypedef PyObject *(*MakeText)(const uint8_t *, Py_ssize_t) noexcept
    PyObject *unescaped_text "instar_unescaped_text" (
        const uint8_t **, const uint8_t *, MakeText) noexcept

cdef PyObject *text_of_bytes(const uint8_t *at, Py_ssize_t size) noexcept:
    return make_text(at, size)

cdef PyObject *read_escaped_text(Cursor *c) noexcept:
    """A text with escapes; the cursor stands on its first quote."""
    cdef const uint8_t *at = c.at + 1
    cdef PyObject *found = unescaped_text(&at, c.end, text_of_bytes)
    if found != NULL:
        c.at = at
    return found

cdef enum:
    MOST_INT_DIGITS = 19    # of which 64 bits hold any

cdef inline bint take_json_digits(Cursor *c, uint64_t *found) noexcept:
    """A whole number of 64 bits, without zeros before it."""
    cdef const uint8_t *at = c.at
    cdef uint64_t value = 0
    cdef uint64_t digit
    while at < c.end and 48 <= at[0] <= 57:
        digit = at[0] - 48
        if at - c.at >= MOST_INT_DIGITS and value > (<uint64_t>-1 - digit) // 10:
            return False
        value = value * 10 + digit
        at += 1
    if at == c.at or (c.at[0] == 48 and at - c.at > 1):
        return False
    c.at = at
    found[0] = value
    return True

cdef bint take_json_int(Cursor *c, uint64_t *magnitude, bint *negative) noexcept:
    """An integer of up to 64 bits; not the last thing in the text, nor part of a float."""
    negative[0] = c.at < c.end and c.at[0] == 45
    if negative[0]:
        c.at += 1
    if not take_json_digits(c, magnitude) or c.at >= c.end:
        return False
    return c.at[0] not in (46, 69, 101)

cdef PyObject *read_json_number(Cursor *c) noexcept:
    """A number that is not the last thing in the text."""
    cdef const uint8_t *start = c.at
    cdef uint64_t magnitude
    cdef bint negative
    cdef double number
    if take_json_int(c, &magnitude, &negative):
        return signed_number(magnitude, negative) if in_range(LONG, magnitude, negative) else NULL
    c.at = start
    return PyFloat_FromDouble(number) if take_json_float(c, &number) else NULL

cdef extern from *:
    """
    /* Powers of ten that a double holds exactly. */
    static const double instar_tens[] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    /* A number divided by a power of ten, rounded once: as Clinger has it (1990) where both are
       exact. Where not, in the 64 bits that some machines have for it; their last eleven are
       rounded away, and nothing is known where they are so near one half that the bits behind
       them would decide. */
    static inline int instar_quotient(uint64_t number, Py_ssize_t places, double *found)
    {
        if (places > 22)
            return 0;
        if (number <= 1ULL << 53) {
            *found = (double)number / instar_tens[places];
            return 1;
        }
    #if defined(__x86_64__) && defined(__GNUC__) && __LDBL_MANT_DIG__ == 64
        long double exact = (long double)number / (long double)instar_tens[places];
        uint64_t bits;
        memcpy(&bits, &exact, 8);
        bits &= 0x7FF;
        if (bits >= 0x3FF && bits <= 0x401)
            return 0;
        *found = (double)exact;
        return 1;
    #else
        return 0;
    #endif
    }

    /* Passes over digits, which are the next ones of a number, and gives where they end. Eight
       at a time are added in three steps (Lemire 2018); of more than twenty the number is
       worth nothing. */
    static inline const unsigned char *instar_sum_digits(
        const unsigned char *at, const unsigned char *end, uint64_t *number)
    {
    #if PY_LITTLE_ENDIAN
        while (end - at >= 8) {
            uint64_t word;
            memcpy(&word, at, 8);
            if (((word & 0xF0F0F0F0F0F0F0F0ULL)
                 | ((word + 0x0606060606060606ULL) & 0xF0F0F0F0F0F0F0F0ULL) >> 4)
                != 0x3333333333333333ULL)
                break;
            word = (word & 0x0F0F0F0F0F0F0F0FULL) * 2561 >> 8;
            word = (word & 0x00FF00FF00FF00FFULL) * 6553601 >> 16;
            word = (word & 0x0000FFFF0000FFFFULL) * 42949672960001ULL >> 32;
            *number = *number * 100000000 + word;
            at += 8;
        }
    #endif
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            *number = *number * 10 + (*at - '0');
        return at;
    }
    """
    const double *TENS "instar_tens"
    const uint8_t *sum_digits "instar_sum_digits" (
        const uint8_t *, const uint8_t *, uint64_t *) noexcept
    bint quotient "instar_quotient" (uint64_t, Py_ssize_t, double *) noexcept

cdef bint take_json_float(Cursor *c, double *found) noexcept:
    """A number with a fraction or an exponent that a double has room for; not the last thing in
    the text.
    """
    cdef const uint8_t *start = c.at
    cdef const uint8_t *at = c.at
    cdef const uint8_t *digits
    cdef const uint8_t *point
    cdef uint64_t mantissa = 0
    cdef bint plain = True
    cdef bint negative = at < c.end and at[0] == 45
    if negative:
        at += 1
    digits = at
    at = sum_digits(at, c.end, &mantissa)
    point = at
    if at == digits or (digits[0] == 48 and at - digits > 1) or at >= c.end:
        return False
    if at[0] == 46:
        at = sum_digits(at + 1, c.end, &mantissa)
        if at == point + 1:
            return False
    if at < c.end and at[0] in (69, 101):
        plain = False
        at = pass_exponent(at, c.end)
    elif at == point:
        return False
    # The library stops at the first byte that is no part of a number: there must be one.
    if at == NULL or at >= c.end:
        return False
    c.at = at
    if plain and at - digits <= MOST_INT_DIGITS + 1 and quotient(mantissa, at - point - 1, found):
        if negative:
            found[0] = -found[0]
        return True
    return json_double(start, at, found)

cdef const uint8_t *pass_exponent(const uint8_t *at, const uint8_t *end) noexcept:
    """Where an exponent ends that begins here; NULL where it is none."""
    at += 1
    if at < end and at[0] in (43, 45):
        at += 1
    cdef const uint8_t *digits = at
    while at < end and 48 <= at[0] <= 57:
        at += 1
    return NULL if at == digits else at

cdef bint json_double(const uint8_t *start, const uint8_t *end, double *found) noexcept:
    cdef char *stop = NULL
    found[0] = PyOS_string_to_double(<const char *>start, &stop, NULL)
    # Beyond the range of a double there is no number of JSON.
    return <const uint8_t *>stop == end and found[0] - found[0] == 0

cdef PyObject *read_json_list(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    cdef PyObject *item
    if room < 1:
        return NULL
    cdef PyObject *items = PyList_New(0)
    if items == NULL:
        return NULL
    c.at += 1
    if c.at < c.end and c.at[0] == 93:
        c.at += 1
        return items
    while True:
        item = read_json(c, texts, room - 1)
        if item == NULL or PyList_Append(items, item) < 0 or c.at >= c.end:
            break
        Py_DECREF(item)
        item = NULL
        if c.at[0] == 93:
            c.at += 1
            return items
        if c.at[0] != 44:
            break
        c.at += 1
    Py_XDECREF(item)
    Py_DECREF(items)
    return NULL

cdef PyObject *read_json_dict(Cursor *c, Texts *texts, Py_ssize_t room) noexcept:
    cdef Py_ssize_t count = 0
    if room < 1:
        return NULL
    cdef PyObject *members = PyDict_New()
    if members == NULL:
        return NULL
    c.at += 1
    if c.at < c.end and c.at[0] == 125:
        c.at += 1
        return members
    while read_json_member(c, texts, room, members) and c.at < c.end:
        count += 1
        if c.at[0] == 125:
            # A key that stands twice is for the library to judge.
            if PyDict_GET_SIZE(members) != count:
                break
            c.at += 1
            return members
        if c.at[0] != 44:
            break
        c.at += 1
    Py_DECREF(members)
    return NULL

cdef bint read_json_member(
    Cursor *c, Texts *texts, Py_ssize_t room, PyObject *members
) noexcept:
    """Reads a key and its value into ``members``."""
    cdef PyObject *key
    cdef PyObject *value = NULL
    cdef bint done = False
    if c.at >= c.end or c.at[0] != 34:
        return False
    key = read_json_text(c, &texts[1])
    if key == NULL:
        return False
    if c.at < c.end and c.at[0] == 58:
        c.at += 1
        value = read_json(c, texts, room - 1)
    if value != NULL:
        done = PyDict_SetItem(members, key, value) == 0
        Py_DECREF(value)
    Py_DECREF(key)
    return done

cdef PyObject *json_of(Node *node, const uint8_t *at, Py_ssize_t size) noexcept:
    """The value of JSON text; what the reader here leaves is given to ``node.object``."""
    cdef Cursor c
    cdef PyObject *found = NULL
    cdef PyObject *text
    c.at, c.end = at, at + size
    found = read_json(&c, node.texts, node.size)
    if found != NULL:
        if c.at == c.end:
            return found
        Py_DECREF(found)
    elif PyErr_Occurred() != NULL:
        PyErr_Clear()
    text = PyBytes_FromStringAndSize(<const char *>at, size)
    if text == NULL:
        return NULL
    found = PyObject_CallOneArg(node.object, text)
    Py_DECREF(text)
    return found
