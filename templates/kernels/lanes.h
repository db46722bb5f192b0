/* The language that every kernel is written in: C with the names below, for CUDA (NVRTC) and for the system's C
 * compiler alike. A `real` is the value of one quantity on a group of LANES elements: on CUDA one element, a thread;
 * on the host a vector of VECTOR_BYTES, so that the C compiler vectorises across elements by construction.
 *
 * Defined before this text: PRECISION (double or float), BLOCK_SIZE (threads of a CUDA block), VECTOR_BYTES on the
 * host, the constants that the runtime knows too (CUDA_BLOCK and the like) and optionally, for CUDA, MIN_BLOCKS
 * (the number of a stage's blocks that a multiprocessor must be able to hold, which bounds its registers).
 *
 *   scalar             one number                          R(x)            x as a scalar; literals, `a->factor` too
 *   real               one number per lane                 splat(x)        a scalar on every lane
 *   ints               one integer per lane                mask            result of comparing two reals
 *   mask_of(c)         comparison c of two ints as a mask  m & m, m | m, not(m)
 *   select(m, a, b)    a where m, else b                   select_ints(m, a, b)
 *   any(m)             whether m holds on some lane        lane_numbers(e) the elements of group e
 *   everywhere()       the mask of all lanes               nowhere()       the mask of none
 *   at(e, i, n)        offset of field i of n of group e in [block of BLOCK elements][field][lane]
 *   at_lanes(k, i, n)  the same for elements k, one per lane (ints), as `offsets`
 *   load(p) store(p, x) load_ints(p) store_ints(p, k)      a group's numbers at p, as in load(a->u + at(e, i, n))
 *   prefetch(p)        prefetches the data of a later load(p)
 *   store_past_caches(p, x)   on the host: stores what is not read soon, without reading its cache lines first; p is a
 *                      multiple of VECTOR_BYTES, and others see the data after STORED_PAST_CACHES
 *   gather(p, k)       lane by lane p[k], k an `offsets` or ints
 *   add_to(p, k, x, m)                 where m, lane by lane p[k] += x, k an `offsets`; no two lanes have the same k
 *   real_sqrt ...      functions of reals; scalar_sqrt ... the same of scalars
 *   real_reciprocal(x) 1 / x; quotients with the same denominator share it
 *
 * KERNEL(name, Arguments) { ... }           runs for every group `e` of elements, with the arguments `a->...`
 * KERNEL_BACKWARDS(name, Arguments) { ... } the same, on CUDA from the last group to the first: a cache may still hold
 *                                           the data that the previous kernel wrote last
 * KERNEL_SCALAR(name, Arguments) { ... }    runs for every item `i`, on scalars alone
 * KERNEL_BLOCK(name, Arguments) { ... }     runs once, on scalars alone, by THREADS threads of number `thread`
 *   A launch may be for a range of elements, items or patches whose start is a multiple of the number in a block.
 *   DEVICE before a function, TABLE before a table of numbers, UNROLL before a loop whose trip count is a literal
 * PARAMETER(name)    a scalar that the runtime sets before the first launch; no kernel changes it
 * ONCE(i, x)         the scalar x, made of PARAMETERs and literals alone; the runtime keeps it as PARAMETER(once_i).
 * Where
 *                    LITERAL_PARAMETERS is defined there are only literals, and x is computed by the compiler
 *
 * `Arguments` is a struct of pointers, doubles and long longs. A kernel's last group may reach beyond the number of
 * elements, to the end of its block; buffers must extend that far, and their values there are never used.
 *
 * Arithmetic and comparisons are C's operators. A scalar beside a real acts on every lane; both must have PRECISION.
 * Minimum and maximum are those of Rust: a number wins over NaN. Offsets of lanes have 32 bits on the host in single
 * precision, so that gathers need buffers shorter than 8 GiB there; 64 bits elsewhere.
 *
 * Also reserved: names that begin with LANES_, lanes_, real_, scalar_ or kernel_ (the symbols of kernels), or with law_
 * (the functions of a law that the scheme calls). */

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

/* Elements of a block in memory, the block of an element and its place there, and rows of a block that begin in one
 * cache line. */
#ifdef __CUDACC__
#define BLOCK CUDA_BLOCK
#define BLOCK_OF(k) (BLOCK == 32 ? (k) >> 5 : (unsigned)(k) / BLOCK)
#define LANE_OF(k) (BLOCK == 32 ? (k)&31 : (unsigned)(k) % BLOCK)
#else
#define BLOCK LANES
#define BLOCK_OF(k) ((k) >> __builtin_ctz(BLOCK))
#define LANE_OF(k) ((k) & (BLOCK - 1))
#endif

#ifdef __CUDACC__
/* ---- CUDA ---------------------------------------------------------------------------------------------------- */

