/* Integrals over the domain, element by element; `reduce` sums them. Columns are `stride` numbers apart. */

typedef struct {
    const scalar *u;       /* in: coefficients */
    const scalar *volumes; /* in: det J of every element */
    scalar *integrals;     /* out: column c is the integral of component c */
    long long stride;      /* in */
} IntegrateArguments;

/* The integral of u_h is that of its mean: phi_0 is constant. */
KERNEL(integrate, IntegrateArguments)
{
    const real volume = load(a->volumes + e);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        const real mean = basis_mean[0] * load(a->u + at(e, c * BASIS, COMPONENTS * BASIS));
        store(a->integrals + c * a->stride + e, REFERENCE_VOLUME * volume * mean);
    }
}

typedef struct {
    const scalar *u;   /* in: coefficients */
    const scalar *v;   /* in: coefficients */
    scalar *difference; /* out: one number per element, the largest |u_j - v_j| */
} ChangeArguments;

KERNEL(change, ChangeArguments)
{
    real largest = splat(R(0.0));
    for (int i = 0; i < COMPONENTS * BASIS; ++i) {
        const long long offset = at(e, i, COMPONENTS * BASIS);
        largest = largest_or_nan(largest, real_abs(load(a->u + offset) - load(a->v + offset)));
    }
    store(a->difference + e, largest);
}
