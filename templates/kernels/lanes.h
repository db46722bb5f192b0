/* The language that every kernel is written in: C with the names below, for CUDA (NVRTC) and for the system's C
 * compiler alike. A `real` is the value of one quantity on a group of LANES elements: on CUDA one element, a thread;
 * on the host a vector of VECTOR_BYTES, so that the C compiler vectorises across elements by construction.
 *
 * Defined before this text: PRECISION (double or float), BLOCK_SIZE (threads of a CUDA block), the constants that the runtime
 * knows too (BLOCK_BITS_CUDA and the like) and, for CUDA if wished, MIN_BLOCKS (blocks of a stage that a multiprocessor must be
 * able to hold, which bounds its registers).
 *
 *   scalar             one number                          R(x)            x as a scalar; every literal, `a->factor` too
 *   real               one number per lane                 splat(x)        a scalar on every lane
 *   ints               one integer per lane                mask            result of comparing two reals
 *   mask_of(c)         comparison c of two ints as a mask  m & m, m | m, not(m)
 *   select(m, a, b)    a where m, else b                   select_ints(m, a, b)
 *   any(m)             whether m holds on some lane        lane_numbers(e) the elements of group e
 *   everywhere()       the mask of all lanes               nowhere()       the mask of none
 *   at(e, i, n)        offset of field i of n of group e in [block of BLOCK elements][field][lane]
 *   at_lanes(k, i, n)  the same for elements k, one per lane (ints), as `offsets`
 *   load(p) store(p, x) load_ints(p) store_ints(p, k)      a group's numbers at p, as in load(a->u + at(e, i, n))
 *   prefetch(p)        asks for what a load(p) will want soon
 *   gather(p, k)       lane by lane p[k], k an `offsets` or ints
 *   load_tuple(v, p, e, i, n, count), store_tuple(p, e, i, n, v, count)
 *                      `count` reals v that lie together: tuple i of n of group e
 *   gather_tuple(v, p, k, i, rows, length, count)
 *                      lane by lane tuple i of row k (ints), where an element has `rows` rows of `length` tuples
 *   prefetch_tuples(p, e, n, count)   asks for the tuples of the groups that follow
 *   real_sqrt ...      functions of reals; scalar_sqrt ... the same of scalars
 *   real_reciprocal(x) 1 / x, so that quotients by the same number share it
 *
 * KERNEL(name, Arguments) { ... }           runs for every group `e` of elements, with the arguments `a->...`
 * KERNEL_BACKWARDS(name, Arguments) { ... } the same, on CUDA from the last group to the first: a cache may still hold what the
 *                                           kernel before has left last
 * KERNEL_STAGE(name, Arguments) { ... }     the same as KERNEL, of which MIN_BLOCKS blocks fit
 * KERNEL_SCALAR(name, Arguments) { ... }    runs for every item `i`, on scalars alone
 * KERNEL_BLOCK(name, Arguments) { ... }     runs once, on scalars alone, by THREADS threads of number `thread`
 *   DEVICE before a function, TABLE before a table of numbers, UNROLL before a loop whose trip count is a literal
 * PARAMETER(name)    a scalar that the runtime sets before the first launch, and no kernel changes
 * ONCE(i, x)         the scalar x, made of PARAMETERs and literals alone; the runtime keeps it as PARAMETER(once_i). Where
 *                    LITERAL_PARAMETERS is defined there are only literals, and x is computed by the compiler
 *
 * `Arguments` is a struct of pointers, doubles and long longs. A kernel's last group may reach beyond the number of
 * elements, to the end of its block; what it reads and writes there must exist and is never looked at.
 *
 * Arithmetic and comparisons are C's operators. A scalar beside a real acts on every lane; both must have PRECISION.
 * Minimum and maximum are those of Rust: a number wins over NaN. Offsets of lanes have 32 bits on the host in single
 * precision, so that a buffer which is gathered from is shorter than 8 GiB there; 64 bits elsewhere.
 *
 * Reserved beside these names: what begins with LANES_, real_ or scalar_, and what ends with _item or _arguments. */

