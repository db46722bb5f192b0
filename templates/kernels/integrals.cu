/* Integrals over the domain, element by element; `reduce` sums them. Columns are `stride` numbers apart. */

typedef struct {
    const scalar *u;            /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *determinants; /* in: [1] per element; det J */
    const scalar *map;          /* in: [MAP] per element */
    scalar *integrals;          /* out: [COMPONENTS][stride]; column c is the integral of component c */
    long long stride;           /* in; the distance of two columns */
} IntegrateArguments;

/* The integral of u_h equals that of its mean, where det J is constant: phi_0 is, too. */
KERNEL(integrate, IntegrateArguments)
{
    const real volume = element_volume(a->determinants, e);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        const real mean = basis_mean[0] * load(a->u + at(e, c * BASIS, COMPONENTS * BASIS));
        real integral = volume * mean;
#if defined(BILINEAR) && ORDER > 0
        real det_j[1 + DIM];
        determinant_of_map(det_j, a->map, e);
        /* xi = 1/2 + phi_1(xi) / (2 sqrt(3)) in each direction. */
        const scalar slope = R(0.5) / end_of_line[1];
        integral += slope * det_j[1] * load(a->u + at(e, c * BASIS + PRODUCT(1, 0), COMPONENTS * BASIS));
        integral += slope * det_j[2] * load(a->u + at(e, c * BASIS + PRODUCT(0, 1), COMPONENTS * BASIS));
#endif
        store(a->integrals + c * a->stride + e, integral);
    }
}

typedef struct {
    const scalar *u;  /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *v;  /* in: [COMPONENTS][BASIS] per element; coefficients */
    scalar *maxima;   /* out: [2 * COMPONENTS][stride]; columns [COMPONENTS] the largest |u_j - v_j|, [COMPONENTS] the
                       * largest |u_j| */
    long long stride; /* in; the distance of two columns */
} ChangeArguments;

KERNEL(change, ChangeArguments)
{
    for (int c = 0; c < COMPONENTS; ++c) {
        real change = splat(R(0.0)), size = splat(R(0.0));
        for (int j = 0; j < BASIS; ++j) {
            const long long offset = at(e, c * BASIS + j, COMPONENTS * BASIS);
            const real value = load(a->u + offset);
            change = largest_or_nan(change, real_abs(value - load(a->v + offset)));
            size = largest_or_nan(size, real_abs(value));
        }
        store(a->maxima + c * a->stride + e, change);
        store(a->maxima + (COMPONENTS + c) * a->stride + e, size);
    }
}
