/* Kernels by teams: MEMBERS warps of CUDA share the work on 32 elements, one group on the host does it alone.
 *
 * KERNEL_TEAM(name, Arguments, Shared) { ... }   runs for every group `e`, with the arguments `a->...`
 *
 * `shared` points to a Shared, a struct of arrays of shared_real, which the members see after a BARRIER:
 *   MINE(shared->rows[i])    the group's real of a shared_real; in a function, beside a parameter `lane` that is LANE
 *   EACH(i, n) { ... }       items 0 to n - 1, shared out among the members
 *   EACH_COMPONENT(c) {...}  component c, by the member of that number; what it keeps from one such part to the next is
 *                            kept[OWN(c)] of an array kept[OWNED]
 *   MEMBER                   the number of this member, of TEAM
 *
 * Defined before: MEMBERS and, on CUDA if wished, SHARED_STRIDE, the distance of rows in shared memory. */
#ifdef __CUDACC__
#ifdef MIN_BLOCKS
#define LANES_TEAM_BOUNDS __launch_bounds__(32 * MEMBERS, MIN_BLOCKS)
#else
#define LANES_TEAM_BOUNDS __launch_bounds__(32 * MEMBERS)
#endif
#ifdef STATIC_SHARED
#define LANES_SHARED(Shared) __shared__ Shared fields; Shared *shared = &fields
#define LANES_ASKED(Shared) 0
#else
#define LANES_SHARED(Shared) extern __shared__ __align__(16) double fields[]; Shared *shared = (Shared *)fields
#define LANES_ASKED(Shared) sizeof(Shared)
#endif
#define KERNEL_TEAM(name, Arguments, Shared)                                                                           \
    DEVICE void name##_team(const Arguments *a, Shared *shared, long long e, int lane, int member);                    \
    LANES_SHAPE(name, 32 * MEMBERS, 32, LANES_ASKED(Shared));                                                          \
    extern "C" __global__ void LANES_TEAM_BOUNDS name(const __grid_constant__ Arguments a, long long n)                \
    {                                                                                                                  \
        LANES_SHARED(Shared);                                                                                          \
        const int lane = threadIdx.x % 32;                                                                             \
        name##_team(&a, shared, (long long)blockIdx.x * 32 + lane, lane, threadIdx.x / 32);                            \
    }                                                                                                                  \
    DEVICE void name##_team(const Arguments *a, Shared *shared, long long e, int lane, int member)
#ifndef SHARED_STRIDE
#define SHARED_STRIDE 32
#endif
typedef scalar shared_real[SHARED_STRIDE];
#define MINE(x) (x)[lane]
#define LANE lane
#define BARRIER __syncthreads()
#define TEAM MEMBERS
#define MEMBER member
#define EACH(i, n) _Pragma("unroll 1") for (int i = member; i < (n); i += MEMBERS)
#define EACH_COMPONENT(c) for (int c = member, once = 1; once; once = 0)
#define OWNED 1
#define OWN(c) 0

#else
#define KERNEL_TEAM(name, Arguments, Shared)                                                                           \
    DEVICE void name##_team(const Arguments *a, Shared *shared, long long e);                                          \
    extern const long long name##_arguments;                                                                           \
    const long long name##_arguments = sizeof(Arguments) / 8;                                                          \
    void name(const Arguments *a, long long begin, long long end)                                                      \
    {                                                                                                                  \
        const Arguments arguments = *a;                                                                                \
        Shared shared;                                                                                                 \
        for (long long e = begin; e < end; e += LANES) name##_team(&arguments, &shared, e);                            \
    }                                                                                                                  \
    DEVICE void name##_team(const Arguments *a, Shared *shared, long long e)
typedef real shared_real;
#define MINE(x) (x)
#define LANE 0
#define BARRIER ((void)0)
#define TEAM 1
#define MEMBER 0
#define EACH(i, n) for (int i = 0; i < (n); ++i)
#define EACH_COMPONENT(c) for (int c = 0; c < COMPONENTS; ++c)
#define OWNED COMPONENTS
#define OWN(c) (c)
#endif
