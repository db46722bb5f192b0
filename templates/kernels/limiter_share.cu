/* How much both kinds of MOMENT limit a variable: from degree 2 on one that stays, at the points of the scheme, in the
 * range of the means around the element is left as it is, since a jump within an element is steep, and its derivatives
 * are no guide; one that leaves that range is limited little by little. */

/* The rate in every stage, or a part of it where the excess is below the margin, a share of the range of the means. A
 * jump crosses an element in a hundred stages: its overshoots decay in the meantime, and it stays within an element or
 * two; fully limited in each stage, it is as wide with cubics as with parabolas (docs/notes/limiters.md). */
#define MOMENT_RATE 0.02
#define MOMENT_MARGIN 0.1
/* This share of means and derivatives counts as rounding and is never limited: otherwise a derivative that is mere
 * rounding would limit them all. */
#if LANES_SINGLE
#define MOMENT_ROUNDING 1e-5
#else
#define MOMENT_ROUNDING 1e-12
#endif

#if ORDER > 1
/* The share by which each variable is limited: 0 where it stays in the range of the means, MOMENT_RATE where it leaves
 * that range by the margin or more, and linear in between, so that rounding never decides between the two.
 *     in: u; mean, least, most: limited variables, as coefficients of phi_0     out: share */
DEVICE void share_outside(real share[COMPONENTS], const real u[FIELDS][BASIS], const real mean[COMPONENTS],
                          const real least[COMPONENTS], const real most[COMPONENTS], const Frame *frame)
{
    real below[COMPONENTS], above[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        below[c] = above[c] = splat(R(0.0));
    }
    NO_UNROLL
    for (int i = 0; i < POINTS; ++i) {
        const scalar *phi = basis_at_point(i);
        real variation[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            variation[c] = splat(R(0.0));
            UNROLL
            for (int j = 1; j < BASIS; ++j) {
                variation[c] += phi[j] * u[c][j];
            }
        }
        to_limited(variation, frame);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            below[c] = real_min(below[c], variation[c]);
            above[c] = real_max(above[c], variation[c]);
        }
    }
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        const real margin = basis_mean[0]
            * (R(MOMENT_MARGIN) * (most[c] - least[c]) + R(MOMENT_ROUNDING) * real_abs(mean[c]));
        const real room_below = basis_mean[0] * (mean[c] - least[c]), room_above = basis_mean[0] * (most[c] - mean[c]);
        const real excess = real_max(-below[c] - room_below, above[c] - room_above);
        const real part = excess * real_reciprocal(select(margin > R(0.0), margin, splat(R(1.0))));
        /* Written so that NaN is outside. */
        const real outside = select(excess < margin, part, splat(R(1.0)));
        share[c] = R(MOMENT_RATE) * select(excess <= R(0.0), splat(R(0.0)), outside);
    }
}
#endif
