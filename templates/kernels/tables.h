/* Qualifiers of a unit's tables, beside TABLE, whose entries are read at indices known to the compiler. */
#ifdef __CUDACC__
/* For kernels that run rarely: not in the constant bank, whose 64 KB the others need. */
#define RARE_TABLE static __device__ const
#define CUDA_UNROLL UNROLL
#define NO_UNROLL _Pragma("unroll 1")
DEVICE ints gather_ints(const int *p, ints i) { return p[i]; }
#else
#define RARE_TABLE static const
#define CUDA_UNROLL
#define NO_UNROLL
DEVICE ints gather_ints(const int *p, ints i)
{
    ints r;
    LANES_EACH(l) r[l] = p[i[l]];
    return r;
}
#endif

