/* The predictor of ADER, for laws that are linear, F_d(u) = A_d u and S = E u + s(x, t): the mean over a step of the
 * solution inside an element, without its neighbours, by its Taylor series in time,
 *
 *   U = sum_k T_k,   T_0 = u^n,   T_k = dt / (k + 1) (L T_(k-1) + s_(k-1) / k),
 *   L u = - sum_d (d/dx_d A_d u + B_d d/dx_d u) + E u
 *
 * (M. Kaeser & M. Dumbser, Geophys. J. Int. 166 (2006) 855-877; C. E. Castro, J. Behrens & C. Pelties, Geosci. Model
 * Dev. Discuss. 6 (2013) 3743-3786, equations 20 to 30), where s = sum_m s_m ((t - t^n) / dt)^m interpolates the source
 * in time. The series ends with k = ORDER. Without a source each T_k has one degree less than the one before, where the
 * medium is constant in the element, but for products of polynomials, which keep the larger of their degrees.
 * Where metric terms vary, A_d u and the other terms are projected first, and then the derivatives: see assemble.
 * The stage u <- u^n + dt R(U) follows. */
#ifdef ADER
typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients at the start of the step */
    scalar *u_mean;                 /* out: [COMPONENTS][BASIS] per element; coefficients of the mean over the step */
    scalar *records;                /* out: [FACE_POINTS][TRACE] per record; means over the step */
    const double *clock;            /* in: [CLOCK_NUMBERS] */
    const scalar *medium;           /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *face_medium;      /* in, optional: [2] per face; likewise */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element; read where MAP_DEGREE is 0 */
    const scalar *map;              /* in: [MAP] per element; read where there is a source, or MAP_DEGREE is not 0 */
    const scalar *inverse_mass;     /* in, optional: [MASS] per element; read where it is kept */
    const int *patches;             /* in: [2] per patch start; see faces_of */
    const int *faces;               /* in: [1] per face; see face_flux */
    const int *rim_links;           /* in: [1] per record; the link of the face that reads it */
    const int *links;               /* in: [FACES] per element; see Links */
    const int *boundary_records;    /* in: [1] per boundary face */
    const int *conditions;          /* in: [1] per boundary face */
    const scalar *boundary_points;  /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    const scalar *turns;            /* in, optional: [2] per record; where VECTORS, see Links */
} PredictArguments;

/* Whether no term has a lower degree than the one before. */
#if !defined(COEFFICIENTS_LIKE_STATES) || defined(IS_PRODUCT) || defined(SOURCE)
#define KEEPS_DEGREE 1
#else
#define KEEPS_DEGREE 0
#endif

/* Items that are found at once: all of the first term if they are few, which saves barriers. */
#define FIRST_ITEMS (BASIS * ORDER / (ORDER + DIM))
#define SERIES_CHUNK (!KEEPS_DEGREE && ORDER > 0 && FIRST_ITEMS <= 15 ? FIRST_ITEMS : VOLUME_CHUNK)

/* Rows of a component: the terms of a chunk of items, then the data of the rim. */
#ifdef __CUDACC__
#define PREDICT_ROWS (SCHEDULE == ELEMENT ? KEPT_ROWS : LARGER(KEPT_ROWS, SERIES_CHUNK * TERMS))
typedef struct {
    scalar rows[COMPONENTS][PREDICT_ROWS * ROW];
} PredictShared;
#define SPREAD_PREDICTED(links, e, local)
#else
typedef struct {
    scalar rows[COMPONENTS][COMPONENT_NUMBERS];
    PATCH_TRACES;
} PredictShared;
#define SPREAD_PREDICTED(links, e, local) spread_rows(shared->traces, shared->rows, links, e, local)
#endif