#ifndef PRECISION
#define PRECISION double
#endif
#define LANES_JOIN_(a, b) a##b
#define LANES_JOIN(a, b) LANES_JOIN_(a, b)
#define LANES_SINGLE_float 1
/* 1 for float; for double the name stays undefined, which #if reads as 0. */
#define LANES_SINGLE LANES_JOIN(LANES_SINGLE_, PRECISION)

typedef PRECISION scalar;
#define R(x) ((scalar)(x))

#ifdef LITERAL_PARAMETERS
#define ONCE(i, x) (x)
#else
#define ONCE(i, x) once_##i
#endif

/* Elements of a block in memory. */
#define BLOCK (1 << BLOCK_BITS)

#ifdef __CUDACC__
/* ---- CUDA ---------------------------------------------------------------------------------------------------- */

#define DEVICE static __device__ __forceinline__
/* `const` lets unrolled loops share equal numbers: a tenth fewer FP64 instructions than loads from the bank at p = 3. */
#define TABLE static __constant__ const
#define PARAMETER(name) __constant__ scalar name;
#define UNROLL _Pragma("unroll")
#define LANES 1
#define BLOCK_BITS BLOCK_BITS_CUDA
#define LANES_BOUNDS __launch_bounds__(BLOCK_SIZE)
#ifdef MIN_BLOCKS
#define LANES_STAGE_BOUNDS __launch_bounds__(BLOCK_SIZE, MIN_BLOCKS)
#else
#define LANES_STAGE_BOUNDS LANES_BOUNDS
#endif

typedef scalar real;
typedef int ints;
typedef long long offsets;
typedef bool mask;

/* `not` is a word of C++ for `!`. */
#define mask_of(comparison) (comparison)
#define select(m, a, b) ((m) ? (a) : (b))
#define select_ints(m, a, b) ((m) ? (a) : (b))
DEVICE bool any(mask m) { return m; }
DEVICE mask everywhere(void) { return true; }
DEVICE real splat(scalar x) { return x; }
DEVICE ints lane_numbers(long long e) { return (int)e; }
DEVICE offsets at_lanes(ints k, int i, int n)
{
    return ((long long)(k >> BLOCK_BITS) * n + i) * BLOCK + (k & (BLOCK - 1));
}
DEVICE real load(const scalar *p) { return *p; }
DEVICE void prefetch(const scalar *p) { asm volatile("prefetch.global.L1 [%0];" : : "l"(p)); }
DEVICE void store(scalar *p, real x) { *p = x; }
DEVICE ints load_ints(const int *p) { return *p; }
DEVICE void store_ints(int *p, ints k) { *p = k; }
DEVICE real gather(const scalar *p, offsets k) { return p[k]; }

DEVICE scalar scalar_min(scalar a, scalar b) { return fmin(a, b); }
DEVICE scalar scalar_max(scalar a, scalar b) { return fmax(a, b); }

/* Reciprocal and square root to within two units in the last place, from the hardware's estimate, without a branch:
 * what the compiler makes of `/` and `sqrt` branches, and no two of them overlap. A `defect` that is not finite tells
 * that x is 0, infinite, subnormal (which counts as 0) or no number, where the estimate itself is right. */
#if LANES_SINGLE
#define LANES_ESTIMATE(operation, r, x) asm(operation ".approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x))
#else
#define LANES_ESTIMATE(operation, r, x) asm(operation ".approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x))
#endif
DEVICE scalar scalar_reciprocal(scalar x)
{
    scalar r;
    LANES_ESTIMATE("rcp", r, x);
    const scalar defect = fma(-x, r, R(1.0));
    return defect - defect == R(0.0) ? fma(r, fma(defect, defect, defect), r) : r;
}
DEVICE scalar scalar_sqrt(scalar x)
{
    scalar r; /* of 1 / sqrt(x) */
    LANES_ESTIMATE("rsqrt", r, x);
    const scalar defect = fma(-x * r, r, R(1.0));
    const scalar better = fma(r * defect, fma(R(0.375), defect, R(0.5)), r);
    const scalar root = x * better;
    const scalar special = r == r ? x : r;
    return defect - defect == R(0.0) ? fma(fma(-root, root, x), R(0.5) * better, root) : special;
}
#define LANES_FUNCTION(name, libm, single)                                                                             \
    DEVICE scalar scalar_##name(scalar x) { return libm(x); }
