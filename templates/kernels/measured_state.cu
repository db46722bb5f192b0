/* The state at a point of another element on every lane.
 *     in: u, medium: coefficients in all elements, see element.cu and medium.cu; element; phi, phi_j at the point */
#if defined(QUANTITIES) || defined(BOUNDARY_FLUX)
DEVICE State state_in(const scalar *u, const scalar *medium, ints element, const real phi[BASIS])
{
    real value[FIELDS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = splat(R(0.0));
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            value[c] += phi[j] * gather(u, at_lanes(element, c * BASIS + j, COMPONENTS * BASIS));
        }
    }
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
#ifdef UNIFORM_MEDIUM
        value[COMPONENTS + i] = basis_mean[0] * medium_coefficient(medium, 0, i, 0);
#else
        value[COMPONENTS + i] = splat(R(0.0));
        UNROLL
        for (int j = 0; j < MEDIUM_COEFFICIENTS; ++j) {
            const offsets place = at_lanes(element, i * MEDIUM_BASIS + j, MEDIA * MEDIUM_BASIS);
            value[COMPONENTS + i] += phi[j] * gather(medium, place);
        }
#endif
    }
    return law_state(value);
}
#endif
