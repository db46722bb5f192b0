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

#if defined(SOURCE_JACOBIAN) && !defined(IMPLICIT_SOURCE)
#define SOURCE_RATE

/* How often a matrix is squared: its units then change the bound on its eigenvalues by their 32nd root. */
#define SQUARINGS 5

/* A bound on the size of all eigenvalues of a matrix d: ||d^k||^(1/k), with any norm and any k; it tends to the largest
 * of them (I. Gelfand, Mat. Sbornik 9 (1941) 3-24). Here k = 2^SQUARINGS, and the norm is the largest sum of a row.
 * Every power is divided by its largest entry, so that none overflows.     changes: d */
DEVICE real eigenvalue_bound(real d[COMPONENTS][COMPONENTS])
{
    real size[SQUARINGS + 1];
    for (int n = 0; n <= SQUARINGS; ++n) {
        size[n] = splat(R(1e-30));
        for (int i = 0; i < COMPONENTS; ++i) {
            for (int j = 0; j < COMPONENTS; ++j) {
                size[n] = largest_or_nan(real_abs(d[i][j]), size[n]);
            }
        }
        const real scale = real_reciprocal(size[n]);
        for (int i = 0; i < COMPONENTS; ++i) {
            for (int j = 0; j < COMPONENTS; ++j) {
                d[i][j] *= scale;
            }
        }
        if (n < SQUARINGS) {
            real square[COMPONENTS][COMPONENTS];
            for (int i = 0; i < COMPONENTS; ++i) {
                for (int j = 0; j < COMPONENTS; ++j) {
                    square[i][j] = d[i][0] * d[0][j];
                    for (int k = 1; k < COMPONENTS; ++k) {
                        square[i][j] += d[i][k] * d[k][j];
                    }
                }
            }
            for (int i = 0; i < COMPONENTS; ++i) {
                for (int j = 0; j < COMPONENTS; ++j) {
                    d[i][j] = square[i][j];
                }
            }
        }
    }
    real bound = splat(R(0.0));
    for (int i = 0; i < COMPONENTS; ++i) {
        real sum = real_abs(d[i][0]);
        for (int j = 1; j < COMPONENTS; ++j) {
            sum += real_abs(d[i][j]);
        }
        bound = largest_or_nan(sum, bound);
    }
    for (int n = SQUARINGS; n >= 0; --n) {
        bound = n == SQUARINGS ? size[n] * bound : size[n] * real_sqrt(bound);
    }
    return bound;
}

/* A bound on the eigenvalues of the source's Jacobian at the points of an element.     in: u, map, time */
DEVICE real source_rate(const real u[FIELDS][BASIS], const scalar *map, long long e, real time)
{
    real most = splat(R(0.0));
    NO_UNROLL
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        real d[COMPONENTS][COMPONENTS];
        source_derivatives(d, evaluate(u, basis_at_volume[q]), position(map, e, volume_points[q]), time);
        most = largest_or_nan(eigenvalue_bound(d), most);
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
