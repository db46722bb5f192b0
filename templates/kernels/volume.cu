/* Volume term of the weak form on one element, and the source:
 *
 *   r_j += sum_q w_q [ F(u(xi_q)) . J^-T grad phi_j(xi_q)  +  S(u(xi_q), x_q, t) phi_j(xi_q) ]
 *
 * with the weights already in the tables.
 * in: u, inverse_jacobian [DIM x DIM], map, time      inout: r */
DEVICE void add_volume_term(real r[COMPONENTS][BASIS], const real u[COMPONENTS][BASIS],
                                   const scalar *inverse_jacobian, const scalar *map, long long e, real time)
{
    real inverse[DIM][DIM];
    load_inverse_jacobian(inverse, inverse_jacobian, e);
    UNROLL_VOLUME_POINTS
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        const State state = evaluate(u, basis_at_volume[q]);
        real reference[DIM][COMPONENTS];
        reference_flux(reference, state, inverse);
        /* phi_0 is constant. */
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            UNROLL
            for (int d = 0; d < DIM; ++d) {
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    r[c][j] += weighted_gradient[q][d][j] * reference[d][c];
                }
            }
        }
#ifdef SOURCE
        real s[COMPONENTS];
        components_of_state(s, source_term(state, position(map, e, volume_points[q]), time));
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int j = 0; j < BASIS; ++j) {
                r[c][j] += weighted_basis[q][j] * s[c];
            }
        }
#else
        (void)map;
        (void)time;
#endif
    }
}