#define LANES_FUNCTION_2(name, libm, single)                                                                           \
    DEVICE scalar scalar_##name(scalar x, scalar y) { return libm(x, y); }

/* Of a kernel's blocks the runtime is told: the threads, the items they work on, the bytes of shared memory to ask for. */
#define LANES_SHAPE(name, threads, items, shared)                                                                      \
    extern "C" __device__ const int name##_shape[3] = {threads, items, shared}
#define LANES_ITEMS(name, Arguments, item, bounds, block)                                                              \
    DEVICE void name##_item(const Arguments *a, long long item);                                                       \
    LANES_SHAPE(name, BLOCK_SIZE, BLOCK_SIZE, 0);                                                                      \
    extern "C" __global__ void bounds name(const __grid_constant__ Arguments a, long long n)                           \
    {                                                                                                                  \
        const long long item = (long long)(block) * BLOCK_SIZE + threadIdx.x;                                          \
        if (item < n) name##_item(&a, item);                                                                           \
    }                                                                                                                  \
    DEVICE void name##_item(const Arguments *a, long long item)
#define KERNEL(name, Arguments) LANES_ITEMS(name, Arguments, e, LANES_BOUNDS, blockIdx.x)
#define KERNEL_BACKWARDS(name, Arguments) LANES_ITEMS(name, Arguments, e, LANES_BOUNDS, gridDim.x - 1 - blockIdx.x)
#define KERNEL_STAGE(name, Arguments) LANES_ITEMS(name, Arguments, e, LANES_STAGE_BOUNDS, blockIdx.x)
#define KERNEL_SCALAR(name, Arguments) LANES_ITEMS(name, Arguments, i, LANES_BOUNDS, blockIdx.x)

#define THREADS 1024
#define KERNEL_BLOCK(name, Arguments)                                                                                  \
    DEVICE void name##_block(const Arguments *a, int thread);                                                          \
    LANES_SHAPE(name, THREADS, 1, 0);                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS) name(const __grid_constant__ Arguments a, long long n)       \
    {                                                                                                                  \
        name##_block(&a, threadIdx.x);                                                                                 \
    }                                                                                                                  \
    DEVICE void name##_block(const Arguments *a, int thread)

#else
/* ---- The host: GCC's and Clang's vector extensions ------------------------------------------------------------- */

#define DEVICE static inline __attribute__((always_inline))
#define TABLE static const
#define PARAMETER(name)                                                                                                \
    static scalar name;                                                                                                \
    void LANES_set_##name(double value) { name = R(value); }
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif
#ifndef VECTOR_BYTES
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#endif
#define LANES ((int)(VECTOR_BYTES / sizeof(scalar)))
/* Rows of a block are cache lines, the longest vectors too: a kernel goes through memory from one end to the other. */
#if LANES_SINGLE
#define BLOCK_BITS BLOCK_BITS_SINGLE
#else
#define BLOCK_BITS BLOCK_BITS_DOUBLE
#endif
#define LANES_EACH(l) for (int l = 0; l < LANES; ++l)

typedef scalar real __attribute__((vector_size(VECTOR_BYTES)));
/* Integers are as wide as the scalars, so that they share the reals' masks. */
typedef __typeof__((real){0} < (real){0}) mask;
typedef mask ints;
typedef ints offsets;
/* In memory, where a group needs no alignment of its own and an integer has 32 bits. */
typedef real lanes_reals __attribute__((aligned(4), may_alias));
typedef int lanes_ints __attribute__((vector_size(VECTOR_BYTES / sizeof(scalar) * 4), aligned(4), may_alias));

