# The checksum of a blob: the low half of XXH64 with seed 0 (the xxHash specification, version
# 0.1.1), over two stretches of bytes as if they were one, so that nothing has to be copied.

cdef extern from *:
    """
    #define INSTAR_XXH_1 0x9E3779B185EBCA87ULL
    #define INSTAR_XXH_2 0xC2B2AE3D27D4EB4FULL
    #define INSTAR_XXH_3 0x165667B19E3779F9ULL
    #define INSTAR_XXH_4 0x85EBCA77C2B2AE63ULL
    #define INSTAR_XXH_5 0x27D4EB2F165667C5ULL

    typedef unsigned long long instar_u64;

    static inline instar_u64 instar_rotated(instar_u64 x, int r)
    {
        return (x << r) | (x >> (64 - r));
    }

    static inline instar_u64 instar_little(const unsigned char *at, int size)
    {
        instar_u64 value = 0;
    #if PY_LITTLE_ENDIAN
        memcpy(&value, at, size);
    #else
        while (size--)
            value = value << 8 | at[size];
    #endif
        return value;
    }

    static inline instar_u64 instar_round(instar_u64 acc, instar_u64 lane)
    {
        return instar_rotated(acc + lane * INSTAR_XXH_2, 31) * INSTAR_XXH_1;
    }

    static const unsigned char *instar_stripes(
        instar_u64 *v, const unsigned char *at, const unsigned char *end)
    {
        instar_u64 a = v[0], b = v[1], c = v[2], d = v[3];
        for (; end - at >= 32; at += 32) {
            a = instar_round(a, instar_little(at, 8));
            b = instar_round(b, instar_little(at + 8, 8));
            c = instar_round(c, instar_little(at + 16, 8));
            d = instar_round(d, instar_little(at + 24, 8));
        }
        v[0] = a; v[1] = b; v[2] = c; v[3] = d;
        return at;
    }

    static instar_u64 instar_folded(const instar_u64 *v)
    {
        instar_u64 h = instar_rotated(v[0], 1) + instar_rotated(v[1], 7)
            + instar_rotated(v[2], 12) + instar_rotated(v[3], 18);
        int i;
        for (i = 0; i < 4; i++)
            h = (h ^ instar_round(0, v[i])) * INSTAR_XXH_1 + INSTAR_XXH_4;
        return h;
    }

    /* The last bytes, fewer than a stripe, and the final mixing. */
    static unsigned int instar_finished(
        instar_u64 h, const unsigned char *at, const unsigned char *end)
    {
        for (; end - at >= 8; at += 8)
            h = instar_rotated(h ^ instar_round(0, instar_little(at, 8)), 27) * INSTAR_XXH_1
                + INSTAR_XXH_4;
        if (end - at >= 4) {
            h = instar_rotated(h ^ instar_little(at, 4) * INSTAR_XXH_1, 23) * INSTAR_XXH_2
                + INSTAR_XXH_3;
            at += 4;
        }
        for (; at < end; at++)
            h = instar_rotated(h ^ *at * INSTAR_XXH_5, 11) * INSTAR_XXH_1;
        h = (h ^ h >> 33) * INSTAR_XXH_2;
        h = (h ^ h >> 29) * INSTAR_XXH_3;
        return (unsigned int)(h ^ h >> 32);
    }

    /* `first` has at most 64 bytes: the header of a blob before its checksum. */
    static unsigned int instar_checksum(
        const unsigned char *first, Py_ssize_t first_size,
        const unsigned char *second, Py_ssize_t second_size)
    {
        unsigned char joint[96];
        const unsigned char *at = joint, *end = second + second_size;
        Py_ssize_t total = first_size + second_size, filled = first_size;
        instar_u64 v[4] = {INSTAR_XXH_1 + INSTAR_XXH_2, INSTAR_XXH_2, 0, 0 - INSTAR_XXH_1};
        memcpy(joint, first, first_size);
        while (second < end && (filled < 32 || filled % 32))
            joint[filled++] = *second++;
        if (total < 32)
            return instar_finished(INSTAR_XXH_5 + total, joint, joint + filled);
        at = instar_stripes(v, joint, joint + filled);
        if (at == joint + filled)
            at = instar_stripes(v, second, end);
        else
            end = joint + filled;  /* the second stretch ended in the joint */
        return instar_finished(instar_folded(v) + total, at, end);
    }
    """
    uint32_t checksum "instar_checksum" (
        const uint8_t *, Py_ssize_t, const uint8_t *, Py_ssize_t) noexcept

def checksum_of(bytes first, bytes second):
    """The checksum of two stretches of bytes, of which the first has at most 64."""
    if len(first) > 64:
        raise ValueError("the first stretch has more than 64 bytes")
    return checksum(
        <const uint8_t *><char *>first, len(first), <const uint8_t *><char *>second, len(second)
    )
