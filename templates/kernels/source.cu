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

/* A source that is taken implicitly bounds the first step alone. */
#if defined(SOURCE_BLOCKS) && (!defined(IMPLICIT_SOURCE) || PART == REST_PART)
#define SOURCE_RATE

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
#endif
