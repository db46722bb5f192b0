/* The implicit half of a stage of an additive Runge-Kutta method:
 *
 *   U = U* + gamma dt S(U),   U* = u^n + sum_j (a_j K_j + b_j L_j),
 *
 * with the residuals K_j = dt R(U_j) of the flux, and L_j = gamma_j dt S(U_j) of earlier stages. It is solved at the
 * points of the volume, each by itself; the solution is the projection of what is found there, U = U* + sum_q w_q phi_j
 * (U - U*)(xi_q). Some methods also read the source at the start of a step, which is found explicitly, and end with a
 * sum alone, gamma = 0. */
#ifdef IMPLICIT_SOURCE
typedef struct {
    const scalar *u_start;         /* in: [COMPONENTS][BASIS] per element; coefficients at the start of the step */
    const scalar *explicit_1;      /* in: [COMPONENTS][BASIS] per element; K_1, read where a_1 != 0, and so on */
    const scalar *explicit_2;      /* in: [COMPONENTS][BASIS] per element */
    const scalar *explicit_3;      /* in: [COMPONENTS][BASIS] per element */
    const scalar *explicit_4;      /* in: [COMPONENTS][BASIS] per element */
    const scalar *explicit_5;      /* in, optional: [COMPONENTS][BASIS] per element */
    const scalar *explicit_6;      /* in, optional: [COMPONENTS][BASIS] per element */
    const scalar *implicit_1;      /* in, shared: [COMPONENTS][BASIS] per element; L_1, read where b_1 != 0, and so
                                    * on */
    const scalar *implicit_2;      /* in, shared: [COMPONENTS][BASIS] per element */
    const scalar *implicit_3;      /* in, shared: [COMPONENTS][BASIS] per element */
    const scalar *implicit_4;      /* in, optional, shared: [COMPONENTS][BASIS] per element */
    const scalar *implicit_5;      /* in, optional, shared: [COMPONENTS][BASIS] per element */
    const scalar *implicit_6;      /* in, optional, shared: [COMPONENTS][BASIS] per element */
    scalar *u_next;                /* out: [COMPONENTS][BASIS] per element; coefficients of U, or of U* where not
                                    * implicitly */
    scalar *change;                /* out: [COMPONENTS][BASIS] per element; gamma dt S, stored where keep_change != 0 */
    scalar *records;               /* out: [FACE_POINTS][TRACE] per record; of U */
    double *clock;                 /* inout: [CLOCK_NUMBERS]; CLOCK_BROKEN is set where no solution is found */
    const scalar *medium;          /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *map;             /* in: [MAP] per element */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element */
    const int *links;              /* in: [FACES] per element; see Links */
    const int *boundary_records;   /* in: [1] per boundary face */
    const int *conditions;         /* in: [1] per boundary face */
    const scalar *boundary_points; /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    const scalar *turns;           /* in, optional: [2] per record; where VECTORS, see Links */
    double a_1, a_2, a_3, a_4, a_5, a_6; /* in */
    double b_1, b_2, b_3, b_4, b_5, b_6; /* in */
    double gamma;                  /* in */
    double c;                      /* in; time of the stage, in steps after the start of the step */
    long long implicitly;          /* in; whether the change is gamma dt S(U), otherwise it is gamma dt S(U*) and no
                                    * part of U */
    long long keep_change;         /* in; whether a later stage reads the change */
    long long elements;            /* in */
} SolveSourceArguments;

/* Newton's method ends where a change is below this share of the terms that it is computed from; the change is made,
 * too, and leaves about the square of it. */
#if LANES_SINGLE
#define NEWTON_ENOUGH 1e-4
#else
#define NEWTON_ENOUGH 1e-8
#endif
/* The most iterations. */
#define NEWTON_MOST 30

/* Solves a linear system by elimination; rows are exchanged so that every pivot is the largest left in its column.
 *     in: m     inout: b, the right-hand side, then the solution */
