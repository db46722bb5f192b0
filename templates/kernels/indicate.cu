/* Which elements are troubled, that is, may hold a discontinuity: only there a limiter is to act, so that smooth solutions
 * keep their order. DECAY looks at the share of the highest degree in the square integral of the first component of the
 * state, which falls as p^-4 for continuous functions (P.-O. Persson & J. Peraire, AIAA 2006-112, equation (7)); a shock
 * gives more than a hundredth of that. docs/limiters.md has what was measured of this and others. */
#define DECAY 1
#define DECAY_FACTOR 100.0

typedef struct {
    const scalar *u;  /* in: coefficients */
    scalar *troubled; /* out: 1 where an element is troubled, else 0 */
} IndicateArguments;

KERNEL(indicate, IndicateArguments)
{
    real highest = splat(R(0.0)), all = splat(R(0.0));
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        const real u = load(a->u + at(e, j, COMPONENTS * BASIS));
        all += u * u;
        if (basis_degree[j] == ORDER) {
            highest += u * u;
        }
    }
    const mask troubled = highest * R(ORDER * ORDER * ORDER * ORDER) * R(DECAY_FACTOR) > all;
    store(a->troubled + e, select(troubled, splat(R(1.0)), splat(R(0.0))));
}
