# The checksum of a blob: the low half of XXH3 of 64 bits with seed 0 (the xxHash specification,
# version 0.8.2), over two stretches of bytes as if they were one, so that nothing is copied.

cdef extern from *:
    """
    typedef unsigned long long instar_u64;
    typedef unsigned int instar_u32;

    #define INSTAR_P32_1 0x9E3779B1U
    #define INSTAR_P32_2 0x85EBCA77U
    #define INSTAR_P32_3 0xC2B2AE3DU
    #define INSTAR_P64_1 0x9E3779B185EBCA87ULL
    #define INSTAR_P64_2 0xC2B2AE3D27D4EB4FULL
    #define INSTAR_P64_3 0x165667B19E3779F9ULL
    #define INSTAR_P64_4 0x85EBCA77C2B2AE63ULL
    #define INSTAR_P64_5 0x27D4EB2F165667C5ULL

    enum { INSTAR_STRIPE = 64, INSTAR_SECRET = 192, INSTAR_STRIPES = 16, INSTAR_SHORT = 240 };

    static const unsigned char instar_secret[INSTAR_SECRET] = {
        0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c,
        0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb,
        0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
        0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
        0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6,
        0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
        0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97,
        0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
        0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
        0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31,
        0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83,
        0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
        0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26,
        0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc,
        0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
        0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

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

    #define INSTAR_64(at) instar_little(at, 8)
    #define INSTAR_KEY(offset) INSTAR_64(instar_secret + (offset))

    /* The two halves of the product of 128 bits, one upon the other. */
    static inline instar_u64 instar_folded(instar_u64 a, instar_u64 b)
    {
        instar_u64 al = (instar_u32)a, ah = a >> 32, bl = (instar_u32)b, bh = b >> 32;
        instar_u64 low = al * bl, one = ah * bl, two = al * bh, high = ah * bh;
        instar_u64 middle = (low >> 32) + (instar_u32)one + two;
        return (high + (one >> 32) + (middle >> 32)) ^ (middle << 32 | (instar_u32)low);
    }

    static inline instar_u64 instar_avalanche(instar_u64 h)
    {
        h = (h ^ h >> 37) * 0x165667919E3779F9ULL;
        return h ^ h >> 32;
    }

    static inline instar_u64 instar_final(instar_u64 h)
    {
        h = (h ^ h >> 33) * INSTAR_P64_2;
        h = (h ^ h >> 29) * INSTAR_P64_3;
        return h ^ h >> 32;
    }

    static inline instar_u64 instar_mix(const unsigned char *at, int key)
    {
        return instar_folded(
            INSTAR_64(at) ^ INSTAR_KEY(key), INSTAR_64(at + 8) ^ INSTAR_KEY(key + 8));
    }

    /* Up to 16 bytes. */
    static instar_u64 instar_tiny(const unsigned char *at, Py_ssize_t size)
    {
        if (size > 8) {
            instar_u64 low = INSTAR_64(at) ^ (INSTAR_KEY(24) ^ INSTAR_KEY(32));
            instar_u64 high = INSTAR_64(at + size - 8) ^ (INSTAR_KEY(40) ^ INSTAR_KEY(48));
            instar_u64 turned = 0;
            int i;
            for (i = 0; i < 8; i++)
                turned = turned << 8 | (low >> 8 * i & 0xFF);
            return instar_avalanche(size + turned + high + instar_folded(low, high));
        }
        if (size >= 4) {
            instar_u64 both = instar_little(at + size - 4, 4) + (instar_little(at, 4) << 32);
            instar_u64 h = both ^ (INSTAR_KEY(8) ^ INSTAR_KEY(16));
            h ^= (h << 49 | h >> 15) ^ (h << 24 | h >> 40);
            h *= 0x9FB21C651E98DF25ULL;
            h ^= (h >> 35) + size;
            h *= 0x9FB21C651E98DF25ULL;
            return h ^ h >> 28;
        }
        if (size) {
            instar_u32 all = (instar_u32)at[0] << 16 | (instar_u32)at[size >> 1] << 24
                | at[size - 1] | (instar_u32)size << 8;
            instar_u32 key = (instar_u32)(instar_little(instar_secret, 4)
                ^ instar_little(instar_secret + 4, 4));
            return instar_final((instar_u64)(all ^ key));
        }
        return instar_final(INSTAR_KEY(56) ^ INSTAR_KEY(64));
    }

    /* 17 to 240 bytes. */
    static instar_u64 instar_short(const unsigned char *at, Py_ssize_t size)
    {
        instar_u64 h = (instar_u64)size * INSTAR_P64_1;
        Py_ssize_t i;
        if (size <= 128) {
            for (i = (size - 1) / 32; i >= 0; i--) {
                h += instar_mix(at + 16 * i, (int)(32 * i));
                h += instar_mix(at + size - 16 * (i + 1), (int)(32 * i + 16));
            }
            return instar_avalanche(h);
        }
        for (i = 0; i < 8; i++)
            h += instar_mix(at + 16 * i, (int)(16 * i));
        h = instar_avalanche(h);
        for (i = 8; i < size / 16; i++)
            h += instar_mix(at + 16 * i, (int)(16 * (i - 8) + 3));
        h += instar_mix(at + size - 16, 136 - 17);
        return instar_avalanche(h);
    }

    static inline void instar_stripe(
        instar_u64 *acc, const unsigned char *at, const unsigned char *key)
    {
        int i;
    #if defined(__SSE2__) && defined(__GNUC__)
        __m128i *sums = (__m128i *)acc;
        for (i = 0; i < 4; i++) {
            __m128i data = _mm_loadu_si128((const __m128i *)at + i);
            __m128i keyed = _mm_xor_si128(data, _mm_loadu_si128((const __m128i *)key + i));
            __m128i product = _mm_mul_epu32(keyed, _mm_shuffle_epi32(keyed, 0x31));
            __m128i crossed = _mm_shuffle_epi32(data, 0x4E);
            sums[i] = _mm_add_epi64(product, _mm_add_epi64(sums[i], crossed));
        }
    #else
        for (i = 0; i < 8; i++) {
            instar_u64 data = INSTAR_64(at + 8 * i), keyed = data ^ INSTAR_64(key + 8 * i);
            acc[i ^ 1] += data;
            acc[i] += (instar_u64)(instar_u32)keyed * (keyed >> 32);
        }
    #endif
    }

    static inline void instar_scramble(instar_u64 *acc)
    {
        int i;
        for (i = 0; i < 8; i++) {
            acc[i] ^= acc[i] >> 47;
            acc[i] = (acc[i] ^ INSTAR_KEY(INSTAR_SECRET - INSTAR_STRIPE + 8 * i)) * INSTAR_P32_1;
        }
    }

    #define INSTAR_FIRST_SUMS {INSTAR_P32_3, INSTAR_P64_1, INSTAR_P64_2, INSTAR_P64_3, \\
                               INSTAR_P64_4, INSTAR_P32_2, INSTAR_P64_5, INSTAR_P32_1}

    /* All stripes but the first, which is in `acc`, and the last. */
    static void instar_stripes(instar_u64 *acc, const unsigned char *at, Py_ssize_t stripes)
    {
        Py_ssize_t i;
        for (i = 1; i < stripes; i++, at += INSTAR_STRIPE) {
            instar_stripe(acc, at, instar_secret + i % INSTAR_STRIPES * 8);
            if (i % INSTAR_STRIPES == INSTAR_STRIPES - 1)
                instar_scramble(acc);
        }
    }

    #if defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>

    /* The same, half a stripe at a time. */
    __attribute__((target("avx2")))
    static void instar_stripes_wide(instar_u64 *acc, const unsigned char *at, Py_ssize_t stripes)
    {
        const __m256i prime = _mm256_set1_epi32((int)INSTAR_P32_1);
        __m256i sums[2];
        Py_ssize_t i;
        int half;
        sums[0] = _mm256_loadu_si256((const __m256i *)acc);
        sums[1] = _mm256_loadu_si256((const __m256i *)acc + 1);
        for (i = 1; i < stripes; i++, at += INSTAR_STRIPE) {
            const __m256i *key = (const __m256i *)(instar_secret + i % INSTAR_STRIPES * 8);
            _mm_prefetch((const char *)at + 512, _MM_HINT_T0);
            for (half = 0; half < 2; half++) {
                __m256i data = _mm256_loadu_si256((const __m256i *)at + half);
                __m256i keyed = _mm256_xor_si256(data, _mm256_loadu_si256(key + half));
                __m256i product = _mm256_mul_epu32(keyed, _mm256_srli_epi64(keyed, 32));
                __m256i crossed = _mm256_shuffle_epi32(data, 0x4E);
                sums[half] = _mm256_add_epi64(product, _mm256_add_epi64(sums[half], crossed));
            }
            if (i % INSTAR_STRIPES != INSTAR_STRIPES - 1)
                continue;
            key = (const __m256i *)(instar_secret + INSTAR_SECRET - INSTAR_STRIPE);
            for (half = 0; half < 2; half++) {
                __m256i sum = _mm256_xor_si256(sums[half], _mm256_srli_epi64(sums[half], 47));
                __m256i keyed = _mm256_xor_si256(sum, _mm256_loadu_si256(key + half));
                __m256i high = _mm256_mul_epu32(_mm256_srli_epi64(keyed, 32), prime);
                sums[half] = _mm256_add_epi64(
                    _mm256_mul_epu32(keyed, prime), _mm256_slli_epi64(high, 32));
            }
        }
        _mm256_storeu_si256((__m256i *)acc, sums[0]);
        _mm256_storeu_si256((__m256i *)acc + 1, sums[1]);
    }

    #define INSTAR_IS_WIDE() __builtin_cpu_supports("avx2")
    #else
    #define INSTAR_IS_WIDE() 0
    #define instar_stripes_wide instar_stripes
    #endif

    /* More than 240 bytes: `joint` is the first stripe, and the others begin at `at`. */
    static instar_u64 instar_long(
        const unsigned char *joint, const unsigned char *at, const unsigned char *end,
        Py_ssize_t total)
    {
    #if defined(__GNUC__)
        __attribute__((aligned(16)))
    #endif
        instar_u64 acc[8] = INSTAR_FIRST_SUMS;
        instar_u64 h = (instar_u64)total * INSTAR_P64_1;
        Py_ssize_t stripes = (total - 1) / INSTAR_STRIPE, i;
        instar_stripe(acc, joint, instar_secret);
        if (INSTAR_IS_WIDE())
            instar_stripes_wide(acc, at, stripes);
        else
            instar_stripes(acc, at, stripes);
        instar_stripe(acc, end - INSTAR_STRIPE, instar_secret + INSTAR_SECRET - INSTAR_STRIPE - 7);
        for (i = 0; i < 4; i++)
            h += instar_folded(acc[2 * i] ^ INSTAR_KEY(11 + 16 * i),
                               acc[2 * i + 1] ^ INSTAR_KEY(11 + 16 * i + 8));
        return instar_avalanche(h);
    }

    /* `first` has at most 64 bytes: the header of a blob before its checksum. */
    static instar_u32 instar_checksum(
        const unsigned char *first, Py_ssize_t first_size,
        const unsigned char *second, Py_ssize_t second_size)
    {
        unsigned char joint[INSTAR_SHORT];
        Py_ssize_t total = first_size + second_size;
        Py_ssize_t taken = (total > INSTAR_SHORT ? INSTAR_STRIPE : total) - first_size;
        memcpy(joint, first, first_size);
        memcpy(joint + first_size, second, taken);
        if (total <= 16)
            return (instar_u32)instar_tiny(joint, total);
        if (total <= INSTAR_SHORT)
            return (instar_u32)instar_short(joint, total);
        return (instar_u32)instar_long(joint, second + taken, second + second_size, total);
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
