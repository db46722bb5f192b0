/* Integrals over the domain, element by element; `reduce` sums them. Columns are `stride` numbers apart. */

typedef struct {
    const scalar *u;            /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *determinants; /* in: [1] per element; det J */
    const scalar *basis_integrals; /* in, optional: [BASIS] per element; read where MAP_DEGREE is not 0 */
    scalar *integrals;          /* out: [COMPONENTS][stride]; column c is the integral of component c */
    long long stride;           /* in; the distance of two columns */
} IntegrateArguments;

KERNEL(integrate, IntegrateArguments)
{
    const real volume = element_volume(a->determinants, e);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        real u[BASIS];
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            u[j] = load(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS));
        }
        store(a->integrals + c * a->stride + e, volume * mean_of(u, a->basis_integrals, e));
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
