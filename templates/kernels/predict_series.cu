/* The predictor of ADER where the medium depends on time: the Taylor series in time of the solution inside an element,
 * without its neighbours,
 *
 *   u(t^n + s) = sum_k U_k (s / dt)^k,   U_0 = u^n,   U_k = dt / k [L(t) u + s(x, t)]_(k-1),
 *
 * where [f]_m is the coefficient of (s / dt)^m of the polynomial through f at TIME_POINTS points of Gauss, and u the
 * terms found so far (see predict.cu for L and s): by Leibniz' rule, without derivatives of the medium (C. E. Castro,
 * J. Behrens & C. Pelties, Geosci. Model Dev. Discuss. 6 (2013) 3743-3786, section 4.3). Stages at points of Gauss
 * within the step follow, each with the solution, the medium and the ghost states of its time. */
#ifdef PREDICT_SERIES
typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients at the start of the step */
    scalar *series;                 /* out: [ORDER][COMPONENTS][BASIS] per element; U_1, U_2, ... */
    const scalar *media;            /* in: [ORDER + 1] per element; the medium at every point in time, see medium.cu */
    const double *clock;            /* in: [CLOCK_NUMBERS] */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element */
    const scalar *map;              /* in: [MAP] per element; read where there is a source */
} PredictSeriesArguments;

/* Adds the projection of a factor times L(t) u + s(x, t) at point i in time.     in: u     inout: rate */
DEVICE void add_rate(real rate[COMPONENTS][BASIS], const real u[COMPONENTS][BASIS], const PredictSeriesArguments *a,
                     const Metric *metric, long long e, int i, scalar factor)
{
    real medium[MEDIA + 1][BASIS];
    load_medium_of_time(medium, a->media, e, i, TIME_POINTS);
    NO_UNROLL
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        real given[GIVEN][FIELDS], terms[TERMS][COMPONENTS];
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int n = 0; n < GIVEN; ++n) {
                given[n][c] = splat(R(0.0));
            }
            for (int j = 0; j < BASIS; ++j) {
                given[0][c] += basis_at_volume[q][j] * u[c][j];
#ifdef NONCONSERVATIVE
                for (int d = 0; d < DIM; ++d) {
                    given[1 + d][c] += weighted_gradient[q][d][j] * u[c][j];
                }
#endif
            }
        }
        give_medium(given, medium, q);
        const State state = law_state(given[0]);
        reference_flux(terms, state, metric->inverse);
#if TERMS > DIM
        for (int c = 0; c < COMPONENTS; ++c) {
            terms[DIM][c] = splat(R(0.0));
        }
#endif
#ifdef SOURCE
        const real time = splat((scalar)time_at(a->clock, time_points[i]));
        law_components(terms[DIM], law_source(state, position(a->map, e, volume_points[q]), time));
#endif
#ifdef NONCONSERVATIVE
        add_product(terms[DIM], given, metric->inverse, q);
#endif
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
                real sum = splat(R(0.0));
                for (int d = 0; d < DIM; ++d) {
                    sum -= projected_derivative[q][d][j] * terms[d][c];
                }
#if TERMS > DIM
                sum += weighted_basis[q][j] * terms[DIM][c];
#endif
                rate[c][j] += factor * sum;
            }
        }
    }
}

KERNEL(predict_series, PredictSeriesArguments)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    Metric metric;
    load_metric(&metric, a->inverse_jacobian, e);
    real term[ORDER + 1][COMPONENTS][BASIS];
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int j = 0; j < BASIS; ++j) {
            term[0][c][j] = load(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS));
        }
    }
    NO_UNROLL
    for (int k = 1; k <= ORDER; ++k) {
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
                term[k][c][j] = splat(R(0.0));
            }
        }
        NO_UNROLL
        for (int i = 0; i < TIME_POINTS; ++i) {
            real u[COMPONENTS][BASIS];
            for (int c = 0; c < COMPONENTS; ++c) {
                for (int j = 0; j < BASIS; ++j) {
                    u[c][j] = term[k - 1][c][j];
                    for (int m = k - 2; m >= 0; --m) {
                        u[c][j] = time_points[i] * u[c][j] + term[m][c][j];
                    }
                }
            }
            add_rate(term[k], u, a, &metric, e, i, dt / (scalar)k * time_monomials[k - 1][i]);
        }
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
                store(a->series + at(e, ((k - 1) * COMPONENTS + c) * BASIS + j, ORDER * COMPONENTS * BASIS),
                      term[k][c][j]);
            }
        }
    }
}

typedef struct {
    const scalar *u;      /* in: [COMPONENTS][BASIS] per element; coefficients at the start of the step */
    const scalar *series; /* in: [ORDER][COMPONENTS][BASIS] per element; see above */
    scalar *u_then;       /* out: [COMPONENTS][BASIS] per element; coefficients at the time */
    double c;             /* in; the time, in steps after the start of the step */
} EvaluateSeriesArguments;

KERNEL(evaluate_series, EvaluateSeriesArguments)
{
    for (int i = 0; i < COMPONENTS * BASIS; ++i) {
        real u = splat(R(0.0));
        for (int k = ORDER; k >= 1; --k) {
            u = (scalar)a->c
                * (u + load(a->series + at(e, (k - 1) * COMPONENTS * BASIS + i, ORDER * COMPONENTS * BASIS)));
        }
        store(a->u_then + at(e, i, COMPONENTS * BASIS), load(a->u + at(e, i, COMPONENTS * BASIS)) + u);
    }
}
#endif