#define not(m) (~(m))
#define mask_of(comparison) ((mask)(comparison))
DEVICE real select(mask m, real a, real b)
{
    real r;
    LANES_EACH(l) r[l] = m[l] ? a[l] : b[l];
    return r;
}
DEVICE ints select_ints(mask m, ints a, ints b) { return (m & a) | (~m & b); }
DEVICE int any(mask m)
{
    long long r = 0;
    LANES_EACH(l) r |= m[l];
    return r != 0;
}
DEVICE mask everywhere(void) { return (real){0} == (real){0}; }
/* Minus zero, for it keeps the sign of a zero. */
DEVICE real splat(scalar x) { return x - (real){0}; }
DEVICE ints lane_numbers(long long e)
{
    ints r;
    LANES_EACH(l) r[l] = l;
    return r + (__typeof__(r[0]))e;
}
DEVICE offsets at_lanes(ints k, int i, int n) { return ((k >> BLOCK_BITS) * n + i) * BLOCK + (k & (BLOCK - 1)); }
DEVICE real load(const scalar *p) { return *(const lanes_reals *)p; }
DEVICE void prefetch(const scalar *p) { __builtin_prefetch(p); }
DEVICE void store(scalar *p, real x) { *(lanes_reals *)p = x; }
DEVICE ints load_ints(const int *p) { return __builtin_convertvector(*(const lanes_ints *)p, ints); }
DEVICE void store_ints(int *p, ints k) { *(lanes_ints *)p = __builtin_convertvector(k, lanes_ints); }
DEVICE real gather(const scalar *p, offsets k)
{
    real r;
    LANES_EACH(l) r[l] = p[k[l]];
    return r;
}

DEVICE scalar scalar_min(scalar a, scalar b) { return (a < b) | (b != b) ? a : b; }
DEVICE scalar scalar_max(scalar a, scalar b) { return (a > b) | (b != b) ? a : b; }
#if LANES_SINGLE
#define LANES_LIBM(libm, single) __builtin_##single
#else
#define LANES_LIBM(libm, single) __builtin_##libm
#endif
#define LANES_FUNCTION(name, libm, single)                                                                             \
    DEVICE scalar scalar_##name(scalar x) { return LANES_LIBM(libm, single)(x); }
#define LANES_FUNCTION_2(name, libm, single)                                                                           \
    DEVICE scalar scalar_##name(scalar x, scalar y) { return LANES_LIBM(libm, single)(x, y); }
DEVICE scalar scalar_reciprocal(scalar x) { return R(1.0) / x; }
LANES_FUNCTION(sqrt, sqrt, sqrtf)

/* The count of arguments lets the runtime refuse a launch with too few of them. */
#define LANES_ITEMS(name, Arguments, item, step)                                                                       \
    DEVICE void name##_item(const Arguments *a, long long item);                                                       \
    extern const long long name##_arguments;                                                                           \
    const long long name##_arguments = sizeof(Arguments) / 8;                                                          \
    void name(const Arguments *a, long long begin, long long end)                                                      \
    {                                                                                                                  \
        const Arguments arguments = *a;                                                                                \
        for (long long item = begin; item < end; item += step) name##_item(&arguments, item);                          \
    }                                                                                                                  \
    DEVICE void name##_item(const Arguments *a, long long item)