#define DEVICE static __device__ __forceinline__
/* `const` lets unrolled loops share equal numbers; at p = 3 a tenth fewer FP64 instructions than by loads. */
#define TABLE static __constant__ const
#define PARAMETER(name) __constant__ scalar name;
#define UNROLL _Pragma("unroll")
#define LANES 1
#define LINE_ROWS 1
#define LANES_BOUNDS __launch_bounds__(BLOCK_SIZE)

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
    return ((long long)BLOCK_OF(k) * n + i) * BLOCK + LANE_OF(k);
}
DEVICE real load(const scalar *p) { return *p; }
DEVICE void prefetch(const void *p) { asm volatile("prefetch.global.L1 [%0];" : : "l"(p)); }
DEVICE void store(scalar *p, real x) { *p = x; }
DEVICE ints load_ints(const int *p) { return *p; }
DEVICE void store_ints(int *p, ints k) { *p = k; }
DEVICE real gather(const scalar *p, offsets k) { return p[k]; }
DEVICE void add_to(scalar *p, offsets k, real x, mask live)
{
    if (live) p[k] += x;
}

DEVICE scalar scalar_min(scalar a, scalar b) { return fmin(a, b); }
DEVICE scalar scalar_max(scalar a, scalar b) { return fmax(a, b); }

/* Reciprocal and square root to within two units in the last place, from the hardware's estimate, without a branch: the
 * compiler's code for `/` and `sqrt` branches, and no two of them overlap. If `defect` is not finite, x is 0, infinite,
 * subnormal (which counts as 0) or NaN, and the estimate itself is right. */
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

/* From Hopper on a kernel is launched while the one before it runs, and its blocks start as soon as that has ended.
 * Here they wait until all that it wrote can be read. Every kernel begins with this: one that did not wait could end
 * before the kernel before it, and the next one would rely on both. */
#if __CUDA_ARCH__ >= 900
#define LANES_WAIT_FOR_LAST_KERNEL asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define LANES_WAIT_FOR_LAST_KERNEL
#endif

/* The shape of a kernel's blocks, for the runtime: threads, items that they work on, bytes of shared memory. */
#define LANES_SHAPE(name, threads, items, shared)                                                                      \
    extern "C" __device__ const int kernel_##name##_shape[3] = {threads, items, shared}
#define LANES_ITEMS(name, Arguments, item, bounds, block)                                                              \
    DEVICE void kernel_##name##_item(const Arguments *a, long long item);                                              \
    LANES_SHAPE(name, BLOCK_SIZE, BLOCK_SIZE, 0);                                                                      \
    extern "C" __global__ void bounds                                                                                  \
        kernel_##name(const __grid_constant__ Arguments a, unsigned first, long long end)                              \
    {                                                                                                                  \
        LANES_WAIT_FOR_LAST_KERNEL;                                                                                    \
        const long long item = (long long)(first + (block)) * BLOCK_SIZE + threadIdx.x;                                \
        if (item < end) kernel_##name##_item(&a, item);                                                                \
    }                                                                                                                  \
    DEVICE void kernel_##name##_item(const Arguments *a, long long item)
#define KERNEL(name, Arguments) LANES_ITEMS(name, Arguments, e, LANES_BOUNDS, blockIdx.x)
#define KERNEL_BACKWARDS(name, Arguments) LANES_ITEMS(name, Arguments, e, LANES_BOUNDS, gridDim.x - 1 - blockIdx.x)
#define KERNEL_SCALAR(name, Arguments) LANES_ITEMS(name, Arguments, i, LANES_BOUNDS, blockIdx.x)

#define THREADS 1024
#define KERNEL_BLOCK(name, Arguments)                                                                                  \
    DEVICE void kernel_##name##_block(const Arguments *a, int thread);                                                 \
    LANES_SHAPE(name, THREADS, 1, 0);                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                              \
        kernel_##name(const __grid_constant__ Arguments a, unsigned first, long long end)                              \
    {                                                                                                                  \
        LANES_WAIT_FOR_LAST_KERNEL;                                                                                    \
        kernel_##name##_block(&a, threadIdx.x);                                                                        \
    }                                                                                                                  \
    DEVICE void kernel_##name##_block(const Arguments *a, int thread)

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
#define LANES ((int)(VECTOR_BYTES / sizeof(scalar)))
/* A block is a group, so that a kernel runs through memory from start to end. */
#define LINE_ROWS (64 / VECTOR_BYTES)
#define LANES_EACH(l) for (int l = 0; l < LANES; ++l)

