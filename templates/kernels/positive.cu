/* The share of an element's variation with which the law's admissible quantities keep their bounds at given points.
 *
 * X. Zhang & C.-W. Shu, J. Comput. Phys. 229 (2010) 8918-8934, for any quantities: the share of a point is found by
 * bisection between the mean, where they are positive, and the value at the point. */
#if ADMISSIBLE > 0

/* Each quantity keeps at least this share of the mean's. With a millionth, a few points with large velocities next to a
 * vacuum made all steps a third shorter. */
#define LEAST_SHARE 1e-2
/* Number of bisections: the share is found to within 2^-20. */
#define BISECTIONS 20

/* Whether no admissible quantity is below its bound. */
DEVICE mask is_within(State u, const real bound[ADMISSIBLE])
{
    real quantity[ADMISSIBLE];
    law_admissible(quantity, u);
    /* NaN is not within the bound. */
    mask ok = quantity[0] >= bound[0];
    UNROLL
    for (int i = 1; i < ADMISSIBLE; ++i) {
        ok = ok & (quantity[i] >= bound[i]);
    }
    return ok;
}

/* in: middle, what the state varies around     out: mean, the same as fields; bound, the least value of each
 * quantity */
DEVICE void find_bound(real mean[FIELDS], real bound[ADMISSIBLE], State middle)
{
    law_fields(mean, middle);
    law_admissible(bound, middle);
    UNROLL
    for (int i = 0; i < ADMISSIBLE; ++i) {
        bound[i] *= R(LEAST_SHARE);
    }
}

/* mean + share (value - mean), in the medium there.     in: mean, value: fields */
DEVICE State on_the_way(const real mean[FIELDS], const real value[FIELDS], real share)
{
    real between[FIELDS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        between[c] = mean[c] + share * (value[c] - mean[c]);
    }
    UNROLL
    for (int i = COMPONENTS; i < FIELDS; ++i) {
        between[i] = value[i];
    }
    return law_state(between);
}

/* The largest share, at most the given one, with which all of `count` points are within the bound. */
DEVICE real share_within(real share, const real u[FIELDS][BASIS], const scalar phi[][BASIS], int count,
                         const real mean[FIELDS], const real bound[ADMISSIBLE])
{
    NO_UNROLL
    for (int i = 0; i < count; ++i) {
        real value[FIELDS];
        law_fields(value, evaluate(u, phi[i]));
        const mask outside = not(is_within(on_the_way(mean, value, share), bound));
        if (any(outside)) {
            /* Bisection starts from 0 and 1 at every point, so the share does not depend on the points' order. */
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
    return share;
}

/* The share, or 0 if it fails at one of the points, as it can where the admissible states are not convex. */
DEVICE real share_or_none(real share, const real u[FIELDS][BASIS], const scalar phi[][BASIS], int count,
                          const real mean[FIELDS], const real bound[ADMISSIBLE])
{
    NO_UNROLL
    for (int i = 0; i < count; ++i) {
        real value[FIELDS];
        law_fields(value, evaluate(u, phi[i]));
        share = select(is_within(on_the_way(mean, value, share), bound), share, splat(R(0.0)));
    }
    return share;
}

/* inout: u     in: share of its variation that remains */
DEVICE void scale_variation(real u[FIELDS][BASIS], real share)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            /* Select, as 0 times infinity or NaN is NaN. */
            u[c][j] = select(share > R(0.0), share * u[c][j], splat(R(0.0)));
        }
    }
}
#endif