#define KERNEL(name, Arguments) LANES_ITEMS(name, Arguments, e, LANES)
#define KERNEL_BACKWARDS KERNEL
#define KERNEL_STAGE KERNEL
#define KERNEL_SCALAR(name, Arguments) LANES_ITEMS(name, Arguments, i, 1)
#define THREADS 1
#define KERNEL_BLOCK(name, Arguments)                                                                                  \
    DEVICE void name##_block(const Arguments *a, int thread);                                                          \
    extern const long long name##_arguments;                                                                           \
    const long long name##_arguments = sizeof(Arguments) / 8;                                                          \
    void name(const Arguments *a, long long begin, long long end)                                                      \
    {                                                                                                                  \
        if (begin < end) name##_block(a, 0);                                                                           \
    }                                                                                                                  \
    DEVICE void name##_block(const Arguments *a, int thread)

#endif
/* ---- Both ------------------------------------------------------------------------------------------------------ */

DEVICE mask nowhere(void) { return not(everywhere()); }
DEVICE long long at(long long e, int i, int n) { return ((e >> BLOCK_BITS) * n + i) * BLOCK + (e & (BLOCK - 1)); }

/* Tuples: `count` numbers that are read and written together lie side by side: a thread of CUDA moves one in a few wide
 * accesses, its neighbour's too, and on the host a neighbour's tuples take few cache lines. On CUDA the elements of a
 * block lie side by side for every tuple; on the host an element's tuples do, so that a row is found without division. */
