/* A modal filter by a local minimum principle, for polynomials of any degree: the part of degree d of all components is
 * multiplied by share^(d^2). The share is the largest, at most 1, with which none of the law's bounded quantities falls
 * below its least value before the step at the points of this element and its neighbours. Jumps stay sharp within an
 * element, as the bounds come from values at points, not from means.
 *
 * Means of a scalar law keep their range by this (X. Zhang & C.-W. Shu, J. Comput. Phys. 229 (2010) 8918-8934), for
 * which it is stricter: to rounding, at all points, and within the range of the initial data, not of their projection,
 * which has values beyond both sides of a jump within an element. For systems, Sod's problem has smaller errors without
 * that.
 *
 * T. Dzanic & F. D. Witherden, J. Comput. Phys. 468 (2022) 111501, where the quantity is an entropy; here it is any
 * that the law declares. */

/* A quantity may fall below its bound by this share of it. Errors of the scheme do as much in smooth flow, and the
 * filter would take their noise in a constant entropy for a shock. The range of a scalar law holds to rounding: else
 * values would leave it further in every stage. */
#if COMPONENTS > 1
#define FILTER_TOLERANCE 1e-6
#elif LANES_SINGLE
#define FILTER_TOLERANCE 5e-7
#else
#define FILTER_TOLERANCE 1e-15
#endif
#define FILTER_BISECTIONS 20

typedef struct {
    const scalar *u;        /* in: [COMPONENTS][BASIS] per element; coefficients before a step */
    const scalar *medium;   /* in, optional: [1] per element; coefficients, see medium.cu */
    const int *neighbours;  /* in: [FACES] per element */
    const scalar *troubled; /* in, optional: [1] per element; of all sections, see LimitArguments */
    long long first;        /* in; see PLACE */
    scalar *least;          /* out: [BOUNDED] per element; each quantity's least value at the points of an element,
                             * where a limiter reads it */
} LeastArguments;

/* Lowers the least value of each quantity to that at u, where `here`.     inout: least     in: u */
DEVICE void lower_to(real least[BOUNDED], mask here, State u)
{
    real quantity[BOUNDED];
    law_bounded(quantity, u);
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        least[i] = select(here, real_min(least[i], quantity[i]), least[i]);
    }
}

/* Not the first point's values: they may be NaN where initial data are inadmissible apart from the mean. */
DEVICE void set_highest(real least[BOUNDED])
{
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        least[i] = splat(R(1e30));
    }
}

DEVICE void store_least(scalar *to, const real least[BOUNDED], long long e)
{
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        store(to + at(e, i, BOUNDED), least[i]);
    }
}

KERNEL(least, LeastArguments)
{
#ifdef INDICATOR
    if (!any(is_beside_trouble(a->troubled, a->neighbours, e, PLACE(a, e)))) {
        return;
    }
#endif
    real u[FIELDS][BASIS], least[BOUNDED];
    load_coefficients(u, a->u, a->medium, e);
    set_highest(least);
    NO_UNROLL
    for (int i = 0; i < POINTS; ++i) {
        lower_to(least, everywhere(), evaluate(u, basis_at_point(i)));
    }
    store_least(a->least, least, e);
}

#if COMPONENTS == 1
#ifdef INITIAL
typedef struct {
    const scalar *map; /* in: [MAP] per element */
    double time;       /* in */
    scalar *least;     /* out: [BOUNDED] per element; see LeastArguments */
} LeastOfInitialArguments;

/* Of the function INITIAL(x, t), at the points from which it is projected. */
KERNEL(least_of_initial, LeastOfInitialArguments)
{
    real least[BOUNDED];
    set_highest(least);
    NO_UNROLL
    for (int q = 0; q < PROJECTION_POINTS; ++q) {
        lower_to(least, everywhere(), INITIAL(position(a->map, e, projection_points[q]), splat((scalar)a->time)));
    }
    store_least(a->least, least, e);
}
#endif

typedef struct {
    const scalar *values; /* in: [PROJECTION_POINTS][COMPONENTS] per element */
    scalar *least;        /* out: [BOUNDED] per element; see LeastArguments */
} LeastOfValuesArguments;

/* Of values given at the points from which they are projected. */
KERNEL(least_of_values, LeastOfValuesArguments)
{
    real least[BOUNDED];
    set_highest(least);
    NO_UNROLL
    for (int q = 0; q < PROJECTION_POINTS; ++q) {
        real value[FIELDS] = {};
        load_value(value, a->values, q, e);
        lower_to(least, everywhere(), law_state(value));
    }
    store_least(a->least, least, e);
}
#endif

/* out: least, of each quantity before the step, over this element, its neighbours and ghost states at boundaries; of
 * initial data without the ghost states, which may copy the projection's values */
DEVICE void find_least(real least[BOUNDED], const LimitArguments *a, long long e, real time)
{
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        least[i] = load(a->least + at(PLACE(a, e), i, BOUNDED));
    }
    NO_UNROLL
    for (int f = 0; f < FACES; ++f) {
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        if (a->in_step != 0 && any(on_boundary)) {
            real before[FIELDS][BASIS];
            load_coefficients(before, a->before, a->medium, e);
            const ints boundary_face = select_ints(on_boundary, -1 - neighbour, 0 * neighbour);
            NO_UNROLL
            for (int k = 0; k < FACE_POINTS; ++k) {
                const State inside = evaluate(before, basis_at_face[f * FACE_POINTS + k]);
                lower_to(least, on_boundary,
                         boundary_trace(a->conditions, a->boundary_points, boundary_face, k, inside, time));
            }
        }
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
        UNROLL
        for (int i = 0; i < BOUNDED; ++i) {
            const real other = gather(a->least, at_lanes(inner / FACES, i, BOUNDED));
            least[i] = select(on_boundary, least[i], real_min(least[i], other));
        }
    }
}

