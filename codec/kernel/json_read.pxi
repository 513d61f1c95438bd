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