#ifdef __CUDACC__
typedef struct __align__(16) { scalar v[16 / sizeof(scalar)]; } lanes_wide;
#define LANES_WIDE ((int)(16 / sizeof(scalar)))
DEVICE void lanes_read_tuple(real *v, const scalar *p, int count)
{
    if (count % LANES_WIDE == 0) {
        UNROLL
        for (int c = 0; c < count; c += LANES_WIDE) {
            const lanes_wide wide = *(const lanes_wide *)(p + c);
            UNROLL
            for (int l = 0; l < LANES_WIDE; ++l) v[c + l] = wide.v[l];
        }
    } else {
        UNROLL
        for (int c = 0; c < count; ++c) v[c] = p[c];
    }
}
DEVICE void load_tuple(real *v, const scalar *p, long long e, int i, int n, int count)
{
    lanes_read_tuple(v, p + at(e, i, n) * count, count);
}
DEVICE void gather_tuple(real *v, const scalar *p, ints row, int i, int rows, int length, int count)
{
    lanes_read_tuple(v, p + at_lanes(row / rows, row % rows * length + i, rows * length) * count, count);
}
/* Other threads hide the latency. */
#define prefetch_tuples(p, e, n, count) ((void)0)
DEVICE void store_tuple(scalar *p, long long e, int i, int n, const real *v, int count)
{
    p += at(e, i, n) * count;
    if (count % LANES_WIDE == 0) {
        UNROLL
        for (int c = 0; c < count; c += LANES_WIDE) {
            lanes_wide wide;
            UNROLL
            for (int l = 0; l < LANES_WIDE; ++l) wide.v[l] = v[c + l];
            *(lanes_wide *)(p + c) = wide;
        }
    } else {
        UNROLL
        for (int c = 0; c < count; ++c) p[c] = v[c];
    }
}
#else
#define LANES_2(x, l) x(l), x((l) + 1)
#define LANES_4(x, l) LANES_2(x, l), LANES_2(x, (l) + 2)
#define LANES_8(x, l) LANES_4(x, l), LANES_4(x, (l) + 4)
#define LANES_16(x, l) LANES_8(x, l), LANES_8(x, (l) + 8)
#if LANES_SINGLE
#define LANES_NUMBER (VECTOR_BYTES / 4)
#else
#define LANES_NUMBER (VECTOR_BYTES / 8)
#endif
#if LANES_NUMBER == 2
#define LANES_LIST(x) LANES_2(x, 0)
#elif LANES_NUMBER == 4
#define LANES_LIST(x) LANES_4(x, 0)
#elif LANES_NUMBER == 8
#define LANES_LIST(x) LANES_8(x, 0)
#else
#define LANES_LIST(x) LANES_16(x, 0)
#endif
#if LANES_NUMBER == 8 && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
/* Four numbers of a tuple are moved at once, transposed in registers. */
#define LANES_SQUARES
typedef scalar lanes_four __attribute__((vector_size(4 * sizeof(scalar)), aligned(4), may_alias));
#endif
#endif
/* One tuple from each of these places. */
DEVICE void lanes_read_tuples(real *v, const scalar *const tuples[LANES], int count)
{
#ifdef LANES_SQUARES
    if (count % 4 == 0) {
        UNROLL
        for (int c = 0; c < count; c += 4) {
            real row[4];
            UNROLL
            for (int l = 0; l < 4; ++l) {
                row[l] = __builtin_shufflevector(*(const lanes_four *)(tuples[l] + c), *(const lanes_four *)(tuples[l + 4] + c),
                                                 0, 1, 2, 3, 4, 5, 6, 7);
            }
            const real even0 = __builtin_shufflevector(row[0], row[1], 0, 8, 2, 10, 4, 12, 6, 14);
            const real even2 = __builtin_shufflevector(row[2], row[3], 0, 8, 2, 10, 4, 12, 6, 14);
            const real odd0 = __builtin_shufflevector(row[0], row[1], 1, 9, 3, 11, 5, 13, 7, 15);
            const real odd2 = __builtin_shufflevector(row[2], row[3], 1, 9, 3, 11, 5, 13, 7, 15);
            v[c] = __builtin_shufflevector(even0, even2, 0, 1, 8, 9, 4, 5, 12, 13);
            v[c + 1] = __builtin_shufflevector(odd0, odd2, 0, 1, 8, 9, 4, 5, 12, 13);
            v[c + 2] = __builtin_shufflevector(even0, even2, 2, 3, 10, 11, 6, 7, 14, 15);
            v[c + 3] = __builtin_shufflevector(odd0, odd2, 2, 3, 10, 11, 6, 7, 14, 15);
        }
        return;
    }
#endif
#define LANES_ITEM(l) tuples[l][c]
    UNROLL
    for (int c = 0; c < count; ++c) v[c] = (real){LANES_LIST(LANES_ITEM)};
#undef LANES_ITEM
}
DEVICE void load_tuple(real *v, const scalar *p, long long e, int i, int n, int count)
{
    const scalar *tuples[LANES];
    UNROLL
    LANES_EACH(l) tuples[l] = p + ((e + l) * n + i) * count;
    lanes_read_tuples(v, tuples, count);
}
DEVICE void gather_tuple(real *v, const scalar *p, ints row, int i, int rows, int length, int count)
{
    const scalar *tuples[LANES];
    UNROLL
    LANES_EACH(l) tuples[l] = p + ((long long)row[l] * length + i) * count;
    lanes_read_tuples(v, tuples, count);
}
/* Two groups ahead. Neighbours read them in no order that the hardware foresees. */
DEVICE void prefetch_tuples(const scalar *p, long long e, int n, int count)
{
    for (int i = 0; i < n * count; ++i) __builtin_prefetch(p + (e + 2 * LANES) * n * count + i * LANES, 0, 2);
}
DEVICE void store_tuple(scalar *p, long long e, int i, int n, const real *v, int count)
{
    p += (e * n + i) * count;
#ifdef LANES_SQUARES
    if (count % 4 == 0) {
        UNROLL
        for (int c = 0; c < count; c += 4) {
            const real even0 = __builtin_shufflevector(v[c], v[c + 1], 0, 8, 2, 10, 4, 12, 6, 14);
            const real even2 = __builtin_shufflevector(v[c + 2], v[c + 3], 0, 8, 2, 10, 4, 12, 6, 14);
            const real odd0 = __builtin_shufflevector(v[c], v[c + 1], 1, 9, 3, 11, 5, 13, 7, 15);
            const real odd2 = __builtin_shufflevector(v[c + 2], v[c + 3], 1, 9, 3, 11, 5, 13, 7, 15);
            const real row[4] = {__builtin_shufflevector(even0, even2, 0, 1, 8, 9, 4, 5, 12, 13),
                                 __builtin_shufflevector(odd0, odd2, 0, 1, 8, 9, 4, 5, 12, 13),
                                 __builtin_shufflevector(even0, even2, 2, 3, 10, 11, 6, 7, 14, 15),
                                 __builtin_shufflevector(odd0, odd2, 2, 3, 10, 11, 6, 7, 14, 15)};
            UNROLL
            for (int l = 0; l < 4; ++l) {
                scalar *tuple = p + l * n * count + c;
                *(lanes_four *)tuple = __builtin_shufflevector(row[l], row[l], 0, 1, 2, 3);
                *(lanes_four *)(tuple + 4 * n * count) = __builtin_shufflevector(row[l], row[l], 4, 5, 6, 7);
            }
        }
        return;
    }
#endif
    UNROLL
    LANES_EACH(l) {
        UNROLL
        for (int c = 0; c < count; ++c) p[l * n * count + c] = v[c][l];
    }
}
#endif

