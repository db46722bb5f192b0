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
    gather_medium(value + COMPONENTS, medium, element, phi, BASIS);
    return law_state(value);
}
#endif
