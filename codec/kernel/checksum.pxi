# The checksum of a blob: XXH32 with seed 0 (the xxHash specification, version 0.1.1), over
# two stretches of bytes as if they were one, so that nothing has to be copied.

cdef extern from *:
    """
    #define INSTAR_XXH_1 2654435761U
    #define INSTAR_XXH_2 2246822519U
    #define INSTAR_XXH_3 3266489917U
    #define INSTAR_XXH_4 668265263U
    #define INSTAR_XXH_5 374761393U

    static inline unsigned int instar_rotated(unsigned int x, int r)
    {
        return (x << r) | (x >> (32 - r));
    }

    static inline unsigned int instar_lane(const unsigned char *at)
    {
    #if PY_LITTLE_ENDIAN
        unsigned int lane;
        memcpy(&lane, at, 4);
        return lane;
    #else
        return at[0] | at[1] << 8 | at[2] << 16 | (unsigned int)at[3] << 24;
    #endif
    }

    static const unsigned char *instar_stripes(
        unsigned int *v, const unsigned char *at, const unsigned char *end)
    {
        unsigned int a = v[0], b = v[1], c = v[2], d = v[3];
        while (end - at >= 16) {
            a = instar_rotated(a + instar_lane(at) * INSTAR_XXH_2, 13) * INSTAR_XXH_1;
            b = instar_rotated(b + instar_lane(at + 4) * INSTAR_XXH_2, 13) * INSTAR_XXH_1;
            c = instar_rotated(c + instar_lane(at + 8) * INSTAR_XXH_2, 13) * INSTAR_XXH_1;
            d = instar_rotated(d + instar_lane(at + 12) * INSTAR_XXH_2, 13) * INSTAR_XXH_1;
            at += 16;
        }
        v[0] = a; v[1] = b; v[2] = c; v[3] = d;
        return at;
    }

    /* `first` has at most 48 bytes: the header of a blob before its checksum. */
    static unsigned int instar_xxh32(
        const unsigned char *first, Py_ssize_t first_size,
        const unsigned char *second, Py_ssize_t second_size)
    {
        unsigned char joint[64];
        const unsigned char *at = joint, *end = second + second_size;
        Py_ssize_t total = first_size + second_size, filled = first_size;
        unsigned int h;
        memcpy(joint, first, first_size);
        while (second < end && filled < 64 && (filled < 16 || filled % 16))
            joint[filled++] = *second++;
        if (total >= 16) {
            unsigned int v[4] = {INSTAR_XXH_1 + INSTAR_XXH_2, INSTAR_XXH_2, 0, -INSTAR_XXH_1};
            at = instar_stripes(v, joint, joint + filled);
            if (at == joint + filled)
                at = instar_stripes(v, second, end);
            else
                end = joint + filled;  /* the second part ended in the joint */
            h = instar_rotated(v[0], 1) + instar_rotated(v[1], 7)
                + instar_rotated(v[2], 12) + instar_rotated(v[3], 18);
        } else {
            h = INSTAR_XXH_5;
            end = joint + filled;
        }
        h += (unsigned int)total;
        for (; end - at >= 4; at += 4)
            h = instar_rotated(h + instar_lane(at) * INSTAR_XXH_3, 17) * INSTAR_XXH_4;
        for (; at < end; at++)
            h = instar_rotated(h + *at * INSTAR_XXH_5, 11) * INSTAR_XXH_1;
        h = (h ^ h >> 15) * INSTAR_XXH_2;
        h = (h ^ h >> 13) * INSTAR_XXH_3;
        return h ^ h >> 16;
    }
    """
    uint32_t xxh32 "instar_xxh32" (
        const uint8_t *, Py_ssize_t, const uint8_t *, Py_ssize_t) noexcept

def checksum_of(bytes first, bytes second):
    """The checksum of two stretches of bytes, of which the first has at most 48."""
    if len(first) > 48:
        raise ValueError("the first stretch has more than 48 bytes")
    return xxh32(
        <const uint8_t *><char *>first, len(first), <const uint8_t *><char *>second, len(second)
    )
