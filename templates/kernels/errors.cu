#ifdef EXACT
typedef struct {
    const scalar *u;            /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium;       /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *map;          /* in: [MAP] per element */
    const scalar *determinants; /* in: [1] per element; det J */
    scalar *errors;             /* out: [3 * COMPONENTS][stride]; columns [COMPONENTS] int |e|, [COMPONENTS] int e^2,
                                 * [COMPONENTS] max |e| */
    double time;                /* in */
    long long stride;           /* in; the distance of two columns */
} ErrorsArguments;

/* e = u_h - u, with the fine quadrature. */
KERNEL(errors, ErrorsArguments)
{
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, e);
#if MAP_DEGREE > 0
    Determinant of_map;
    load_determinant(&of_map, a->map, e);
#else
    const real det_j = determinant(a->determinants, e);
#endif
    real l1[COMPONENTS], l2[COMPONENTS], largest[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        l1[c] = l2[c] = largest[c] = splat(R(0.0));
    }
    for (int q = 0; q < FINE_POINTS; ++q) {
        real computed[COMPONENTS], exact[COMPONENTS];
        law_components(computed, evaluate(u, basis_at_fine[q]));
        law_components(exact, EXACT(position(a->map, e, fine_points[q]), splat((scalar)a->time)));
#if MAP_DEGREE > 0
        const real det_j = determinant_at(&of_map, fine_points[q]);
#endif
        const real weight = fine_weights[q] * det_j;
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            const real error = real_abs(computed[c] - exact[c]);
            l1[c] += weight * error;
            l2[c] += weight * error * error;
            largest[c] = largest_or_nan(largest[c], error);
        }
    }
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        store(a->errors + c * a->stride + e, l1[c]);
        store(a->errors + (COMPONENTS + c) * a->stride + e, l2[c]);
        store(a->errors + (2 * COMPONENTS + c) * a->stride + e, largest[c]);
    }
}
#endif
