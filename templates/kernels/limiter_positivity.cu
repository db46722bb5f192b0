/* Positivity: the variation of all components is multiplied by the largest factor, at most 1, with which the law's
 * admissible quantities are positive at every point at which the scheme evaluates the solution.
 *
 * X. Zhang & C.-W. Shu, J. Comput. Phys. 229 (2010) 8918-8934, for any quantities: the factor of a point is found by
 * bisection on the way from the mean, where they are positive, to the value there. */

/* Of what the mean has, so much is left at least. With a millionth, next to a vacuum a few points with large velocities made
 * the steps of the whole a third shorter. */
#define LEAST_SHARE 1e-2
/* So often the way is halved: the factor is found to within 2^-20. */
#define BISECTIONS 20

/* Whether no admissible quantity is below its bound. */
DEVICE mask is_within(State u, const real bound[ADMISSIBLE])
{
    real quantity[ADMISSIBLE];
    admissible_quantities(quantity, u);
    /* What is no number is not within either. */
    mask ok = quantity[0] >= bound[0];
    UNROLL
    for (int i = 1; i < ADMISSIBLE; ++i) {
        ok = ok & (quantity[i] >= bound[i]);
    }
    return ok;
}

/* mean + share (value - mean) */
DEVICE State on_the_way(const real mean[COMPONENTS], const real value[COMPONENTS], real share)
{
    real between[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        between[c] = mean[c] + share * (value[c] - mean[c]);
    }
    return state_of(between);
}

/* inout: u     out: whether anything was limited */
DEVICE mask keep_positive(real u[COMPONENTS][BASIS])
{
    real mean[COMPONENTS], bound[ADMISSIBLE];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = basis_mean[0] * u[c][0];
    }
    admissible_quantities(bound, state_of(mean));
    UNROLL
    for (int i = 0; i < ADMISSIBLE; ++i) {
        bound[i] *= R(LEAST_SHARE);
    }
    /* As a rule there is nothing to do. */
    mask fine = is_within(evaluate(u, basis_at_point(0)), bound);
    UNROLL_POINTS
    for (int i = 1; i < POINTS; ++i) {
        fine = fine & is_within(evaluate(u, basis_at_point(i)), bound);
    }
    if (!any(not(fine))) {
        return not(fine);
    }
    real share = splat(R(1.0));
    NO_UNROLL
    for (int i = 0; i < POINTS; ++i) {
        real value[COMPONENTS];
        components_of_state(value, evaluate(u, basis_at_point(i)));
        const mask outside = not(is_within(on_the_way(mean, value, share), bound));
        if (any(outside)) {
            /* From the whole way for every point: the share found does not depend on their order. */
            real inner = splat(R(0.0)), outer = splat(R(1.0));
            NO_UNROLL
            for (int n = 0; n < BISECTIONS; ++n) {
                const real middle = R(0.5) * (inner + outer);
                const mask within = is_within(on_the_way(mean, value, middle), bound);
                inner = select(within, middle, inner);
                outer = select(within, outer, middle);
            }
            share = select(outside, real_min(inner, share), share);
        }
    }
    const mask limited = share < R(1.0);
    if (any(limited)) {
        /* Where the admissible states are no convex set, the last share may not do for the points before. */
        NO_UNROLL
        for (int i = 0; i < POINTS; ++i) {
            real value[COMPONENTS];
            components_of_state(value, evaluate(u, basis_at_point(i)));
            share = select(is_within(on_the_way(mean, value, share), bound), share, splat(R(0.0)));
        }
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int j = 1; j < BASIS; ++j) {
                /* Nothing is left of what is infinite or no number. */
                u[c][j] = select(share > R(0.0), share * u[c][j], splat(R(0.0)));
            }
        }
    }
    return limited;
}
