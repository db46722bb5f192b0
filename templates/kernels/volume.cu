/* Volume term of the weak form on the elements of a patch, a non-conservative product and the source:
 *
 *   r_j += sum_q w_q [ F(u(xi_q)) . J^-T grad phi_j(xi_q)  +  (S(u(xi_q), x_q, t) - B(u(xi_q)) . J^-T grad u(xi_q))
 *   phi_j(xi_q) ]
 *
 * with the weights already in the tables. The items of the sum are the points of the quadrature; or, QUADRATURE_FREE,
 * the coefficients themselves, since flux, product and source act on them like on states. */
#if defined(SOURCE) || defined(NONCONSERVATIVE)
#define TERMS (DIM + 1) /* values per item and component: the flux in each direction, and the other terms */
/* Whether the other terms of component c are summed; those of a tile are products of one matrix. */
#if defined(NONCONSERVATIVE) || SCHEDULE == TENSOR
#define HAS_OTHER_TERMS(c) 1
#else
#define HAS_OTHER_TERMS(c) HAS_SOURCE(c)
#endif
#else
#define TERMS DIM
#define HAS_OTHER_TERMS(c) 0
#endif
#if defined(COEFFICIENTS_LIKE_STATES) && SCHEDULE != TENSOR
#define QUADRATURE_FREE
#ifdef SOURCE
#define VOLUME_ITEMS BASIS
#else
#define VOLUME_ITEMS INTEGRATED
#endif
#define basis_at_item(q) basis_mean
#else
#define VOLUME_ITEMS VOLUME_POINTS
#define basis_at_item(q) basis_at_volume[q]
#endif
/* Rows that are filled before the terms are computed: the value and, for a product or a viscous flux, its
 * derivatives. */
#if defined(NONCONSERVATIVE) || defined(VISCOUS)
#define GIVEN (1 + DIM)
#else
#define GIVEN 1
#endif
#define POINT_ROWS LARGER(GIVEN, TERMS)

#ifdef NONCONSERVATIVE
/* One over the weight of point q, with which derivatives there are given. */
#define INVERSE_WEIGHT(q) (basis_at_volume[q][0] / weighted_basis[q][0])

/* - B(u) . grad u at an item.
 *     in: given, the fields there, and then their derivatives by the reference coordinates divided by `factor`
 *     inout: term */
DEVICE void add_product(real term[COMPONENTS], const real given[GIVEN][FIELDS], const real metric[DIM][DIM],
                        scalar factor)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        real direction[DIM], product[COMPONENTS];
        UNROLL
        for (int i = 0; i < DIM; ++i) {
            direction[i] = -factor * metric[d][i];
        }
        law_components(product, law_product(law_state(given[0]), law_state(given[1 + d]), law_normal(direction)));
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            term[c] += product[c];
        }
    }
}
#endif

#ifdef VISCOUS
/* The flux less the viscous flux in reference coordinates.
 *     in: state; given, the value and its derivatives by the reference
 * coordinates, not LIFTED times the weight of the point; terms, see to_reference; factor, of integrals there
 *     out: reference */
DEVICE void viscous_reference_flux(real reference[DIM][COMPONENTS], State state, const real given[GIVEN][FIELDS],
                                   const real terms[DIM][DIM], real factor, int q)
{
    real f[DIM][COMPONENTS], viscous[DIM][COMPONENTS], slope[DIM][COMPONENTS];
    UNROLL
    for (int x = 0; x < DIM; ++x) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            slope[x][c] = terms[0][x] * given[1][c];
            UNROLL
            for (int d = 1; d < DIM; ++d) {
                slope[x][c] += terms[d][x] * given[1 + d][c];
            }
#ifndef LIFTED
            slope[x][c] *= inverse_volume_weights[q] * real_reciprocal(factor);
#endif
        }
    }
    law_flux(f, state);
    law_viscous_flux(viscous, state, slope);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            f[d][c] -= viscous[d][c];
        }
    }
    to_reference(reference, f, terms);
}
#endif

/* The terms at an item.     in: given, see add_product; e, q     out: terms */
DEVICE void volume_terms(real terms[TERMS][COMPONENTS], const real given[GIVEN][FIELDS], const Metric *metric,
                         const StageArguments *a, long long e, int q)
{
    const State state = law_state(given[0]);
    real of_point[DIM][DIM];
    const real factor = metric_at(of_point, metric, q);
#ifdef VISCOUS
    viscous_reference_flux(terms, state, given, of_point, factor, q);
#else
    reference_flux(terms, state, of_point);
#endif
#if TERMS > DIM
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        terms[DIM][c] = splat(R(0.0));
    }
#endif
#ifdef SOURCE
#if defined(QUADRATURE_FREE)
    law_components(terms[DIM], source_of_state(state));
#elif defined(ADER)
    mean_source(terms[DIM], state, position(a->map, e, volume_points[q]), a->clock, (int)a->c);
#else
    const real time = splat((scalar)(a->clock[CLOCK_TIME] + a->c * a->clock[CLOCK_DT]));
    law_components(terms[DIM], law_source(state, position(a->map, e, volume_points[q]), time));
#endif
#if MAP_DEGREE > 0
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        terms[DIM][c] *= factor;
    }
#endif
#endif
#ifdef NONCONSERVATIVE
#ifdef QUADRATURE_FREE
    add_product(terms[DIM], given, of_point, R(1.0));
#else
    add_product(terms[DIM], given, of_point, INVERSE_WEIGHT(q));
#endif
#endif
#ifdef WEIGHTED_TERMS
    /* Tables of the volume are not weighted then. */
    UNROLL
    for (int d = 0; d < TERMS; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            terms[d][c] *= volume_weights[q];
        }
    }
#endif
}

/* The medium at an item, and, for a product, its derivatives.
 *     in: medium, coefficients     out: given, see add_product */
DEVICE void give_medium(real given[GIVEN][FIELDS], const real medium[][BASIS], int q)
{
    evaluate_medium(given[0] + COMPONENTS, medium, basis_at_item(q));
#ifdef NONCONSERVATIVE
    UNROLL
    for (int d = 0; d < DIM; ++d) {
#ifdef QUADRATURE_FREE
        UNROLL
        for (int i = 0; i < MEDIA; ++i) {
            given[1 + d][COMPONENTS + i] = splat(R(0.0));
        }
#else
        evaluate_medium(given[1 + d] + COMPONENTS, medium, weighted_gradient[q][d]);
#endif
    }
#endif
}

#ifdef QUADRATURE_FREE
/* A line of items, on which given_on_line and project_line work, is one coefficient. */
#define LINE 1
#define VOLUME_LINES VOLUME_ITEMS
DEVICE void given_on_line(wide given[GIVEN][LINE], const wide u[BASIS], int q)
{
    given[0][0] = u[q];
#ifdef NONCONSERVATIVE
    wide along[DIM];
    differentiate(along, u, ORDER, q);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        given[1 + d][0] = along[d];
    }
#endif
}

/* Adds the integrals of the terms that coefficient q yields.
 *     in: terms; has_others, see HAS_OTHER_TERMS     inout: r */
DEVICE void project_line(wide r[BASIS], int q, const wide terms[TERMS][LINE], int has_others)
{
    wide flux[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        flux[d] = terms[d][0];
    }
    integrate(r, flux, q);
#if TERMS > DIM
    if (has_others) {
        r[q] += terms[DIM][0];
    }
#endif
}
#endif
