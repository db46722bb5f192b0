/* Godunov's flux of a law with a linear flux, F(u) . n = A u: that of the exact solution between two states. Waves to
 * the left are eigenvectors of A on the left side with negative eigenvalues, waves to the right those of A on the right
 * side with positive ones. Together they make up the jump of the flux,
 *
 *   A_r r - A_l l = x + y,   f* = A_l l + x = A_r r - y
 *
 * (R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, Cambridge 2002, section 9.9). In one medium x and y
 * are the two parts of the jump, and f* = (A l + A r - |A| (r - l)) / 2. Where the medium jumps, they are the parts of
 * another vector z at either side, with x + y + waves that stay at the face = A_r r - A_l l, which elimination finds.
 * Polynomials of a smooth medium differ a little at a face; there the parts of the jump itself are taken. f* is then as
 * consistent, and as exact: this changes x and y by less than a few times MEDIUM_JUMP of the jump of the flux, and that
 * jump is an error of the scheme, which vanishes with refinement. */
#define MEDIUM_JUMP R(0.01)

/* Solves matrix * solution = side by elimination with partial pivoting, lane by lane; where a pivot vanishes, that
 * component is zero.     changes: matrix     inout: side, solution */
DEVICE void eliminate(real matrix[COMPONENTS][COMPONENTS], real side[COMPONENTS])
{
    NO_UNROLL
    for (int k = 0; k < COMPONENTS; ++k) {
        for (int i = k + 1; i < COMPONENTS; ++i) {
            const mask larger = real_abs(matrix[i][k]) > real_abs(matrix[k][k]);
            for (int j = 0; j < COMPONENTS; ++j) {
                const real kept = matrix[k][j];
                matrix[k][j] = select(larger, matrix[i][j], kept);
                matrix[i][j] = select(larger, kept, matrix[i][j]);
            }
            const real kept = side[k];
            side[k] = select(larger, side[i], kept);
            side[i] = select(larger, kept, side[i]);
        }
        const mask found = real_abs(matrix[k][k]) > R(0.0);
        const real pivot = select(found, real_reciprocal(select(found, matrix[k][k], splat(R(1.0)))), splat(R(0.0)));
        for (int i = 0; i < COMPONENTS; ++i) {
            if (i != k) {
                const real share = matrix[i][k] * pivot;
                for (int j = k; j < COMPONENTS; ++j) {
                    matrix[i][j] -= share * matrix[k][j];
                }
                side[i] -= share * side[k];
            }
        }
        side[k] *= pivot;
        for (int j = k; j < COMPONENTS; ++j) {
            matrix[k][j] *= pivot;
        }
    }
}

#if VARYING_MEDIA > 0
/* Whether the medium jumps: whether a field differs by more than MEDIUM_JUMP of the larger of its values. */
DEVICE mask medium_jumps(State l, State r)
{
    real left[FIELDS], right[FIELDS];
    law_fields(left, l);
    law_fields(right, r);
    mask same = everywhere();
    for (int i = COMPONENTS; i < FIELDS; ++i) {
        if (varies(i - COMPONENTS)) {
            const real difference = real_abs(left[i] - right[i]);
            same = same & (difference <= MEDIUM_JUMP * real_max(real_abs(left[i]), real_abs(right[i])));
        }
    }
    return not(same);
}

/* z of the jump of the flux, see above.     in: l, r, n     inout: jump, z */
DEVICE void split_between_media(real jump[COMPONENTS], State l, State r, Normal n)
{
    const Shares of_left = {R(1.0), R(0.5), R(0.0)}, of_right = {R(0.0), R(0.5), R(1.0)};
    real matrix[COMPONENTS][COMPONENTS];
    NO_UNROLL
    for (int j = 0; j < COMPONENTS; ++j) {
        real direction[COMPONENTS], left[COMPONENTS], right[COMPONENTS];
        for (int i = 0; i < COMPONENTS; ++i) {
            direction[i] = splat(i == j ? R(1.0) : R(0.0));
        }
        waves_of(left, direction, l, n, of_left);
        waves_of(right, direction, r, n, of_right);
        for (int i = 0; i < COMPONENTS; ++i) {
            matrix[i][j] = left[i] + right[i];
        }
    }
    eliminate(matrix, jump);
}
#endif

/* in: l, r, n */
DEVICE State law_numerical_flux_exact_upwind(State l, State r, Normal n, real s)
{
    real left[COMPONENTS], right[COMPONENTS], jump[COMPONENTS], flux[COMPONENTS];
    law_components(left, law_normal_flux(l, n));
    law_components(right, law_normal_flux(r, n));
    for (int i = 0; i < COMPONENTS; ++i) {
        jump[i] = right[i] - left[i];
    }
    /* x - y; in one medium, from the same waves. */
    real difference[COMPONENTS];
#if VARYING_MEDIA > 0
    real z[COMPONENTS], y[COMPONENTS];
    for (int i = 0; i < COMPONENTS; ++i) {
        z[i] = jump[i];
    }
    const mask jumps = medium_jumps(l, r);
    if (any(jumps)) {
        split_between_media(z, l, r, n);
        for (int i = 0; i < COMPONENTS; ++i) {
            z[i] = select(jumps, z[i], jump[i]);
        }
    }
    const Shares to_left = {R(1.0), R(0.0), R(0.0)}, to_right = {R(0.0), R(0.0), R(1.0)};
    waves_of(difference, z, l, n, to_left);
    waves_of(y, z, r, n, to_right);
    for (int i = 0; i < COMPONENTS; ++i) {
        difference[i] -= y[i];
    }
#else
    const Shares by_sign = {R(1.0), R(0.0), R(-1.0)};
    waves_of(difference, jump, l, n, by_sign);
#endif
    for (int i = 0; i < COMPONENTS; ++i) {
        flux[i] = R(0.5) * (left[i] + right[i] + difference[i]);
    }
    return law_change(flux);
}
