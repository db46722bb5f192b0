/* The source as a function of the state alone: its Jacobian, and the rate at which it makes states change. */
#ifdef IMPLICIT_SOURCE
/* Stages leave it out. */
#undef SOURCE
#endif

#ifdef SOURCE_JACOBIAN
/* dS_i / du_j at a state. Where a derivative is not finite, as that of a root of zero, it counts as zero.     out: d */
DEVICE void source_derivatives(real d[COMPONENTS][COMPONENTS], State u, Point x, real t)
{
    law_source_derivatives(d, u, x, t);
    UNROLL
    for (int i = 0; i < COMPONENTS; ++i) {
        UNROLL
        for (int j = 0; j < COMPONENTS; ++j) {
            d[i][j] = select(d[i][j] - d[i][j] == R(0.0), d[i][j], splat(R(0.0)));
        }
    }
}
#endif

#if defined(SOURCE_BLOCKS) && !defined(IMPLICIT_SOURCE)
#define SOURCE_RATE

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

/* A bound on the size of all eigenvalues of a matrix d of n rows: ||d^k||^(1/k), with any norm and any k; it tends to the largest
 * of them (I. Gelfand, Mat. Sbornik 9 (1941) 3-24). Here k = 2^SQUARINGS, and the norm is the largest sum of a row.
 * Every power is divided by its largest entry, so that none overflows.     changes: d */
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

/* Diagonal blocks of the Jacobian d, named by their components. */
#define RATE_OF_ONE(i) most = largest_or_nan(real_abs(d[i][i]), most);
#define RATE_OF_TWO(i, j) most = largest_or_nan(eigenvalue_of_two(d[i][i], d[i][j], d[j][i], d[j][j]), most);
#define RATE_OF_MORE(n, ...)                                                                                           \
    {                                                                                                                  \
        const int of[n] = {__VA_ARGS__};                                                                               \
        real block[(n) * (n)];                                                                                         \
        UNROLL for (int ij = 0; ij < (n) * (n); ++ij) block[ij] = d[of[ij / (n)]][of[ij % (n)]];                       \
        most = largest_or_nan(eigenvalue_bound(block, n), most);                                                       \
    }

/* A bound on the eigenvalues of the source's Jacobian at the points of an element.     in: u, map, time */
DEVICE real source_rate(const real u[FIELDS][BASIS], const scalar *map, long long e, real time)
{
    real most = splat(R(0.0));
    NO_UNROLL
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        real d[COMPONENTS][COMPONENTS];
        source_derivatives(d, evaluate(u, basis_at_volume[q]), position(map, e, volume_points[q]), time);
        SOURCE_BLOCKS(RATE_OF_ONE, RATE_OF_TWO, RATE_OF_MORE)
    }
    return most;
}

/* The longest stable step with a source of this rate, where `longest` is that of the waves alone:
 * 1 / (1 / longest + share rate).     in: share, the Courant number over the interval of stability */
DEVICE real longest_with_source(real longest, real rate, scalar share)
{
    return real_reciprocal(real_reciprocal(longest) + share * rate);
}
#endif
