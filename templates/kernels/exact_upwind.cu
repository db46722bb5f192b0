/* Godunov's flux of a linear law: that of the exact solution between two states. Waves to the left are eigenvectors of
 * A on the left side with negative eigenvalues, waves to the right those of A on the right side with positive ones.
 * Together they make up the jump of the flux, and the non-conservative product P there, of which each side has half:
 *
 *   F(r) - F(l) + P(l, r) = x + y,   f* = F(l) + x - P(l, r) / 2 = F(r) - y + P(l, r) / 2
 *
 * (R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, Cambridge 2002, section 9.9). In one medium x and y
 * are the two parts of the jump. Where the medium jumps, they are the parts of another vector z at either side, with
 * waves that stay at the face making up what is left of the jump; elimination finds z. Polynomials of a smooth medium
 * differ a little at a face; there the parts of the jump itself are taken. f* is then as consistent, and as exact: this
 * changes x and y by less than a few times MEDIUM_JUMP of the jump, and that is an error of the scheme, which vanishes
 * with refinement. */
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

/* Shares of each family of waves at either side of a face. The family goes to the left of it, or to the right, or in
 * both directions where the media let it begin at the face, or stays where they let it end there. */
typedef struct {
    real to_left[COMPONENTS], to_right[COMPONENTS]; /* of waves that leave the face */
    real of_left[COMPONENTS], of_right[COMPONENTS]; /* of these and those that stay; both together are 1 */
} Directions;

/* in: l, r, n     out: found */
DEVICE void find_directions(Directions *found, State l, State r, Normal n)
{
    real left[COMPONENTS], right[COMPONENTS];
    law_eigenvalues(left, l, n);
    law_eigenvalues(right, r, n);
    const real none = splat(R(0.0)), half = splat(R(0.5)), all = splat(R(1.0));
    for (int k = 0; k < COMPONENTS; ++k) {
        const mask is_left = left[k] < R(0.0), is_right = right[k] > R(0.0);
        found->of_left[k] = select(is_left, select(is_right, half, all), select(is_right, none, half));
        found->of_right[k] = R(1.0) - found->of_left[k];
        found->to_left[k] = select(is_left, found->of_left[k], none);
        found->to_right[k] = select(is_right, found->of_right[k], none);
    }
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

/* The changes of the state in waves whose flux changes by a vector.     in: vector, u, n, share     out: change */
DEVICE void changes_in_waves(real change[COMPONENTS], const real vector[COMPONENTS], State u, Normal n,
                             const real share[COMPONENTS])
{
    real lambda[COMPONENTS], over[COMPONENTS], fastest = splat(R(0.0));
    law_eigenvalues(lambda, u, n);
    for (int k = 0; k < COMPONENTS; ++k) {
        fastest = real_max(fastest, real_abs(lambda[k]));
    }
    for (int k = 0; k < COMPONENTS; ++k) {
        const mask moves = real_abs(lambda[k]) > NEAR * fastest;
        over[k] = select(moves, share[k] * real_reciprocal(select(moves, lambda[k], splat(R(1.0)))), splat(R(0.0)));
    }
    waves_of(change, vector, u, n, over);
}

/* What waves that leave the face add to the product there, beside the product in their own media.
 *     in: vector, l, r, n, directions     inout: sum */
DEVICE void add_product_between(real sum[COMPONENTS], const real vector[COMPONENTS], State l, State r, Normal n,
                                const Directions *directions)
{
    real left[COMPONENTS], right[COMPONENTS], of_left[COMPONENTS], of_right[COMPONENTS], between[COMPONENTS];
    changes_in_waves(left, vector, l, n, directions->to_left);
    changes_in_waves(right, vector, r, n, directions->to_right);
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

/* z of the jump of the flux, see above.     in: l, r, n, directions     inout: jump, z */
DEVICE void split_between_media(real jump[COMPONENTS], State l, State r, Normal n, const Directions *directions)
{
    real matrix[COMPONENTS][COMPONENTS];
    NO_UNROLL
    for (int j = 0; j < COMPONENTS; ++j) {
        real vector[COMPONENTS], left[COMPONENTS], right[COMPONENTS];
        for (int i = 0; i < COMPONENTS; ++i) {
            vector[i] = splat(i == j ? R(1.0) : R(0.0));
        }
        waves_of(left, vector, l, n, directions->of_left);
        waves_of(right, vector, r, n, directions->of_right);
        for (int i = 0; i < COMPONENTS; ++i) {
            left[i] += right[i];
        }
#ifdef NONCONSERVATIVE
        add_product_between(left, vector, l, r, n, directions);
#endif
        for (int i = 0; i < COMPONENTS; ++i) {
            matrix[i][j] = left[i];
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
#ifdef NONCONSERVATIVE
    real product[COMPONENTS];
    law_components(product, law_path_product(l, r, n));
    for (int i = 0; i < COMPONENTS; ++i) {
        jump[i] += product[i];
    }
#endif
    /* x - y; in one medium, from the same waves. */
    real difference[COMPONENTS];
#if VARYING_MEDIA > 0
    Directions directions;
    find_directions(&directions, l, r, n);
    real z[COMPONENTS], y[COMPONENTS];
    for (int i = 0; i < COMPONENTS; ++i) {
        z[i] = jump[i];
    }
    const mask jumps = medium_jumps(l, r);
    if (any(jumps)) {
        split_between_media(z, l, r, n, &directions);
        for (int i = 0; i < COMPONENTS; ++i) {
            z[i] = select(jumps, z[i], jump[i]);
        }
    }
    waves_of(difference, z, l, n, directions.to_left);
    waves_of(y, z, r, n, directions.to_right);
    for (int i = 0; i < COMPONENTS; ++i) {
        difference[i] -= y[i];
    }
#else
    real sign[COMPONENTS];
    law_eigenvalues(sign, l, n);
    for (int k = 0; k < COMPONENTS; ++k) {
        const real not_left = select(sign[k] > R(0.0), splat(R(-1.0)), splat(R(0.0)));
        sign[k] = select(sign[k] < R(0.0), splat(R(1.0)), not_left);
    }
    waves_of(difference, jump, l, n, sign);
#endif
    for (int i = 0; i < COMPONENTS; ++i) {
        flux[i] = R(0.5) * (left[i] + right[i] + difference[i]);
    }
    return law_change(flux);
}
