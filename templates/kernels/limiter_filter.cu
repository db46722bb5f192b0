/* A modal filter by a local minimum principle, for polynomials of any degree: the part of degree d of all components is
 * multiplied by share^(d^2). The share is the largest, at most 1, with which none of the law's bounded quantities falls
 * below its least value before the step at the points of this element and its neighbours. Jumps stay sharp within an
 * element, as the bounds come from values at points, not from means.
 *
 * T. Dzanic & F. D. Witherden, J. Comput. Phys. 468 (2022) 111501, where the quantity is an entropy; here it is any
 * that the law declares. */

/* A quantity may fall below its bound by this share of it: errors of the scheme do as much in smooth flow. */
#define FILTER_TOLERANCE 1e-6
#define FILTER_BISECTIONS 20

typedef struct {
    const scalar *u;        /* in: [COMPONENTS][BASIS] per element; coefficients before a step */
    const int *neighbours;  /* in: [FACES] per element */
    const scalar *troubled; /* in, optional: [1] per element; see LimitArguments */
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

KERNEL(least, LeastArguments)
{
#ifdef INDICATOR
    if (!any(is_beside_trouble(a->troubled, a->neighbours, e))) {
        return;
    }
#endif
    real u[COMPONENTS][BASIS], least[BOUNDED];
    load_coefficients(u, a->u, e);
    /* Not the first point's values: they may be NaN where initial data are inadmissible apart from the mean. */
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        least[i] = splat(R(1e30));
    }
    NO_UNROLL
    for (int i = 0; i < POINTS; ++i) {
        lower_to(least, everywhere(), evaluate(u, basis_at_point(i)));
    }
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        store(a->least + at(e, i, BOUNDED), least[i]);
    }
}

/* out: least, of each quantity before the step, over this element, its neighbours and ghost states at boundaries */
DEVICE void find_least(real least[BOUNDED], const LimitArguments *a, long long e, real time)
{
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        least[i] = load(a->least + at(e, i, BOUNDED));
    }
    NO_UNROLL
    for (int f = 0; f < FACES; ++f) {
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        if (any(on_boundary)) {
            real before[COMPONENTS][BASIS];
            load_coefficients(before, a->before, e);
            const ints boundary_face = select_ints(on_boundary, -1 - neighbour, 0 * neighbour);
            NO_UNROLL
            for (int k = 0; k < FACE_POINTS; ++k) {
                const State inside = evaluate(before, basis_at_face[f * FACE_POINTS + k]);
                lower_to(least, on_boundary, boundary_trace(a->conditions, a->boundary_points, boundary_face, k, inside, time));
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

/* The filtered state at a point.     in: part, the part of each degree there; share */
DEVICE State filtered(const real part[ORDER + 1][COMPONENTS], real share)
{
    /* share^(d^2) and share^(2d - 1) */
    real value[COMPONENTS], factor = share, ratio = share;
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = part[0][c];
    }
    UNROLL
    for (int d = 1; d <= ORDER; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            value[c] += factor * part[d][c];
        }
        ratio *= share * share;
        factor *= ratio;
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

/* inout: u, where troubled     out: whether anything was limited */
DEVICE mask filter_variation(real u[COMPONENTS][BASIS], mask troubled, const LimitArguments *a, long long e, real time)
{
    real least[BOUNDED];
    find_least(least, a, e, time);
    UNROLL
    for (int i = 0; i < BOUNDED; ++i) {
        least[i] -= R(FILTER_TOLERANCE) * real_abs(least[i]);
    }
    real share = splat(R(1.0));
    NO_UNROLL
    for (int i = 0; i < POINTS; ++i) {
        const scalar *phi = basis_at_point(i);
        real part[ORDER + 1][COMPONENTS];
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
        }
        /* Tested with share 1, not with the share so far: the path is not straight, and the result must not depend
         * on the order of the points. */
        const mask below = troubled & not(is_above(filtered(part, splat(R(1.0))), least));
        if (any(below)) {
            real inner = splat(R(0.0)), outer = splat(R(1.0));
            NO_UNROLL
            for (int n = 0; n < FILTER_BISECTIONS; ++n) {
                const real middle = R(0.5) * (inner + outer);
                const mask above = is_above(filtered(part, middle), least);
                inner = select(above, middle, inner);
                outer = select(above, outer, middle);
            }
            share = select(below, real_min(inner, share), share);
        }
    }
    const mask limited = share < R(1.0);
    if (any(limited)) {
        real factor[ORDER + 1], ratio = share;
        factor[0] = splat(R(1.0));
        UNROLL
        for (int d = 1; d <= ORDER; ++d) {
            factor[d] = factor[d - 1] * ratio;
            ratio *= share * share;
        }
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int j = 1; j < BASIS; ++j) {
                u[c][j] = select(limited, factor[basis_degree[j]] * u[c][j], u[c][j]);
            }
        }
    }
    return limited;
}