/* How much remains of the part of degree d with a share: share^(d^2) by the filter, the share itself by scaling. */
#define FILTERED 0
#define SCALED 1

/* out: factor, what remains of the part of each degree */
DEVICE void find_factors(real factor[ORDER + 1], real share, int how)
{
    /* share^(2d - 1) */
    real ratio = share;
    factor[0] = splat(R(1.0));
    UNROLL
    for (int d = 1; d <= ORDER; ++d) {
        factor[d] = how == SCALED ? share : factor[d - 1] * ratio;
        ratio *= share * share;
    }
}

/* The state at a point with a share of the variation.     in: part, the part of each degree there; medium */
DEVICE State with_share(const real part[ORDER + 1][COMPONENTS], const real medium[], real share, int how)
{
    real value[FIELDS], factor[ORDER + 1];
    find_factors(factor, share, how);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = part[0][c];
        UNROLL
        for (int d = 1; d <= ORDER; ++d) {
            value[c] += factor[d] * part[d][c];
        }
    }
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        value[COMPONENTS + i] = medium[i];
    }
    return law_state(value);
}

DEVICE mask is_above(State u, const real least[BOUNDED])
{
    real quantity[BOUNDED];
    law_bounded(quantity, u);
    mask ok = law_is_admissible(u);
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        ok = ok & (quantity[i] >= least[i]);
    }
    return ok;
}

/* The least of the shares with which the quantities at each point, alone, are above their bounds: 1 where they are
 * above them already. */
DEVICE real share_above(const real u[FIELDS][BASIS], const real least[BOUNDED], mask here, int how,
                        const LimitArguments *a, long long e)
{
    real share = splat(R(1.0));
#if MAP_DEGREE > 0
    /* The mean of the part of each degree, which belongs to the mean of the whole. */
    real part_mean[ORDER + 1][COMPONENTS];
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int d = 0; d <= ORDER; ++d) {
            real of_degree[BASIS];
            for (int j = 0; j < BASIS; ++j) {
                of_degree[j] = basis_degree[j] == d ? u[c][j] : splat(R(0.0));
            }
            part_mean[d][c] = mean_of(of_degree, a->basis_integrals, e);
        }
    }
#endif
    NO_UNROLL
    for (int i = 0; i < POINTS; ++i) {
        const scalar *phi = basis_at_point(i);
        real part[ORDER + 1][COMPONENTS], medium[MEDIA + 1];
        evaluate_medium(medium, u + COMPONENTS, phi);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int d = 0; d <= ORDER; ++d) {
                part[d][c] = splat(R(0.0));
            }
            UNROLL
            for (int j = 0; j < BASIS; ++j) {
                part[basis_degree[j]][c] += phi[j] * u[c][j];
            }
#if MAP_DEGREE > 0
            for (int d = 1; d <= ORDER; ++d) {
                part[d][c] -= part_mean[d][c];
                part[0][c] += part_mean[d][c];
            }
#endif
        }
        /* Tested with share 1, not with the share so far: the result must not depend on the order of the points. */
        const mask below = here & not(is_above(with_share(part, medium, splat(R(1.0)), how), least));
        if (any(below)) {
            real inner = splat(R(0.0)), outer = splat(R(1.0));
            NO_UNROLL
            for (int n = 0; n < FILTER_BISECTIONS; ++n) {
                const real middle = R(0.5) * (inner + outer);
                const mask above = is_above(with_share(part, medium, middle, how), least);
                inner = select(above, middle, inner);
                outer = select(above, outer, middle);
            }
            share = select(below, real_min(inner, share), share);
        }
    }
    return share;
}

/* Leaves a share of the variation, where it is below 1.     inout: u */
DEVICE void leave_share(real u[FIELDS][BASIS], real share, int how)
{
    real factor[ORDER + 1];
    find_factors(factor, share, how);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            u[c][j] = select(share < R(1.0), factor[basis_degree[j]] * u[c][j], u[c][j]);
        }
    }
}

/* inout: u, where troubled     out: whether anything was limited */
DEVICE mask filter_variation(real u[FIELDS][BASIS], mask troubled, const LimitArguments *a, long long e, real time)
{
    real least[BOUNDED];
    find_least(least, a, e, time);
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        least[i] -= R(FILTER_TOLERANCE) * real_abs(least[i]);
    }
#if MAP_DEGREE > 0
    const State before = mean_state(u, a->basis_integrals, e);
#endif
    const real share = share_above(u, least, troubled, FILTERED, a, e);
    const mask limited = share < R(1.0);
    if (any(limited)) {
        leave_share(u, share, FILTERED);
#if ORDER > 1 && COMPONENTS == 1
        /* With the share of one point, another may be below its bound, where parts of several degrees cancelled. */
#if MAP_DEGREE > 0
        real mean[FIELDS];
        law_fields(mean, before);
        restore_mean(u, mean, limited, a->basis_integrals, e);
#endif
        leave_share(u, share_above(u, least, limited, SCALED, a, e), SCALED);
#endif
    }
    return limited;
}