#if defined(SOURCE) && !defined(COEFFICIENTS_LIKE_STATES)
/* E T_(k-1) + s_(k-1) / k at a point.     in: term, T_(k-1) there     out: rate */
DEVICE void rate_of_source(real rate[COMPONENTS], State term, Point x, const double clock[CLOCK_NUMBERS], int k)
{
#ifdef SOURCE_IS_PRODUCT
    law_components(rate, source_of_state(term));
#else
    real field[FIELDS];
    law_fields(field, term);
#ifdef SOURCE_JACOBIAN
    real d[COMPONENTS][COMPONENTS];
    source_derivatives(d, term, x, splat((scalar)clock[CLOCK_TIME]));
#endif
    for (int c = 0; c < COMPONENTS; ++c) {
        rate[c] = splat(R(0.0));
#ifdef SOURCE_JACOBIAN
        for (int j = 0; j < COMPONENTS; ++j) {
            rate[c] += d[c][j] * field[j];
        }
#endif
    }
    for (int c = 0; c < COMPONENTS; ++c) {
        field[c] = splat(R(0.0));
    }
    NO_UNROLL
    for (int i = 0; i < TIME_POINTS; ++i) {
        real now[COMPONENTS];
        law_components(now, law_source(law_state(field), x, splat((scalar)time_at(clock, time_points[i]))));
        for (int c = 0; c < COMPONENTS; ++c) {
            rate[c] += time_monomials[k - 1][i] / (scalar)k * now[c];
        }
    }
#endif
}
#endif

/* The terms of the series are found item by item, as the integrals of the volume are: from the coefficients themselves
 * where L acts on them like on states, else at points, whose values are projected.
 *
 *   degree_of(k)   the degree of T_k                 items_of(k)   the items for T_k
 *   COLLECT        rows that an item takes           YIELD         rows that it gives
 *   collect        these rows of a component         add_medium    the medium behind those of all components
 *
 * Loops run to the largest number of items, with a condition inside: the compiler then unrolls them. */
DEVICE int degree_of(int k) { return KEEPS_DEGREE ? ORDER : ORDER - k; }
#ifdef COEFFICIENTS_LIKE_STATES
/* Coefficient i of those in an order in which none depends on an earlier one: derivatives lower degrees. */
#ifdef IS_PRODUCT
#define COEFFICIENT(i) PRODUCT((i) / LINES, (i) % LINES)
#else
#define COEFFICIENT(i) (i)
#endif
DEVICE int items_of(int k) { return basis_up_to[degree_of(k)]; }
#define ITEMS_AT_MOST BASIS
#ifdef SOURCE
#define COLLECT (DIM + 1)
#else
#define COLLECT DIM
#endif
#define YIELD 1
#define SUMS 1

/* The derivatives of a coefficient in reference coordinates and, for the source, itself.
 *     in: u, degree     out: collected */
DEVICE void collect(wide collected[COLLECT], const wide u[BASIS], int degree, int i)
{
    differentiate(collected, u, degree, COEFFICIENT(i));
#ifdef SOURCE
    collected[DIM] = u[COEFFICIENT(i)];
#endif
}

/* The medium is the same for all rows. */
DEVICE void add_medium(real collected[COLLECT][FIELDS], const real medium[MEDIA + 1][BASIS], int i)
{
    UNROLL
    for (int n = 0; n < COLLECT; ++n) {
        evaluate_medium(collected[n] + COMPONENTS, medium, basis_at_item(i));
    }
}

/* L u at a coefficient.     in: collected, with the medium behind each     out: rate */
DEVICE void rate_of_item(real rate[YIELD][COMPONENTS], const real collected[COLLECT][FIELDS], const Metric *metric,
                         const PredictArguments *a, long long e, int i, int k)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        rate[0][c] = splat(R(0.0));
    }
#ifdef SOURCE
    law_components(rate[0], source_of_state(law_state(collected[DIM])));
#endif
    UNROLL
    for (int x = 0; x < DIM; ++x) {
        real slope[FIELDS], flux[DIM][COMPONENTS];
        UNROLL
        for (int c = 0; c < FIELDS; ++c) {
            slope[c] = c < COMPONENTS ? metric_term(metric, 0, x) * collected[0][c] : collected[0][c];
            UNROLL
            for (int d = 1; d < DIM && c < COMPONENTS; ++d) {
                slope[c] += metric_term(metric, d, x) * collected[d][c];
            }
        }
        law_flux(flux, law_state(slope));
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            rate[0][c] -= flux[x][c];
        }
    }
#ifdef NONCONSERVATIVE
    real given[GIVEN][FIELDS];
    UNROLL
    for (int c = 0; c < FIELDS; ++c) {
        given[0][c] = collected[0][c];
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            given[1 + d][c] = c < COMPONENTS ? collected[d][c] : splat(R(0.0));
        }
    }
    add_product(rate[0], given, metric->inverse, R(1.0));
#endif
}

