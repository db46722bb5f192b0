/* The number of waves that would enter through each face of an element if it were a boundary: the most at any of its
 * points. Nearly stationary waves are not counted. */
#define STANDING R(1e-3)

#ifdef NO_EIGENVALUES
/* Not known: none. */
DEVICE real incoming_waves(State u, Normal n) { return splat(R(0.0)); }
#else
/* The number of eigenvalues below -STANDING times the largest modulus.     in: u, n */
DEVICE real incoming_waves(State u, Normal n)
{
    real lambda[COMPONENTS], fastest = splat(R(0.0)), count = splat(R(0.0));
    law_eigenvalues(lambda, u, n);
    for (int k = 0; k < COMPONENTS; ++k) {
        fastest = real_max(fastest, real_abs(lambda[k]));
    }
    for (int k = 0; k < COMPONENTS; ++k) {
        count += select(lambda[k] < -STANDING * fastest, splat(R(1.0)), splat(R(0.0)));
    }
    return count;
}
#endif

typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium;           /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element; read where MAP_DEGREE is 0 */
    const scalar *map;              /* in: [MAP] per element; read elsewhere */
    scalar *counts;                 /* out: [FACES][stride]; columns */
    long long stride;               /* in; the distance of two columns */
} EnteringArguments;

KERNEL(entering, EnteringArguments)
{
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, e);
    for (int f = 0; f < FACES; ++f) {
        real most = splat(R(0.0));
        for (int k = 0; k < FACE_POINTS; ++k) {
            const Normal n = face_normal(a->METRIC_ARRAY, e, f, k);
            most = real_max(most, incoming_waves(evaluate(u, basis_at_face[f * FACE_POINTS + k]), n));
        }
        store(a->counts + f * a->stride + e, most);
    }
}
