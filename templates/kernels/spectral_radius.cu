/* Bounds on the eigenvalues of small matrices at a point: rates at which a source and diffusion make states change, and
 * steps with them. */
#if defined(SOURCE_BLOCKS) || defined(DIFFUSION_BLOCKS)
/* The larger size of both eigenvalues of a matrix of two rows. */
DEVICE real eigenvalue_of_two(real a, real b, real c, real d)
{
    const real half = R(0.5) * (a + d), difference = R(0.5) * (a - d);
    const real apart = difference * difference + b * c;
    /* Two real ones, half +- sqrt(apart), or a conjugate pair, half +- i sqrt(-apart). */
    const real as_pair = real_sqrt(real_max(half * half - apart, splat(R(0.0))));
    return select(mask_of(apart < R(0.0)), as_pair, real_abs(half) + real_sqrt(real_max(apart, splat(R(0.0)))));
}

/* How often a matrix is squared: its units then change the bound on its eigenvalues by their 32nd root. */
#define SQUARINGS 5

/* A bound on the size of all eigenvalues of a matrix d of n rows: ||d^k||^(1/k), with any norm and any k; it tends to
 * the largest of them (I. Gelfand, Mat. Sbornik 9 (1941) 3-24). Here k = 2^SQUARINGS, and the norm is the largest sum
 * of a row. Every power is divided by its largest entry, so that none overflows.     changes: d */
DEVICE real eigenvalue_bound(real *d, int n)
{
    real size[SQUARINGS + 1];
    for (int squared = 0; squared <= SQUARINGS; ++squared) {
        size[squared] = splat(R(1e-30));
        for (int ij = 0; ij < n * n; ++ij) {
            size[squared] = largest_or_nan(real_abs(d[ij]), size[squared]);
        }
        const real scale = real_reciprocal(size[squared]);
        for (int ij = 0; ij < n * n; ++ij) {
            d[ij] *= scale;
        }
        if (squared < SQUARINGS) {
            real square[COMPONENTS * COMPONENTS];
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) {
                    square[i * n + j] = d[i * n] * d[j];
                    for (int k = 1; k < n; ++k) {
                        square[i * n + j] += d[i * n + k] * d[k * n + j];
                    }
                }
            }
            for (int ij = 0; ij < n * n; ++ij) {
                d[ij] = square[ij];
            }
        }
    }
    real bound = splat(R(0.0));
    for (int i = 0; i < n; ++i) {
        real sum = real_abs(d[i * n]);
        for (int j = 1; j < n; ++j) {
            sum += real_abs(d[i * n + j]);
        }
        bound = largest_or_nan(sum, bound);
    }
    for (int squared = SQUARINGS; squared >= 0; --squared) {
        bound = squared == SQUARINGS ? size[squared] * bound : size[squared] * real_sqrt(bound);
    }
    return bound;
}

/* Diagonal blocks of the matrix d, named by their components, whose eigenvalues raise `most`. */
#define RATE_OF_ONE(i) most = largest_or_nan(real_abs(d[i][i]), most);
#define RATE_OF_TWO(i, j) most = largest_or_nan(eigenvalue_of_two(d[i][i], d[i][j], d[j][i], d[j][j]), most);
#define RATE_OF_MORE(n, ...)                                                                                           \
    {                                                                                                                  \
        const int of[n] = {__VA_ARGS__};                                                                               \
        real block[(n) * (n)];                                                                                         \
        UNROLL for (int ij = 0; ij < (n) * (n); ++ij) block[ij] = d[of[ij / (n)]][of[ij % (n)]];                       \
        most = largest_or_nan(eigenvalue_bound(block, n), most);                                                       \
    }
#endif
