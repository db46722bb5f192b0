/* What outputs are computed from: the state of an element, and its slopes where an output takes the gradient. That is
 * the gradient of the element's own polynomials, without the jumps at faces. Those of degree 0 have none: NaN. */
typedef struct {
    real u[FIELDS][BASIS];
#ifdef GRADIENT_OUTPUTS
    real along[DIM][COMPONENTS][SLOPES]; /* derivatives by xi_d, as coefficients of the first basis functions */
#endif
} Sampled;

/* After u has been set or has changed. */
DEVICE void find_slopes(Sampled *sampled)
{
#ifdef GRADIENT_OUTPUTS
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            UNROLL
            for (int i = 0; i < SLOPES; ++i) {
                sampled->along[d][c][i] = splat(R(0.0));
            }
        }
#define ADD_DERIVATIVE(d, i, j, n) sampled->along[d][c][i] += derivative_entries[n] * sampled->u[c][j];
        EACH_DERIVATIVE(ADD_DERIVATIVE)
#undef ADD_DERIVATIVE
    }
#endif
}

/* At a point with the basis functions phi and the reference coordinates xi. */
DEVICE Sample sample_at(const Sampled *sampled, const scalar phi[BASIS], const scalar *map, long long e,
                        const scalar xi[DIM])
{
    Sample sample;
    sample.state = evaluate(sampled->u, phi);
#if defined(GRADIENT_OUTPUTS) && ORDER == 0
    for (int i = 0; i < DIM * COMPONENTS; ++i) {
        sample.slope[i / COMPONENTS][i % COMPONENTS] = splat(R(0.0) / R(0.0));
    }
#elif defined(GRADIENT_OUTPUTS)
    real terms[DIM][DIM];
    inverse_of_map(terms, map, e, xi);
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int x = 0; x < DIM; ++x) {
            sample.slope[x][c] = splat(R(0.0));
        }
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            real along = splat(R(0.0));
            UNROLL
            for (int i = 0; i < SLOPES; ++i) {
                along += phi[i] * sampled->along[d][c][i];
            }
            UNROLL
            for (int x = 0; x < DIM; ++x) {
                sample.slope[x][c] += terms[d][x] * along;
            }
        }
    }
#endif
    return sample;
}
