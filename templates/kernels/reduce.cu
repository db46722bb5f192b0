/* Reduces columns of numbers by a factor of REDUCTION per launch, always in the same order.
 * NaN wins over every minimum and maximum, so that it is seen. */

typedef struct {
    const scalar *values;     /* in: [rows]; [column][stride], the first `rows` of each are used */
    scalar *partial;          /* out: [partials]; [column][partial_stride], the first `partials` of each */
    long long rows;           /* in */
    long long stride;         /* in */
    long long partials;       /* in; ceil(rows / REDUCTION) */
    long long partial_stride; /* in */
    long long operation;      /* in; REDUCE_SUM, REDUCE_MIN or REDUCE_MAX */
} ReduceArguments;

/* The sum, the smaller or the larger of two numbers; NaN if one of them is NaN. */
DEVICE scalar reduce_pair(long long operation, scalar a, scalar b)
{
    if (operation == REDUCE_SUM) {
        return a + b;
    }
    return (operation == REDUCE_MIN ? b >= a : b <= a) || a != a ? a : b;
}

/* The reduction of `mine` over all threads of a block. */
DEVICE scalar reduce_block(long long operation, scalar mine, int thread)
{
#ifdef __CUDACC__
    __shared__ scalar of_warp[THREADS / 32];
    for (int distance = 16; distance > 0; distance /= 2) {
        mine = reduce_pair(operation, mine, __shfl_xor_sync(~0u, mine, distance));
    }
    if (thread % 32 == 0) {
        of_warp[thread / 32] = mine;
    }
    __syncthreads();
    mine = of_warp[thread % (THREADS / 32)];
    for (int distance = THREADS / 64; distance > 0; distance /= 2) {
        mine = reduce_pair(operation, mine, __shfl_xor_sync(~0u, mine, distance));
    }
#else
#endif
    return mine;
}

KERNEL_SCALAR(reduce, ReduceArguments)
{
    /* A 64-bit division would take longer than all the rest. Items are fewer than elements, whose numbers fit 32
     * bits. */
    const long long column = (unsigned)i / (unsigned)a->partials;
    const long long first = i - column * a->partials;
    const scalar *values = a->values + column * a->stride;
    scalar result = values[first];
    for (long long row = first + a->partials; row < a->rows; row += a->partials) {
        result = reduce_pair(a->operation, result, values[row]);
    }
    a->partial[column * a->partial_stride + first] = result;
}