LANES_FUNCTION(abs, fabs, fabsf)
LANES_FUNCTION(exp, exp, expf)
LANES_FUNCTION(ln, log, logf)
LANES_FUNCTION(sin, sin, sinf)
LANES_FUNCTION(cos, cos, cosf)
LANES_FUNCTION(tan, tan, tanf)
LANES_FUNCTION(tanh, tanh, tanhf)
LANES_FUNCTION(asin, asin, asinf)
LANES_FUNCTION(acos, acos, acosf)
LANES_FUNCTION(atan, atan, atanf)
LANES_FUNCTION(sinh, sinh, sinhf)
LANES_FUNCTION(cosh, cosh, coshf)
LANES_FUNCTION_2(pow, pow, powf)
LANES_FUNCTION_2(atan2, atan2, atan2f)

#ifdef __CUDACC__
#define LANES_LIFT(name)                                                                                               \
    DEVICE real real_##name(real x) { return scalar_##name(x); }
#define LANES_LIFT_2(name)                                                                                             \
    DEVICE real real_##name(real x, real y) { return scalar_##name(x, y); }
#else
#define LANES_LIFT(name)                                                                                               \
    DEVICE real real_##name(real x)                                                                                    \
    {                                                                                                                  \
        real r;                                                                                                        \
        LANES_EACH(l) r[l] = scalar_##name(x[l]);                                                                      \
        return r;                                                                                                      \
    }
#define LANES_LIFT_2(name)                                                                                             \
    DEVICE real real_##name(real x, real y)                                                                            \
    {                                                                                                                  \
        real r;                                                                                                        \
        LANES_EACH(l) r[l] = scalar_##name(x[l], y[l]);                                                                \
        return r;                                                                                                      \
    }
#endif
LANES_LIFT(sqrt)
LANES_LIFT(reciprocal)
LANES_LIFT(abs)
LANES_LIFT(exp)
LANES_LIFT(ln)
LANES_LIFT(sin)
LANES_LIFT(cos)
LANES_LIFT(tan)
LANES_LIFT(tanh)
LANES_LIFT(asin)
LANES_LIFT(acos)
LANES_LIFT(atan)
LANES_LIFT(sinh)
LANES_LIFT(cosh)
LANES_LIFT_2(min)
LANES_LIFT_2(max)
LANES_LIFT_2(pow)
LANES_LIFT_2(atan2)

/* The larger of two numbers; what is no number stays, so that it is seen. */
DEVICE real largest_or_nan(real a, real b) { return select(mask_of((a >= b) | (a != a)), a, b); }

/* x to an integer power by repeated squaring. */
DEVICE real real_powi(real x, int n)
{
    real r = splat(R(1));
    UNROLL for (unsigned m = n < 0 ? -(unsigned)n : (unsigned)n; m; m >>= 1) {
        if (m & 1) r *= x;
        x *= x;
    }
    return n < 0 ? real_reciprocal(r) : r;
}
