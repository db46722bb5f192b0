/* Tuples: `count` numbers that belong together lie side by side.
 *
 *   scatter_tuple(p, k, v, count, m)   where m, stores `count` reals v in tuple k (ints), whose numbers lie together
 *
 * On the host also with room for TUPLE(count) numbers, so that four of a lane are moved at once:
 *
 *   gather_tuples(v, p, k, count)      the reals v of tuple k of each lane
 *   scatter_tuples(p, k, v, count)     stores them; of lanes with the same k the first one's remain
 *   load_tuples(v, p, count)           the same of the tuples that lie from p on, one for every lane
 *   store_tuples(p, v, count) */
#ifdef __CUDACC__
typedef struct __align__(16) { scalar v[16 / sizeof(scalar)]; } lanes_wide;
#define LANES_WIDE ((int)(16 / sizeof(scalar)))
DEVICE void scatter_tuple(scalar *p, ints k, const real *v, int count, mask live)
{
    p += (long long)k * count;
    if (count % LANES_WIDE == 0) {
        UNROLL
        for (int c = 0; c < count; c += LANES_WIDE) {
            lanes_wide wide;
            UNROLL
            for (int l = 0; l < LANES_WIDE; ++l) wide.v[l] = v[c + l];
            if (live) *(lanes_wide *)(p + c) = wide;
        }
    } else {
        UNROLL
        for (int c = 0; c < count; ++c) {
            if (live) p[c] = v[c];
        }
    }
}
#else
#define TUPLE(count) ((count) == 1 ? 1 : ((count) + 3) / 4 * 4)

/* Whether vectors are transposed in registers, in shuffles of the numbers of two. */
#define LANES_COUNT (VECTOR_BYTES / (LANES_SINGLE ? 4 : 8))
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector) && LANES_COUNT >= 4 && LANES_COUNT <= 16
#define LANES_SHUFFLED
#endif
#endif

#ifdef LANES_SHUFFLED
/* Four numbers of one lane. */
typedef scalar lanes_quad __attribute__((vector_size(4 * sizeof(scalar)), aligned(sizeof(scalar)), may_alias));
#define LANES_QUADS (LANES / 4)

/* A vector of so many quads, and back; and the numbers of two vectors: the even ones, the odd ones, and, in turns,
 * those of the lower halves, and of the upper ones. */
