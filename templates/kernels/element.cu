/* One element: its coefficients, its geometry and values at points.
 *
 *   u_h(x) = sum_j u_j phi_j(xi),   x = origin + J xi
 *
 * Coefficients lie in memory as [block][component][basis function][lane]. The data of its faces:
 *
 *   normals      [FACES][DIM] unit outward normals, then [FACES] |f| / det J
 *   neighbours   [FACES] element * FACES + side, or -1 - boundary face */

/* in: coefficients     out: u */
DEVICE void load_coefficients(real u[COMPONENTS][BASIS], const scalar *coefficients, long long e)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] = load(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS));
        }
    }
}

/* in: u     out: coefficients */
DEVICE void store_coefficients(scalar *coefficients, const real u[COMPONENTS][BASIS], long long e)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            store(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS), u[c][j]);
        }
    }
}

/* sum_j u_j phi_j at one point, where phi[j] = phi_j(xi).     in: u, phi */
DEVICE State evaluate(const real u[COMPONENTS][BASIS], const scalar phi[BASIS])
{
    real value[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = phi[0] * u[c][0];
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            value[c] += phi[j] * u[c][j];
        }
    }
    return law_state(value);
}

/* The affine map from the reference element, [origin: DIM][J: DIM x DIM].     in: map     out: x */
DEVICE Point position(const scalar *map, long long e, const scalar xi[DIM])
{
    real x[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        x[d] = load(map + at(e, d, DIM + DIM * DIM));
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            x[d] += xi[k] * load(map + at(e, DIM + d * DIM + k, DIM + DIM * DIM));
        }
    }
    return law_point(x);
}

/* in: inverse_jacobian [DIM][DIM]     out: inverse */
DEVICE void load_inverse_jacobian(real inverse[DIM][DIM], const scalar *inverse_jacobian, long long e)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            inverse[d][k] = load(inverse_jacobian + at(e, d * DIM + k, DIM * DIM));
        }
    }
}

/* The flux in reference coordinates, J^-1 F(u).     in: state, inverse     out: reference */
DEVICE void reference_flux(real reference[DIM][COMPONENTS], State state, const real inverse[DIM][DIM])
{
    real f[DIM][COMPONENTS];
    law_flux(f, state);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            reference[d][c] = inverse[d][0] * f[0][c];
            UNROLL
            for (int k = 1; k < DIM; ++k) {
                reference[d][c] += inverse[d][k] * f[k][c];
            }
        }
    }
}