/* in: yielded, factor     inout: next, of which the coefficients of the items before i are ready */
DEVICE void add_item(wide next[SUMS * BASIS], const wide yielded[YIELD], scalar factor, int i)
{
    next[COEFFICIENT(i)] = factor * yielded[0];
}
#else
DEVICE int items_of(int k) { return VOLUME_POINTS; }
#define ITEMS_AT_MOST VOLUME_POINTS
#define COLLECT GIVEN
#define YIELD TERMS
/* Polynomials that are summed over the items: T_k, or the projected fluxes and other terms that it is made of. */
#define SUMS (MAP_DEGREE > 0 ? TERMS : 1)

/* The value at a point, and, for a product, the derivatives; see add_product. */
DEVICE void collect(wide collected[COLLECT], const wide u[BASIS], int degree, int q)
{
    collected[0] = interpolated(basis_at_volume[q], u);
#ifdef NONCONSERVATIVE
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        collected[1 + d] = interpolated(weighted_gradient[q][d], u);
    }
#endif
}

DEVICE void add_medium(real collected[COLLECT][FIELDS], const real medium[MEDIA + 1][BASIS], int q)
{
    give_medium(collected, medium, q);
}

/* The fluxes at a point, in reference coordinates where the element is affine, and the other terms. */
DEVICE void rate_of_item(real rate[YIELD][COMPONENTS], const real collected[COLLECT][FIELDS], const Metric *metric,
                         const PredictArguments *a, long long e, int q, int k)
{
    const State term = law_state(collected[0]);
#if MAP_DEGREE > 0
    law_flux(rate, term);
#else
    reference_flux(rate, term, metric->inverse);
#endif
#ifdef SOURCE
    rate_of_source(rate[DIM], term, position(a->map, e, volume_points[q]), a->clock, k);
#elif TERMS > DIM
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        rate[DIM][c] = splat(R(0.0));
    }
#endif
#ifdef NONCONSERVATIVE
    real of_point[DIM][DIM];
    inverse_jacobian_at(of_point, metric, q);
    add_product(rate[DIM], collected, of_point, INVERSE_WEIGHT(q));
#endif
}

DEVICE void add_item(wide next[SUMS * BASIS], const wide yielded[YIELD], scalar factor, int q)
{
#if MAP_DEGREE > 0
    UNROLL
    for (int i = 0; i < SUMS * BASIS; ++i) {
        next[i] += factor * weighted_basis[q][i % BASIS] * yielded[i / BASIS];
    }
#else
    UNROLL
    for (int i = 0; i < BASIS; ++i) {
        wide sum = wide_of(R(0.0));
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            sum -= projected_derivative[q][d][i] * yielded[d];
        }
#if TERMS > DIM
        sum += weighted_basis[q][i] * yielded[DIM];
#endif
        next[i] += factor * sum;
    }
#endif
}
#endif

#if MAP_DEGREE > 0
/* - sum_x d f_x / d x_x + s, projected, where the metric terms vary.
 *     in: sums, coefficients of f_x and then of s     out: term */
DEVICE void assemble(wide term[BASIS], const wide sums[SUMS * BASIS], const PredictArguments *a, long long e)
{
    Metric metric[WIDTH];
    EACH_ELEMENT(w) load_metric(&metric[w], a->map, e + w * STRIDE);
    UNROLL
    for (int i = 0; i < BASIS; ++i) {
        term[i] = wide_of(R(0.0));
    }
    NO_UNROLL
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        wide slope[DIM][DIM], divergence;
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            UNROLL
            for (int x = 0; x < DIM; ++x) {
                slope[d][x] = interpolated(weighted_gradient[q][d], sums + x * BASIS);
            }
        }
        EACH_ELEMENT(w) {
            real of_point[DIM][DIM], sum = splat(R(0.0));
            metric_at(of_point, &metric[w], q);
            UNROLL
            for (int d = 0; d < DIM; ++d) {
                UNROLL
                for (int x = 0; x < DIM; ++x) {
                    sum += of_point[d][x] * part(slope[d][x], w);
                }
            }
            set_part(&divergence, w, sum);
        }
        UNROLL
        for (int i = 0; i < BASIS; ++i) {
            term[i] -= basis_at_volume[q][i] * divergence;
        }
    }
    Mass mass;
    load_mass(&mass, a->map, a->inverse_mass, e);
    divide_by_mass(term, &mass);
#if TERMS > DIM
    UNROLL
    for (int i = 0; i < BASIS; ++i) {
        term[i] += sums[DIM * BASIS + i];
    }
#endif
}
#endif

/* T_k of T_(k-1), in place: what is ready first is no longer needed.
 *     inout: term */