#if LANES_COUNT == 4
DEVICE real lanes_join(const lanes_quad q[LANES_QUADS]) { return q[0]; }
DEVICE void lanes_split(lanes_quad q[LANES_QUADS], real v) { q[0] = v; }
#define LANES_EVEN 0, 2, 4, 6
#define LANES_ODD 1, 3, 5, 7
#define LANES_LOWER 0, 4, 1, 5
#define LANES_UPPER 2, 6, 3, 7
#elif LANES_COUNT == 8
DEVICE real lanes_join(const lanes_quad q[LANES_QUADS])
{
    return __builtin_shufflevector(q[0], q[1], 0, 1, 2, 3, 4, 5, 6, 7);
}
DEVICE void lanes_split(lanes_quad q[LANES_QUADS], real v)
{
    q[0] = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    q[1] = __builtin_shufflevector(v, v, 4, 5, 6, 7);
}
#define LANES_EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define LANES_ODD 1, 3, 5, 7, 9, 11, 13, 15
#define LANES_LOWER 0, 8, 1, 9, 2, 10, 3, 11
#define LANES_UPPER 4, 12, 5, 13, 6, 14, 7, 15
#else
typedef scalar lanes_octet __attribute__((vector_size(8 * sizeof(scalar))));
DEVICE real lanes_join(const lanes_quad q[LANES_QUADS])
{
    const lanes_octet lower = __builtin_shufflevector(q[0], q[1], 0, 1, 2, 3, 4, 5, 6, 7);
    const lanes_octet upper = __builtin_shufflevector(q[2], q[3], 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
DEVICE void lanes_split(lanes_quad q[LANES_QUADS], real v)
{
    q[0] = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    q[1] = __builtin_shufflevector(v, v, 4, 5, 6, 7);
    q[2] = __builtin_shufflevector(v, v, 8, 9, 10, 11);
    q[3] = __builtin_shufflevector(v, v, 12, 13, 14, 15);
}
#define LANES_EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define LANES_ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LANES_LOWER 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define LANES_UPPER 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#endif

/* From the quads of all lanes, one after the other in four vectors, to vectors of their first to fourth numbers. */
DEVICE void lanes_transpose(real v[4], const real quads[4])
{
    const real even[2] = {__builtin_shufflevector(quads[0], quads[1], LANES_EVEN),
                          __builtin_shufflevector(quads[2], quads[3], LANES_EVEN)};
    const real odd[2] = {__builtin_shufflevector(quads[0], quads[1], LANES_ODD),
                         __builtin_shufflevector(quads[2], quads[3], LANES_ODD)};
    v[0] = __builtin_shufflevector(even[0], even[1], LANES_EVEN);
    v[1] = __builtin_shufflevector(odd[0], odd[1], LANES_EVEN);
    v[2] = __builtin_shufflevector(even[0], even[1], LANES_ODD);
    v[3] = __builtin_shufflevector(odd[0], odd[1], LANES_ODD);
}

/* And back, of numbers c to c + 3 of `count`. */
DEVICE void lanes_transpose_back(real quads[4], const real *v, int c, int count)
{
    /* What fills a tuple up is of no account. */
    const real zero = v[c], one = v[c + 1 < count ? c + 1 : c];
    const real two = v[c + 2 < count ? c + 2 : c], three = v[c + 3 < count ? c + 3 : c];
    const real even[2] = {__builtin_shufflevector(zero, two, LANES_LOWER),
                          __builtin_shufflevector(zero, two, LANES_UPPER)};
    const real odd[2] = {__builtin_shufflevector(one, three, LANES_LOWER),
                         __builtin_shufflevector(one, three, LANES_UPPER)};
    quads[0] = __builtin_shufflevector(even[0], odd[0], LANES_LOWER);
    quads[1] = __builtin_shufflevector(even[0], odd[0], LANES_UPPER);
    quads[2] = __builtin_shufflevector(even[1], odd[1], LANES_LOWER);
    quads[3] = __builtin_shufflevector(even[1], odd[1], LANES_UPPER);
}
#endif

DEVICE void scatter_tuple(scalar *p, ints k, const real *v, int count, mask live)
{
#ifdef LANES_SHUFFLED
    if (count % 4 == 0) {
        UNROLL
        for (int c = 0; c < count; c += 4) {
            real quads[4];
            lanes_transpose_back(quads, v, c, count);
            UNROLL
            for (int m = 0; m < 4; ++m) {
                lanes_quad parts[LANES_QUADS];
                lanes_split(parts, quads[m]);
                UNROLL
                for (int i = 0; i < LANES_QUADS; ++i) {
                    const int l = m * LANES_QUADS + i;
                    if (live[l]) *(lanes_quad *)(p + (long long)k[l] * count + c) = parts[i];
                }
            }
        }
        return;
    }
#endif
    LANES_EACH(l) {
        if (live[l]) {
            for (int c = 0; c < count; ++c) p[(long long)k[l] * count + c] = v[c][l];
        }
    }
}

DEVICE void gather_tuples(real *v, const scalar *p, ints k, int count)
{
    const ints place = k * TUPLE(count);
#ifdef LANES_SHUFFLED
    UNROLL
    for (int c = 0; c < count && count > 1; c += 4) {
        real quads[4], numbers[4];
        UNROLL
        for (int m = 0; m < 4; ++m) {
            lanes_quad parts[LANES_QUADS];
            UNROLL
            for (int i = 0; i < LANES_QUADS; ++i) {
                parts[i] = *(const lanes_quad *)(p + place[m * LANES_QUADS + i] + c);
            }
            quads[m] = lanes_join(parts);
        }
        lanes_transpose(numbers, quads);
        UNROLL
        for (int i = 0; i < 4; ++i) {
            if (c + i < count) v[c + i] = numbers[i];
        }
    }
    if (count > 1) return;
#endif
    UNROLL
    for (int c = 0; c < count; ++c) v[c] = gather(p + c, place);
}

DEVICE void scatter_tuples(scalar *p, ints k, const real *v, int count)
{
    const ints place = k * TUPLE(count);
#ifdef LANES_SHUFFLED
    UNROLL
    for (int c = 0; c < count && count > 1; c += 4) {
        real quads[4];
        lanes_transpose_back(quads, v, c, count);
        UNROLL
        for (int m = 3; m >= 0; --m) {
            lanes_quad parts[LANES_QUADS];
            lanes_split(parts, quads[m]);
            UNROLL
            for (int i = LANES_QUADS - 1; i >= 0; --i) {
                *(lanes_quad *)(p + place[m * LANES_QUADS + i] + c) = parts[i];
            }
        }
    }
    if (count > 1) return;
#endif
    UNROLL
    for (int c = 0; c < count; ++c) {
        UNROLL
        for (int l = LANES - 1; l >= 0; --l) p[place[l] + c] = v[c][l];
    }
}

DEVICE void load_tuples(real *v, const scalar *p, int count)
{
#ifdef LANES_SHUFFLED
    if (TUPLE(count) == 4) {
        real quads[4], numbers[4];
        UNROLL
        for (int m = 0; m < 4; ++m) quads[m] = load(p + m * LANES);
        lanes_transpose(numbers, quads);
        UNROLL
        for (int c = 0; c < count; ++c) v[c] = numbers[c];
        return;
    }
#endif
    gather_tuples(v, p, lane_numbers(0), count);
}

DEVICE void store_tuples(scalar *p, const real *v, int count)
{
#ifdef LANES_SHUFFLED
    if (TUPLE(count) == 4) {
        real quads[4];
        lanes_transpose_back(quads, v, 0, count);
        UNROLL
        for (int m = 0; m < 4; ++m) store(p + m * LANES, quads[m]);
        return;
    }
#endif
    scatter_tuples(p, lane_numbers(0), v, count);
}
#endif
