/* Godunov's flux of a linear law: that of the exact solution between two states. Waves to the left are eigenvectors of
 * A on the left side with negative eigenvalues, waves to the right those of A on the right side with positive ones.
 * Together they make up the jump of the flux and of the non-conservative product P, which both sides have half of:
 *
 *   F(r) - F(l) + P = x + y,   f* = F(l) + x - P / 2 = F(r) - y + P / 2
 *
 * (R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, Cambridge 2002, section 9.9). In one medium P is the
 * law's product at the jump, and x and y are parts of the jump. Where the medium jumps, x and y are parts of another
 * vector z at either side, such that between the states beside the face behind the waves there is no jump of the flux
 * and of the law's product, but for waves that stay there. Elimination finds z, and P follows: the law's own would be
 * right between the states behind the waves. Polynomials of a smooth medium differ a little at a face; there the parts
 * of the jump itself are taken. f* is then as consistent, and as exact: this changes x and y by less than a few times
 * MEDIUM_JUMP of the jump, and that is an error of the scheme, which vanishes with refinement. Where media let a wave
 * begin or end at the face, by their signs, there is no such solution, and the flux is Rusanov's. */
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

/* The direction of each family of waves at a face: 1 to the left, -1 to the right, and between for those that are slow
 * on both sides. A family that moves at one side goes as it does there.     in: l, r, n     out: direction
 *     returns: whether a family has one direction at the left and the other at the right */
DEVICE mask find_directions(real direction[COMPONENTS], State l, State r, Normal n)
{
    real at_right[COMPONENTS];
    directions_of(direction, l, n);
    directions_of(at_right, r, n);
    mask turns = not(everywhere());
    for (int k = 0; k < COMPONENTS; ++k) {
        const real left = real_max(splat(R(0.0)), -real_min(direction[k], at_right[k]));
        const real right = real_max(splat(R(0.0)), real_max(direction[k], at_right[k]));
        turns = turns | mask_of(real_min(left, right) >= R(1.0));
        direction[k] = left - right;
    }
    return turns;
}

/* The parts of a vector in waves that leave the face at one side, `sign` 1 for the left and -1 for the right.
 *     in: vector, u, n, direction     out: part */
DEVICE void waves_that_leave(real part[COMPONENTS], const real vector[COMPONENTS], State u, Normal n,
                             const real direction[COMPONENTS], scalar sign)
{
    real share[COMPONENTS];
    for (int k = 0; k < COMPONENTS; ++k) {
        share[k] = real_max(splat(R(0.0)), sign * direction[k]);
    }
    waves_of(part, vector, u, n, share);
}

/* The same with half of the waves that stay. */
DEVICE void waves_of_side(real part[COMPONENTS], const real vector[COMPONENTS], State u, Normal n,
                          const real direction[COMPONENTS], scalar sign)
{
    real share[COMPONENTS];
    for (int k = 0; k < COMPONENTS; ++k) {
        share[k] = R(0.5) + (R(0.5) * sign) * direction[k];
    }
    waves_of(part, vector, u, n, share);
}

#ifdef NONCONSERVATIVE
/* The state with these components in the medium of another.     in: components, u */
DEVICE State in_medium_of(State u, const real components[COMPONENTS])
{
    real fields[FIELDS];
    law_fields(fields, u);
    for (int i = 0; i < COMPONENTS; ++i) {
        fields[i] = components[i];
    }
    return law_state(fields);
}

/* The changes of the state in waves that leave the face, whose flux changes by a vector.
 *     in: vector, u, n, direction, sign     out: change */
DEVICE void changes_that_leave(real change[COMPONENTS], const real vector[COMPONENTS], State u, Normal n,
                               const real direction[COMPONENTS], scalar sign)
{
    real lambda[COMPONENTS], share[COMPONENTS];
    law_eigenvalues(lambda, u, n);
    const real fastest = fastest_wave(lambda), unit = real_reciprocal(fastest);
    for (int k = 0; k < COMPONENTS; ++k) {
        const mask moves = real_abs(lambda[k]) > R(0.0);
        const real over = fastest * real_reciprocal(select(moves, lambda[k], splat(R(1.0))));
        share[k] = select(moves, real_max(splat(R(0.0)), sign * direction[k]) * over, splat(R(0.0)));
    }
    waves_of(change, vector, u, n, share);
    for (int i = 0; i < COMPONENTS; ++i) {
        change[i] *= unit;
    }
}

/* What waves that leave the face add to the product there, beside the product in their own media.
 *     in: vector, l, r, n, direction     inout: sum */
