/* Kernels by patches: a block of CUDA, or one core of the host in its cache, works on PATCH elements that lie together.
 *
 * KERNEL_PATCH(name, Arguments, Shared) { ... }   runs for every `patch`, with the arguments `a->...`
 *
 * `shared` points to a Shared, which all threads of the patch see after a BARRIER. On CUDA a thread has WIDTH
 * elements of the patch, and of those one component where MEMBERS is COMPONENTS, all of them where MEMBERS is 1; on
 * the host one thread has all; with TRIPLE a thread has three components. The elements of a thread lie STRIDE apart.
 *   EACH_GROUP(local) { ... }      groups of the patch; `local` is the number of the first element within the patch
 *   EACH_COMPONENT(c) { ... }      components; a thread keeps data of component c in kept[OWN(c)], an array kept[OWNED]
 *   EACH_MINE(i, n) { ... }        items 0 to n - 1 of a group, divided among its members
 *   EACH_OF_PATCH(i, n) { ... }    items 0 to n - 1 of the patch, divided among its threads
 *   EACH_POINT(i, k, first, n) { ... }   points k of faces first + i, i = 0 to n - 1, LANES faces at once
 *   EACH_FACE_OF_PATCH(i, n) { ... }     faces 0 to n - 1 of the patch with all of their points, LANES faces at once
 *   EARLY(statement)               executes a statement early on CUDA, whose threads keep its result
 *   AGAIN(statement)               repeats it on the host, where every EACH_GROUP begins anew
 *   MEMBER                         the number of this member, of TEAM
 *   EACH_ELEMENT(w) { ... }        elements of the thread, `local` + w * STRIDE
 *   fetch(to, from)                copies a number to shared memory; it is there after FETCHED and a BARRIER
 *   ask_for(p, bytes)              prefetches data that the patch will use soon
 *
 * A row of shared memory has one number for every element of the patch; the next row is ROW numbers further. ROWS_OF(c)
 * are a group's numbers in the rows of component c, GROUP_ROW numbers apart: on CUDA a part of these rows; on the host,
 * where groups follow each other, the same few cache lines for every group.
 *
 * Defined before: PATCH_BLOCKS and, on CUDA if wished, ROW_PADDING, numbers between rows. */

/* Elements of a patch: whole blocks of CUDA, for which elements are numbered, and on the host also whole groups of at
 * most 16 lanes. */
#if defined(__CUDACC__) || PATCH_BLOCKS * CUDA_BLOCK % 16 == 0
#define PATCH (PATCH_BLOCKS * CUDA_BLOCK)
#else
#define PATCH (PATCH_BLOCKS * 32)
#endif
#if defined(__CUDACC__) && SCHEDULE == PAIR
#define WIDTH 2
#else
#define WIDTH 1
#endif
#ifndef ROW_PADDING
#define ROW_PADDING 0
#endif
#define ROW (PATCH + ROW_PADDING)
#define STRIDE (PATCH / WIDTH)
#define EACH_ELEMENT(w) UNROLL for (int w = 0; w < WIDTH; ++w)
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