DEVICE void next_term(wide term[OWNED][BASIS], const PredictArguments *a, PredictShared *shared, long long e, int local,
                      int thread, int k, scalar factor)
{
#ifdef COEFFICIENTS_LIKE_STATES
    wide (*const next)[BASIS] = term;
#else
    wide next[OWNED][SUMS * BASIS];
    UNROLL
    for (int c = 0; c < OWNED; ++c) {
        UNROLL
        for (int i = 0; i < SUMS * BASIS; ++i) {
            next[c][i] = wide_of(R(0.0));
        }
    }
#endif
#if SCHEDULE == ELEMENT
    Metric metric;
    load_metric(&metric, a->METRIC_ARRAY, e);
    real medium[MEDIA + 1][BASIS];
    load_medium(medium, a->medium, e);
    CUDA_UNROLL
    for (int i = 0; i < ITEMS_AT_MOST; ++i) {
        if (i >= items_of(k)) {
            continue;
        }
        real collected[COLLECT][FIELDS], rate[YIELD][COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            wide own[COLLECT];
            collect(own, term[c], degree_of(k - 1), i);
            UNROLL
            for (int n = 0; n < COLLECT; ++n) {
                collected[n][c] = own[n];
            }
        }
        add_medium(collected, medium, i);
        rate_of_item(rate, collected, &metric, a, e, i, k);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            wide own[YIELD];
            UNROLL
            for (int n = 0; n < YIELD; ++n) {
                own[n] = rate[n][c];
            }
            add_item(next[c], own, factor, i);
        }
    }
#else
#ifdef __CUDACC__
#define TERM_ROWS(c) (shared->rows[c] + local)
#define TERM_ROW ROW
#else
    scalar own_rows[COMPONENTS][SERIES_CHUNK * TERMS * LANES] __attribute__((aligned(VECTOR_BYTES)));
#define TERM_ROWS(c) (own_rows[c])
#define TERM_ROW LANES
#endif
    CUDA_UNROLL
    for (int chunk = 0; chunk < ITEMS_AT_MOST; chunk += SERIES_CHUNK) {
        if (chunk >= items_of(k)) {
            continue;
        }
        EACH_COMPONENT(c) {
            CUDA_UNROLL
            for (int i = 0; i < SERIES_CHUNK; ++i) {
                if (chunk + i < items_of(k)) {
                    wide own[COLLECT];
                    collect(own, term[OWN(c)], degree_of(k - 1), chunk + i);
                    UNROLL
                    for (int n = 0; n < COLLECT; ++n) {
                        store_wide(TERM_ROWS(c) + (i * TERMS + n) * TERM_ROW, STRIDE, own[n]);
                    }
                }
            }
        }
        BARRIER;
        EACH_ELEMENT(w) {
            Metric metric;
            load_metric(&metric, a->METRIC_ARRAY, e + w * STRIDE);
            real medium[MEDIA + 1][BASIS];
            load_medium(medium, a->medium, e + w * STRIDE);
            EACH_MINE(i, SERIES_CHUNK) {
                if (chunk + i < items_of(k)) {
                    real collected[COLLECT][FIELDS], rate[YIELD][COMPONENTS];
                    UNROLL
                    for (int c = 0; c < COMPONENTS; ++c) {
                        UNROLL
                        for (int n = 0; n < COLLECT; ++n) {
                            collected[n][c] = load(TERM_ROWS(c) + w * STRIDE + (i * TERMS + n) * TERM_ROW);
                        }
                    }
                    add_medium(collected, medium, chunk + i);
                    rate_of_item(rate, collected, &metric, a, e + w * STRIDE, chunk + i, k);
                    UNROLL
                    for (int c = 0; c < COMPONENTS; ++c) {
                        UNROLL
                        for (int n = 0; n < YIELD; ++n) {
                            store(TERM_ROWS(c) + w * STRIDE + (i * TERMS + n) * TERM_ROW, rate[n][c]);
                        }
                    }
                }
            }
        }
        BARRIER;
        EACH_COMPONENT(c) {
            CUDA_UNROLL
            for (int i = 0; i < SERIES_CHUNK; ++i) {
                if (chunk + i < items_of(k)) {
                    wide own[YIELD];
                    UNROLL
                    for (int n = 0; n < YIELD; ++n) {
                        own[n] = load_wide(TERM_ROWS(c) + (i * TERMS + n) * TERM_ROW, STRIDE);
                    }
                    add_item(next[OWN(c)], own, factor, chunk + i);
                }
            }
        }
    }