DEVICE void add_product_between(real sum[COMPONENTS], const real vector[COMPONENTS], State l, State r, Normal n,
                                const real direction[COMPONENTS])
{
    real left[COMPONENTS], right[COMPONENTS], of_left[COMPONENTS], of_right[COMPONENTS], between[COMPONENTS];
    changes_that_leave(left, vector, l, n, direction, R(1.0));
    changes_that_leave(right, vector, r, n, direction, R(-1.0));
    law_components(of_left, law_product(l, law_change(left), n));
    law_components(of_right, law_product(r, law_change(right), n));
    for (int i = 0; i < COMPONENTS; ++i) {
        right[i] = -right[i];
    }
    law_components(between, law_path_product(in_medium_of(l, left), in_medium_of(r, right), n));
    for (int i = 0; i < COMPONENTS; ++i) {
        sum[i] -= between[i] + of_left[i] + of_right[i];
    }
}
#endif

/* Finds z of a jump, see above.     in: l, r, n, direction     inout: jump, which becomes z */
DEVICE void split_between_media(real jump[COMPONENTS], State l, State r, Normal n, const real direction[COMPONENTS])
{
    real matrix[COMPONENTS][COMPONENTS];
    NO_UNROLL
    for (int j = 0; j < COMPONENTS; ++j) {
        real vector[COMPONENTS], left[COMPONENTS], right[COMPONENTS];
        for (int i = 0; i < COMPONENTS; ++i) {
            vector[i] = splat(i == j ? R(1.0) : R(0.0));
        }
        waves_of_side(left, vector, l, n, direction, R(1.0));
        waves_of_side(right, vector, r, n, direction, R(-1.0));
        for (int i = 0; i < COMPONENTS; ++i) {
            left[i] += right[i];
        }
#ifdef NONCONSERVATIVE
        add_product_between(left, vector, l, r, n, direction);
#endif
        for (int i = 0; i < COMPONENTS; ++i) {
            matrix[i][j] = left[i];
        }
    }
    eliminate(matrix, jump);
}
#endif

/* The flux, and the product at the jump that belongs to it.     in: l, r, n; s, the largest speed     out: product */
DEVICE State exact_flux(real product[COMPONENTS], State l, State r, Normal n, real s)
{
    real left[COMPONENTS], right[COMPONENTS], jump[COMPONENTS], flux[COMPONENTS];
    law_components(left, law_normal_flux(l, n));
    law_components(right, law_normal_flux(r, n));
#ifdef NONCONSERVATIVE
    law_components(product, law_path_product(l, r, n));
#endif
    for (int i = 0; i < COMPONENTS; ++i) {
        jump[i] = right[i] - left[i];
#ifdef NONCONSERVATIVE
        jump[i] += product[i];
#endif
    }
#if VARYING_MEDIA > 0
    real direction[COMPONENTS];
    const mask turns = find_directions(direction, l, r, n);
    real z[COMPONENTS], x[COMPONENTS], y[COMPONENTS];
    for (int i = 0; i < COMPONENTS; ++i) {
        z[i] = jump[i];
    }
    const mask jumps = medium_jumps(l, r) & not(turns);
    if (any(jumps)) {
        split_between_media(z, l, r, n, direction);
        for (int i = 0; i < COMPONENTS; ++i) {
            z[i] = select(jumps, z[i], jump[i]);
        }
#ifdef NONCONSERVATIVE
        waves_of_side(x, z, l, n, direction, R(1.0));
        waves_of_side(y, z, r, n, direction, R(-1.0));
        for (int i = 0; i < COMPONENTS; ++i) {
            product[i] = select(jumps, x[i] + y[i] - (right[i] - left[i]), product[i]);
        }
#endif
    }
    waves_that_leave(x, z, l, n, direction, R(1.0));
    waves_that_leave(y, z, r, n, direction, R(-1.0));
    real inner[COMPONENTS], outer[COMPONENTS];
    law_components(inner, l);
    law_components(outer, r);
    for (int i = 0; i < COMPONENTS; ++i) {
        const real difference = select(turns, s * (inner[i] - outer[i]), x[i] - y[i]);
        flux[i] = R(0.5) * (left[i] + right[i] + difference);
    }
#else
    /* x - y, from the same waves. */
    real share[COMPONENTS], difference[COMPONENTS];
    directions_of(share, l, n);
    for (int k = 0; k < COMPONENTS; ++k) {
        share[k] = -share[k];
    }
    waves_of(difference, jump, l, n, share);
    for (int i = 0; i < COMPONENTS; ++i) {
        flux[i] = R(0.5) * (left[i] + right[i] + difference[i]);
    }
#endif
    return law_change(flux);
}

/* in: l, r, n */
DEVICE State law_numerical_flux_exact_upwind(State l, State r, Normal n, real s)
{
    real product[COMPONENTS];
    return exact_flux(product, l, r, n, s);
}
#define HAS_PRODUCT_law_numerical_flux_exact_upwind 1