#ifdef __CUDACC__
#if SCHEDULE == ELEMENT
#define MEMBERS 1
#define OWNED COMPONENTS
#define OWN(c) (c)
#define EACH_COMPONENT(c) UNROLL for (int c = 0; c < COMPONENTS; ++c)
#else
#define OWNED (SCHEDULE == TRIPLE ? 3 : 1)
#define MEMBERS (COMPONENTS / OWNED)
#define OWN(c) own_##c
#define EACH_COMPONENT(c)                                                                                              \
    UNROLL for (int own_##c = 0, c = MEMBER * OWNED; own_##c < OWNED; ++own_##c, c = MEMBER * OWNED + own_##c)
#endif
#define PATCH_THREADS (STRIDE * MEMBERS)
#ifdef MIN_BLOCKS
#define LANES_PATCH_BOUNDS __launch_bounds__(PATCH_THREADS, MIN_BLOCKS)
#else
#define LANES_PATCH_BOUNDS __launch_bounds__(PATCH_THREADS)
#endif
#define KERNEL_PATCH(name, Arguments, Shared)                                                                          \
    DEVICE void kernel_##name##_patch(const Arguments *a, Shared *shared, long long patch, int thread);                \
    LANES_SHAPE(name, PATCH_THREADS, PATCH, sizeof(Shared));                                                           \
    extern "C" __global__ void LANES_PATCH_BOUNDS                                                                      \
        kernel_##name(const __grid_constant__ Arguments a, unsigned first, long long end)                              \
    {                                                                                                                  \
        LANES_WAIT_FOR_LAST_KERNEL;                                                                                    \
        extern __shared__ __align__(16) double fields[];                                                               \
        kernel_##name##_patch(&a, (Shared *)fields, first + blockIdx.x, threadIdx.x);                                  \
    }                                                                                                                  \
    DEVICE void kernel_##name##_patch(const Arguments *a, Shared *shared, long long patch, int thread)
#define BARRIER __syncthreads()
#define MEMBER (thread / STRIDE)
#define TEAM MEMBERS
#define EACH_GROUP(local) for (int local = thread % STRIDE, once = 1; once; once = 0)
#define GROUP_ROW ROW
#define ROWS_OF(c) (shared->rows[c] + local)
#define EACH_MINE(i, n) _Pragma("unroll 1") for (int i = MEMBER; i < (n); i += MEMBERS)
/* Most such loops run once. */
#define EACH_OF_PATCH(i, n) _Pragma("unroll 1") for (int i = thread; i < (n); i += PATCH_THREADS)
#define EACH_POINT(i, k, first, n)                                                                                     \
    _Pragma("unroll 1") for (int item = thread, i, k;                                                                  \
                             item < (n)*FACE_POINTS && (k = item / (n), i = (first) + item - k * (n), true);           \
                             item += PATCH_THREADS)
#define EACH_FACE_OF_PATCH EACH_OF_PATCH
#define EARLY(statement) statement
#define AGAIN(statement)
#if __CUDA_ARCH__ >= 800
DEVICE void fetch(scalar *to, const scalar *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "n"(sizeof(scalar)));
}
#define FETCHED asm volatile("cp.async.wait_all;" : : : "memory")
#else
DEVICE void fetch(scalar *to, const scalar *from) { *to = *from; }
#define FETCHED ((void)0)
#endif
#define CACHE_LINE 128
#define ask_for(p, bytes)                                                                                              \
    EACH_OF_PATCH(line, (int)(((unsigned)(bytes) + CACHE_LINE - 1) / CACHE_LINE))                                      \
        prefetch((const char *)(p) + CACHE_LINE * line)
/* Whether a lane of EACH_POINT has an item. */
#define IS_ITEM(i, first, n) true
/* The items of those that have; of the others the first one, see scatter. */
DEVICE ints items_of_lanes(ints items, mask live) { return items; }
DEVICE void scatter(scalar *p, offsets k, real x) { p[k] = x; }

#else
#define KERNEL_PATCH(name, Arguments, Shared)                                                                          \
    DEVICE void kernel_##name##_patch(const Arguments *a, Shared *shared, long long patch, int thread);                \
    extern const long long kernel_##name##_arguments;                                                                  \
    const long long kernel_##name##_arguments = sizeof(Arguments) / 8;                                                 \
    extern const long long kernel_##name##_patch_size;                                                                 \
    const long long kernel_##name##_patch_size = PATCH;                                                                \
    void kernel_##name(const Arguments *a, long long begin, long long end)                                             \
    {                                                                                                                  \
        const Arguments arguments = *a;                                                                                \
        Shared shared;                                                                                                 \
        for (long long e = begin; e < end; e += PATCH) kernel_##name##_patch(&arguments, &shared, e / PATCH, 0);       \
        STORED_PAST_CACHES;                                                                                            \
    }                                                                                                                  \
    DEVICE void kernel_##name##_patch(const Arguments *a, Shared *shared, long long patch, int thread)
