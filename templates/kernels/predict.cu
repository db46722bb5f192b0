/* The predictor of ADER, for laws whose flux is linear, F_d(u) = A_d u: the mean over a step of the solution inside an
 * element, without its neighbours, by its Taylor series in time,
 *
 *   U = sum_k T_k,   T_0 = u^n,   T_k = dt / (k + 1) L T_(k-1),   L u = - sum_d d/dxi_d (J^-1 A u)_d
 *
 * (M. Kaeser & M. Dumbser, Geophys. J. Int. 166 (2006) 855-877; C. E. Castro, J. Behrens & C. Pelties, Geosci. Model
 * Dev. Discuss. 6 (2013) 3743-3786). A linear flux acts on coefficients like on states, so there is no quadrature. Each
 * T_k has one degree less than the one before, and the series ends with k = ORDER. The stage u <- u^n + dt R(U) follows. */
#ifdef ADER
typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients at the start of the step */
    scalar *u_mean;                 /* out: [COMPONENTS][BASIS] per element; coefficients of the mean over the step */
    scalar *records;                /* out: [FACE_POINTS][TRACE] per record; means over the step */
    const double *clock;            /* in: [CLOCK_NUMBERS] */
    const scalar *medium;           /* in, optional: [MEDIA] per element; coefficients, see medium.cu */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element */
    const int *links;               /* in: [FACES] per element; see Links */
    const int *boundary_records;    /* in: [1] per boundary face */
    const int *conditions;          /* in: [1] per boundary face */
    const scalar *boundary_points;  /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
} PredictArguments;

/* The coefficients j of the fluxes of a term, in reference coordinates.     in: term, with the medium behind it; metric     out: flux */
DEVICE void flux_coefficients(real flux[DIM][COMPONENTS], const real term[FIELDS][BASIS], const Metric *metric, int j)
{
#if MEDIA > 0 && MEDIUM_BASIS > 1
    /* The product with a medium that varies is projected. */
    for (int d = 0; d < DIM; ++d) {
        for (int c = 0; c < COMPONENTS; ++c) {
            flux[d][c] = splat(R(0.0));
        }
    }
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        real at_point[DIM][COMPONENTS];
        reference_flux(at_point, evaluate(term, basis_at_volume[q]), metric, q);
        for (int d = 0; d < DIM; ++d) {
            for (int c = 0; c < COMPONENTS; ++c) {
                flux[d][c] += weighted_basis[q][j] * at_point[d][c];
            }
        }
    }
#else
    real value[FIELDS];
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = term[c][j];
    }
    evaluate_medium(value + COMPONENTS, term + COMPONENTS, basis_mean);
    reference_flux(flux, law_state(value), metric, 0);
#endif
}

/* T_k of T_(k-1), whose degree is ORDER + 1 - k where the medium is constant.
 *     in: term, with the medium behind it; metric; factor = dt / (k + 1)     out: next */
DEVICE void next_term(real next[FIELDS][BASIS], const real term[FIELDS][BASIS], const Metric *metric, int k, scalar factor)
{
    const int degree = MEDIUM_BASIS > 1 ? ORDER : ORDER + 1 - k;
    set_zero(next);
    for (int j = 1; j < BASIS && basis_degree[j] <= degree; ++j) {
        real flux[DIM][COMPONENTS];
        flux_coefficients(flux, term, metric, j);
        for (int i = 0; basis_degree[i] < basis_degree[j]; ++i) {
            for (int c = 0; c < COMPONENTS; ++c) {
                for (int d = 0; d < DIM; ++d) {
                    next[c][i] -= factor * derivative[d][i][j] * flux[d][c];
                }
            }
        }
    }
}

/* The mean over the step of the ghost state at point k of a boundary face.     in: u, the mean of the inner state */
DEVICE State mean_boundary_trace(const Links *links, ints boundary_face, int k, State u, const double clock[CLOCK_NUMBERS])
{
    real mean[FIELDS];
    law_fields(mean, u);
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = splat(R(0.0));
    }
    for (int i = 0; i < TIME_POINTS; ++i) {
        const real time = splat((scalar)time_at(clock, time_points[i]));
        real ghost[COMPONENTS];
        law_components(ghost, boundary_trace(links->conditions, links->boundary_points, boundary_face, k, u, time));
        for (int c = 0; c < COMPONENTS; ++c) {
            mean[c] += time_weights[i] * ghost[c];
        }
    }
    return law_state(mean);
}

KERNEL(predict, PredictArguments)
{
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points};
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    Metric metric;
    load_metric(&metric, a->inverse_jacobian, e);
    real mean[FIELDS][BASIS], terms[2][FIELDS][BASIS];
    load_coefficients(mean, a->u, a->medium, e);
    load_coefficients(terms[0], a->u, a->medium, e);
    load_medium(terms[1] + COMPONENTS, a->medium, e);
    for (int k = 1; k <= ORDER; ++k) {
        next_term(terms[k % 2], terms[(k + 1) % 2], &metric, k, dt / (scalar)(k + 1));
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
                mean[c][j] += terms[k % 2][c][j];
            }
        }
    }
    store_coefficients(a->u_mean, mean, e);
    for (int f = 0; f < FACES; ++f) {
        const ints link = load_ints(a->links + at(e, f, FACES));
        const mask on_rim = not(mask_of(link == LINK_INNER)), on_boundary = mask_of(link < LINK_INNER);
        if (any(on_rim)) {
            for (int k = 0; k < FACE_POINTS; ++k) {
                State state = evaluate(mean, basis_at_face[f * FACE_POINTS + k]);
                if (any(on_boundary)) {
                    const ints boundary_face = select_ints(on_boundary, -2 - link, 0 * link);
                    state = select_State(on_boundary, mean_boundary_trace(&links, boundary_face, k, state, a->clock), state);
                }
                put_record(a->records, &links, link, k, state, on_rim);
            }
        }
    }
}
#endif
