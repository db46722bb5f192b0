/* Reduces columns of numbers by a factor of REDUCTION per launch, always in the same order.
 * Non-numbers win over every minimum and maximum, so that they are seen. */
#define REDUCTION 64
#define REDUCE_SUM 0
#define REDUCE_MIN 1
#define REDUCE_MAX 2

typedef struct {
    const scalar *values;    /* in: [column][stride], the first `rows` of each are used */
    scalar *partial;         /* out: [column][partial_stride], the first `partials` of each */
    long long rows;          /* in */
    long long stride;        /* in */
    long long partials;      /* in: ceil(rows / REDUCTION) */
    long long partial_stride; /* in */
    long long operation;     /* in */
} ReduceArguments;

/* The smaller and the larger of two numbers, and what is no number if one of them is none. */
DEVICE scalar reduce_min(scalar a, scalar b) { return b >= a || a != a ? a : b; }
DEVICE scalar reduce_max(scalar a, scalar b) { return b <= a || a != a ? a : b; }

/* The smallest number of all threads of a block. */
DEVICE scalar smallest_of_block(scalar mine, int thread)
{
#ifdef __CUDACC__
    __shared__ scalar of_warp[THREADS / 32];
    for (int distance = 16; distance > 0; distance /= 2) {
        mine = reduce_min(mine, __shfl_xor_sync(~0u, mine, distance));
    }
    if (thread % 32 == 0) {
        of_warp[thread / 32] = mine;
    }
    __syncthreads();
    mine = of_warp[thread % (THREADS / 32)];
    for (int distance = THREADS / 64; distance > 0; distance /= 2) {
        mine = reduce_min(mine, __shfl_xor_sync(~0u, mine, distance));
    }
#else
    (void)thread;
#endif
    return mine;
}

KERNEL_SCALAR(reduce, ReduceArguments)
{
    /* Of 32 bits: one of 64 would take longer than all the rest. Items are fewer than elements, whose numbers fit. */
    const long long column = (unsigned)i / (unsigned)a->partials;
    const long long first = i - column * a->partials;
    const scalar *values = a->values + column * a->stride;
    scalar result = values[first];
    for (long long row = first + a->partials; row < a->rows; row += a->partials) {
        const scalar value = values[row];
        if (a->operation == REDUCE_SUM) {
            result += value;
        } else if (a->operation == REDUCE_MIN) {
            result = reduce_min(result, value);
        } else {
            result = reduce_max(result, value);
        }
    }
    a->partial[column * a->partial_stride + first] = result;
}