#define BARRIER ((void)0)
#define MEMBER 0
#define TEAM 1
#define EACH_GROUP(local) for (int local = 0; local < PATCH; local += LANES)
#define GROUP_ROW LANES
#define ROWS_OF(c) (shared->rows[c])
#define EACH_MINE(i, n) for (int i = 0; i < (n); ++i)
#define EACH_COMPONENT(c) for (int c = 0; c < COMPONENTS; ++c)
#define EACH_OF_PATCH(i, n) for (int i = 0; i < (n); ++i)
#define EACH_POINT(i, k, first, n)                                                                                     \
    for (int k = 0; k < FACE_POINTS; ++k)                                                                              \
        for (int i = (first); i < (first) + (n); i += LANES)
#define EACH_FACE_OF_PATCH(i, n) for (int i = 0; i < (n); i += LANES)
#define EARLY(statement)
#define AGAIN(statement) statement
DEVICE void fetch(scalar *to, const scalar *from) { *to = *from; }
#define FETCHED ((void)0)
#define CACHE_LINE 64
#define ask_for(p, bytes)                                                                                              \
    for (const char *line = (const char *)(p); line < (const char *)(p) + (bytes); line += CACHE_LINE) prefetch(line)
#define IS_ITEM(i, first, n) mask_of(lane_numbers(i) < (int)((first) + (n)))
#define OWNED COMPONENTS
#define OWN(c) (c)
DEVICE ints items_of_lanes(ints items, mask live) { return select_ints(live, items, 0 * items + items[0]); }
/* The first lane is the last to store: lanes without an item of their own change nothing. */
DEVICE void scatter(scalar *p, offsets k, real x)
{
    UNROLL
    for (int l = LANES - 1; l >= 0; --l) p[k[l]] = x[l];
}
#endif

/* The columns that a stage keeps for a thread; on the host components pass through one, one after the other, where that
 * is possible: more would neither fit the registers nor the first cache. */
#if defined(__CUDACC__) || SCHEDULE == ELEMENT || defined(LIFTED)
#define COLUMNS OWNED
#define COLUMN(c) OWN(c)
#else
#define ONE_COLUMN
#define COLUMNS 1
#define COLUMN(c) 0
#endif

/* Rows of values at the points of the faces: TRACE_ROW(f, k) is that of point k of face f. */
#define TRACES (FACES * FACE_POINTS)
#define TRACE_ROW(f, k) ((k)*FACES + (f))

/* The weight of a point in what face_flux leaves for it, where tables of the faces are not weighted. */
#ifdef WEIGHTED_TERMS
#define FACE_FACTOR(k) face_weights[k]
#else
#define FACE_FACTOR(k) R(1.0)
#endif

/* Numbers at every point of a face that bound the next step: the wave speed, and the diffusivity of a viscous flux. */
#ifdef VISCOUS
#define FACE_BOUNDS 2
#else
#define FACE_BOUNDS 1
#endif

/* The offset of number f * PATCH + local among the traces of a component at the first point. */
DEVICE ints place_of(ints number) { return ROW_PADDING == 0 ? number : number / PATCH * ROW + number % PATCH; }

/* Rows of values at VOLUME_CHUNK points of the volume: on CUDA in place of the rows at faces, on the host a group's
 * own. */
#if defined(__CUDACC__) && defined(CUDA_VOLUME_CHUNK)
#define VOLUME_CHUNK CUDA_VOLUME_CHUNK
#else
#define VOLUME_CHUNK VOLUME_POINTS
#endif
#ifdef __CUDACC__
#define SHARED_ROWS LARGER(SCHEDULE == ELEMENT ? FACE_ROWS : LARGER(FACE_ROWS, VOLUME_ROWS), KEPT_ROWS)
#endif
