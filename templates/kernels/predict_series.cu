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
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element; read where MAP_DEGREE is 0 */
    const scalar *map;              /* in: [MAP] per element; read where there is a source, or MAP_DEGREE is not 0 */
    const scalar *inverse_mass;     /* in, optional: [MASS] per element; read where it is kept */
} PredictSeriesArguments;

/* Polynomials that are summed over the points: the rate, or what assemble_rate makes it of. */
#define RATE_SUMS (MAP_DEGREE > 0 ? TERMS : 1)

/* Adds the projection of a factor times L(t) u + s(x, t) at point i in time or, where metric terms vary, of the fluxes
 * along the coordinates and then of the other terms.     in: u     inout: sums */
DEVICE void add_rate(real sums[RATE_SUMS][COMPONENTS][BASIS], const real u[COMPONENTS][BASIS],
                     const PredictSeriesArguments *a, const Metric *metric, long long e, int i, scalar factor)
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
#if MAP_DEGREE > 0
        law_flux(terms, state);
#else
        reference_flux(terms, state, metric->inverse);
#endif
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
        real of_point[DIM][DIM];
        inverse_jacobian_at(of_point, metric, q);
        add_product(terms[DIM], given, of_point, INVERSE_WEIGHT(q));
#endif
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
#if MAP_DEGREE > 0
                for (int d = 0; d < TERMS; ++d) {
                    sums[d][c][j] += factor * weighted_basis[q][j] * terms[d][c];
                }
#else
                real sum = splat(R(0.0));
                for (int d = 0; d < DIM; ++d) {
                    sum -= projected_derivative[q][d][j] * terms[d][c];
                }
#if TERMS > DIM
                sum += weighted_basis[q][j] * terms[DIM][c];
#endif
                sums[0][c][j] += factor * sum;
#endif
            }
        }
    }
}

#if MAP_DEGREE > 0
/* - sum_x d f_x / d x_x + s, projected, as assemble in predict.cu.
 *     in: metric; sums, coefficients of f_x and then of s     out: rate */
DEVICE void assemble_rate(real rate[COMPONENTS][BASIS], const real sums[RATE_SUMS][COMPONENTS][BASIS],
                          const PredictSeriesArguments *a, const Metric *metric, long long e)
{
    set_zero(rate);
    NO_UNROLL
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        real of_point[DIM][DIM];
        metric_at(of_point, metric, q);
        for (int c = 0; c < COMPONENTS; ++c) {
            real divergence = splat(R(0.0));
            for (int j = 0; j < BASIS; ++j) {
                for (int d = 0; d < DIM; ++d) {
                    for (int x = 0; x < DIM; ++x) {
                        divergence += weighted_gradient[q][d][j] * of_point[d][x] * sums[x][c][j];
                    }
                }
            }
            for (int j = 0; j < BASIS; ++j) {
                rate[c][j] -= basis_at_volume[q][j] * divergence;
            }
        }
    }
    Determinant determinant;
    load_determinant(&determinant, a->map, e);
    divide_components_by_mass(rate, &determinant, a->inverse_mass, e);
#if TERMS > DIM
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int j = 0; j < BASIS; ++j) {
            rate[c][j] += sums[DIM][c][j];
        }
    }
#endif
}
#endif

KERNEL(predict_series, PredictSeriesArguments)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    Metric metric;
    load_metric(&metric, a->METRIC_ARRAY, e);
    real term[ORDER + 1][COMPONENTS][BASIS];
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int j = 0; j < BASIS; ++j) {
            term[0][c][j] = load(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS));
        }
    }
    NO_UNROLL
    for (int k = 1; k <= ORDER; ++k) {
        real sums[RATE_SUMS][COMPONENTS][BASIS];
        for (int n = 0; n < RATE_SUMS; ++n) {
            set_zero(sums[n]);
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
            add_rate(sums, u, a, &metric, e, i, dt / (scalar)k * time_monomials[k - 1][i]);
        }
#if MAP_DEGREE > 0
        assemble_rate(term[k], sums, a, &metric, e);
#endif
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int j = 0; j < BASIS; ++j) {
#if MAP_DEGREE == 0
                term[k][c][j] = sums[0][c][j];
#endif
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