DEVICE void solve_linear(real m[COMPONENTS][COMPONENTS], real b[COMPONENTS])
{
    for (int k = 0; k < COMPONENTS; ++k) {
        for (int i = k + 1; i < COMPONENTS; ++i) {
            const mask larger = mask_of(real_abs(m[i][k]) > real_abs(m[k][k]));
            for (int j = k; j < COMPONENTS; ++j) {
                const real upper = m[k][j];
                m[k][j] = select(larger, m[i][j], upper);
                m[i][j] = select(larger, upper, m[i][j]);
            }
            const real upper = b[k];
            b[k] = select(larger, b[i], upper);
            b[i] = select(larger, upper, b[i]);
        }
        const real reciprocal = real_reciprocal(m[k][k]);
        for (int i = k + 1; i < COMPONENTS; ++i) {
            const real factor = m[i][k] * reciprocal;
            for (int j = k + 1; j < COMPONENTS; ++j) {
                m[i][j] -= factor * m[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = COMPONENTS - 1; k >= 0; --k) {
        for (int j = k + 1; j < COMPONENTS; ++j) {
            b[k] -= m[k][j] * b[j];
        }
        b[k] *= real_reciprocal(m[k][k]);
    }
}

/* Solves value = start + step S(value) by Newton's method; returns where it converges. A component whose source does
 * not depend on the state changes by its source alone.     in: start     out: value */
DEVICE mask solve_point(real value[FIELDS], const real start[FIELDS], Point x, real t, scalar step)
{
    for (int i = 0; i < FIELDS; ++i) {
        value[i] = start[i];
    }
    mask converged = nowhere();
    NO_UNROLL
    for (int n = 0; n < NEWTON_MOST && any(not(converged)); ++n) {
        const State state = law_state(value);
        real m[COMPONENTS][COMPONENTS], rate[COMPONENTS], defect[COMPONENTS], change[COMPONENTS], size[COMPONENTS];
        mask alone[COMPONENTS];
        source_derivatives(m, state, x, t);
        law_components(rate, law_source(state, x, t));
        for (int c = 0; c < COMPONENTS; ++c) {
            defect[c] = start[c] - value[c] + step * rate[c];
            change[c] = defect[c];
            real reach = splat(R(0.0)), terms = splat(R(0.0));
            for (int d = 0; d < COMPONENTS; ++d) {
                reach += real_abs(m[c][d]);
                m[c][d] = R(d == c) - step * m[c][d];
                terms += real_abs(m[c][d] * value[d]);
            }
            alone[c] = mask_of(reach == R(0.0));
            size[c] = real_abs(start[c]) + terms * real_reciprocal(R(1.0) + real_abs(m[c][c]));
        }
        solve_linear(m, change);
        mask small = everywhere();
        for (int c = 0; c < COMPONENTS; ++c) {
            change[c] = select(alone[c], defect[c], change[c]);
            small = small & mask_of(real_abs(change[c]) <= R(NEWTON_ENOUGH) * size[c]);
            value[c] = select(converged, value[c], value[c] + change[c]);
        }
        converged = converged | small;
    }
    return converged;
}

/* value = start + step S(start), which has no other fields.     in: start     out: value */
DEVICE void take_explicitly(real value[FIELDS], const real start[FIELDS], Point x, real t, scalar step)
{
    real rate[COMPONENTS];
    law_components(rate, law_source(law_state(start), x, t));
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = start[c] + step * rate[c];
    }
}

/* Adds a multiple of coefficients, which are read where it is not zero.     inout: u */
DEVICE void add_multiple(real u[COMPONENTS][BASIS], const scalar *coefficients, scalar factor, long long e)
{
    if (factor != R(0.0)) {
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
                u[c][j] += factor * load(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS));
            }
        }
    }
}

KERNEL(solve_source, SolveSourceArguments)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    real u[FIELDS][BASIS], change[COMPONENTS][BASIS];
    load_coefficients(u, a->u_start, a->medium, e);
    /* A step of length zero leaves the coefficients as they are. */
    if (dt > 0) {
        add_multiple(u, a->explicit_1, (scalar)a->a_1, e);
        add_multiple(u, a->explicit_2, (scalar)a->a_2, e);
        add_multiple(u, a->explicit_3, (scalar)a->a_3, e);
        add_multiple(u, a->explicit_4, (scalar)a->a_4, e);
        add_multiple(u, a->explicit_5, (scalar)a->a_5, e);
        add_multiple(u, a->explicit_6, (scalar)a->a_6, e);
        add_multiple(u, a->implicit_1, (scalar)a->b_1, e);
        add_multiple(u, a->implicit_2, (scalar)a->b_2, e);
        add_multiple(u, a->implicit_3, (scalar)a->b_3, e);
        add_multiple(u, a->implicit_4, (scalar)a->b_4, e);
        add_multiple(u, a->implicit_5, (scalar)a->b_5, e);
        add_multiple(u, a->implicit_6, (scalar)a->b_6, e);
        const real time = splat((scalar)time_at(a->clock, a->c));
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
                change[c][j] = splat(R(0.0));
            }
        }
        mask solved = everywhere();
        NO_UNROLL
        for (int q = 0; q < VOLUME_POINTS && a->gamma > 0; ++q) {
            real start[FIELDS], value[FIELDS];
            law_fields(start, evaluate(u, basis_at_volume[q]));
            const Point x = position(a->map, e, volume_points[q]);
            if (a->implicitly != 0) {
                solved = solved & solve_point(value, start, x, time, (scalar)a->gamma * dt);
            } else {
                take_explicitly(value, start, x, time, (scalar)a->gamma * dt);
            }
            for (int c = 0; c < COMPONENTS; ++c) {
                for (int j = 0; j < BASIS; ++j) {
                    change[c][j] += weighted_basis[q][j] * (value[c] - start[c]);
                }
            }
        }
        if (any(not(solved) & mask_of(lane_numbers(e) < (int)a->elements))) {
            /* Every thread writes the same value, so that the race is harmless. */
            a->clock[CLOCK_BROKEN] = 1.0;
        }
        for (int c = 0; c < COMPONENTS && a->implicitly != 0; ++c) {
            for (int j = 0; j < BASIS; ++j) {
                u[c][j] += change[c][j];
            }
        }
        if (a->keep_change != 0) {
            store_coefficients(a->change, change, e);
        }
    }
    store_coefficients(a->u_next, u, e);
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points, a->turns};
    store_records(a->records, &links, u, a->METRIC_ARRAY, e, splat((scalar)time_at(a->clock, a->c)));
}
#endif