typedef scalar real __attribute__((vector_size(VECTOR_BYTES)));
/* Integers are as wide as the scalars, so that they share the reals' masks. */
typedef __typeof__((real){0} < (real){0}) mask;
typedef mask ints;
typedef ints offsets;
/* The types in memory: groups need no alignment of their own, and integers have 32 bits. */
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
/* Subtracts zero: adding it would lose the sign of -0. */
DEVICE real splat(scalar x) { return x - (real){0}; }
DEVICE ints lane_numbers(long long e)
{
    ints r;
    LANES_EACH(l) r[l] = l;
    return r + (__typeof__(r[0]))e;
}
DEVICE offsets at_lanes(ints k, int i, int n) { return (BLOCK_OF(k) * n + i) * BLOCK + LANE_OF(k); }
DEVICE real load(const scalar *p) { return *(const lanes_reals *)p; }
/* To the second cache: what is asked for early is more than the first one holds. */
DEVICE void prefetch(const void *p) { __builtin_prefetch(p, 0, 2); }
DEVICE void store(scalar *p, real x) { *(lanes_reals *)p = x; }
#if defined(__clang__)
DEVICE void store_past_caches(scalar *p, real x) { __builtin_nontemporal_store(x, (real *)p); }
#else
/* Instructions for vectors of integers serve both precisions. */
typedef long long lanes_words __attribute__((vector_size(VECTOR_BYTES), may_alias));
#if defined(__AVX512F__) && VECTOR_BYTES == 64
DEVICE void store_past_caches(scalar *p, real x) { __builtin_ia32_movntdq512((lanes_words *)p, (lanes_words)x); }
#elif defined(__AVX__) && VECTOR_BYTES == 32
DEVICE void store_past_caches(scalar *p, real x) { __builtin_ia32_movntdq256((lanes_words *)p, (lanes_words)x); }
#elif defined(__SSE2__) && VECTOR_BYTES == 16
DEVICE void store_past_caches(scalar *p, real x) { __builtin_ia32_movntdq((lanes_words *)p, (lanes_words)x); }
#else
DEVICE void store_past_caches(scalar *p, real x) { store(p, x); }
#endif
#endif
#ifdef __SSE2__
#define STORED_PAST_CACHES __builtin_ia32_sfence()
#else
#define STORED_PAST_CACHES ((void)0)
#endif
DEVICE ints load_ints(const int *p) { return __builtin_convertvector(*(const lanes_ints *)p, ints); }
DEVICE void store_ints(int *p, ints k) { *(lanes_ints *)p = __builtin_convertvector(k, lanes_ints); }
/* Unrolled, so that the compiler makes loads of it: the instruction that gathers takes longer on an AMD EPYC. */
DEVICE real gather(const scalar *p, offsets k)
{
    scalar r[LANES];
    UNROLL
    LANES_EACH(l) r[l] = p[k[l]];
    return load(r);
}
DEVICE void add_to(scalar *p, offsets k, real x, mask live)
{
    LANES_EACH(l)
    {
        if (live[l]) p[k[l]] += x[l];
    }
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
    DEVICE void kernel_##name##_item(const Arguments *a, long long item);                                              \
    extern const long long kernel_##name##_arguments;                                                                  \
    const long long kernel_##name##_arguments = sizeof(Arguments) / 8;                                                 \
    void kernel_##name(const Arguments *a, long long begin, long long end)                                             \
    {                                                                                                                  \
        const Arguments arguments = *a;                                                                                \
        for (long long item = begin; item < end; item += step) kernel_##name##_item(&arguments, item);                 \
    }                                                                                                                  \
    DEVICE void kernel_##name##_item(const Arguments *a, long long item)
#define KERNEL(name, Arguments) LANES_ITEMS(name, Arguments, e, LANES)
#define KERNEL_BACKWARDS KERNEL
#define KERNEL_SCALAR(name, Arguments) LANES_ITEMS(name, Arguments, i, 1)
#define THREADS 1
#define KERNEL_BLOCK(name, Arguments)                                                                                  \
    DEVICE void kernel_##name##_block(const Arguments *a, int thread);                                                 \
    extern const long long kernel_##name##_arguments;                                                                  \
    const long long kernel_##name##_arguments = sizeof(Arguments) / 8;                                                 \
    void kernel_##name(const Arguments *a, long long begin, long long end)                                             \
    {                                                                                                                  \
        if (begin < end) kernel_##name##_block(a, 0);                                                                  \
    }                                                                                                                  \
    DEVICE void kernel_##name##_block(const Arguments *a, int thread)

#endif
/* ---- Both ------------------------------------------------------------------------------------------------------ */

DEVICE mask nowhere(void) { return not(everywhere()); }
DEVICE long long at(long long e, int i, int n) { return (BLOCK_OF(e) * n + i) * BLOCK + LANE_OF(e); }

LANES_FUNCTION(abs, fabs, fabsf)
LANES_FUNCTION(cbrt, cbrt, cbrtf)
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
LANES_LIFT(cbrt)
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

/* The larger of two numbers; NaN if `a` is NaN or `b` is, so that it is seen. */
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