#endif
#ifndef COEFFICIENTS_LIKE_STATES
    UNROLL
    for (int c = 0; c < OWNED; ++c) {
#if MAP_DEGREE > 0
        assemble(term[c], next[c], a, e);
#else
        UNROLL
        for (int i = 0; i < BASIS; ++i) {
            term[c][i] = next[c][i];
        }
#endif
    }
#endif
}

/* Where a thread has a component, the predictor needs fewer registers than a stage, so that more blocks fit. */
#if defined(__CUDACC__) && defined(MIN_BLOCKS) && SCHEDULE == COMPONENT && !KEEPS_DEGREE
#undef LANES_PATCH_BOUNDS
#define LANES_PATCH_BOUNDS __launch_bounds__(PATCH_THREADS, LARGER(MIN_BLOCKS, 640 / PATCH_THREADS))
#endif
/* The coefficients of u up to this one are those of a mean to which later terms add. */
#define CHANGED_BY_TERMS basis_up_to[degree_of(ORDER > 0)]

KERNEL_PATCH(predict, PredictArguments, PredictShared)
{
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points, a->turns};
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    const long long first = patch * PATCH;
    EACH_GROUP(local) {
        const long long e = first + local;
        wide term[OWNED][BASIS], mean[OWNED][BASIS];
        EACH_COMPONENT(c) {
            UNROLL
            for (int j = 0; j < BASIS; ++j) {
                term[OWN(c)][j] = load_wide(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS),
                                            STRIDE_OF(COMPONENTS * BASIS));
                mean[OWN(c)][j] = term[OWN(c)][j];
            }
        }
#ifdef __CUDACC__ /* where this loop runs once */
#if MAP_DEGREE > 0
        ask_for(a->map + first * MAP, PATCH * MAP * sizeof(scalar));
        ask_for(a->inverse_mass + first * MASS, PATCH * MASS * sizeof(scalar));
#else
        ask_for(a->inverse_jacobian + first * METRIC_TERMS, PATCH * METRIC_TERMS * sizeof(scalar));
#endif
        ask_for_medium(a->medium, a->face_medium, first, faces_of(a->patches, patch), thread);
#endif
        /* What is ready leaves its registers. */
        EACH_COMPONENT(c) {
            CUDA_UNROLL
            for (int j = CHANGED_BY_TERMS; j < BASIS; ++j) {
                store_wide(a->u_mean + at(e, c * BASIS + j, COMPONENTS * BASIS), STRIDE_OF(COMPONENTS * BASIS),
                           mean[OWN(c)][j]);
            }
        }
        CUDA_UNROLL
        for (int k = 1; k <= ORDER; ++k) {
            next_term(term, a, shared, e, local, thread, k, dt / (scalar)(k + 1));
            EACH_COMPONENT(c) {
                CUDA_UNROLL
                for (int j = 0; j < BASIS; ++j) {
                    if (j < basis_up_to[degree_of(k)]) {
                        mean[OWN(c)][j] += term[OWN(c)][j];
                    }
                }
            }
        }
        EACH_COMPONENT(c) {
            UNROLL
            for (int j = 0; j < BASIS; ++j) {
                scalar *place = a->u_mean + at(e, c * BASIS + j, COMPONENTS * BASIS);
                if (j < CHANGED_BY_TERMS) {
                    store_wide(place, STRIDE_OF(COMPONENTS * BASIS), mean[OWN(c)][j]);
                } else {
                    mean[OWN(c)][j] = load_wide(place, STRIDE_OF(COMPONENTS * BASIS));
                }
            }
            keep_column(ROWS_OF(c), mean[OWN(c)], &links, e);
        }
        SPREAD_PREDICTED(&links, e, local);
    }
    BARRIER;

    const PatchFaces faces = faces_of(a->patches, patch);
    const int inner = faces.faces - faces.rim;
    EACH_POINT(i, k, inner, faces.rim) {
        const mask live = IS_ITEM(i, inner, faces.rim);
        const ints number = number_minus(load_ints(a->faces + faces.first_face + i));
        real value[FIELDS];
        RIM_VALUES(value, value_of_column, shared, number, k);
        patch_face_medium(value + COMPONENTS, patch_medium(a->face_medium, faces.first_face, i), faces.faces, 0, k);
        const ints link = load_ints(a->rim_links + faces.first_record + (i - inner));
        store_mean_record(a->records, &links, link, k, law_state(value), a->clock, 0, live);
    }
}
#endif
