/* One element: its coefficients, and values at points.
 *
 *   u_h(x) = sum_j u_j phi_j(xi)
 *
 * Coefficients lie in memory as [block][component][basis function][lane]. What lies behind its faces:
 *
 *   neighbours   [FACES] element * FACES + side, or -1 - boundary face */

#ifdef SEVERAL_SECTIONS
/* Whether elements k, numbered among those of all sections of a mesh, are of another one than that of `elements`
 * elements from `first` on. */
DEVICE mask is_elsewhere(ints k, long long first, long long elements)
{
    return mask_of(k < (int)first) | mask_of(k >= (int)(first + elements));
}
#endif

/* out: u */
DEVICE void set_zero(real u[COMPONENTS][BASIS])
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] = splat(R(0.0));
        }
    }
}

/* in: coefficients, medium     out: u, with the medium behind the state */
DEVICE void load_coefficients(real u[FIELDS][BASIS], const scalar *coefficients, const scalar *medium, long long e)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] = load(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS));
        }
    }
    load_medium(u + COMPONENTS, medium, e);
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

/* Elements without a reflection take all functions together. */
#ifndef IS_ODD
#define IS_ODD(j) 0
#endif

/* sum_j u_j phi_j at one point, where phi[j] = phi_j(xi), with the medium there. Even and odd functions are added
 * alone, as in columns_points.cu: a record is the same to the bit, whichever kernel writes it.     in: u, phi */
DEVICE State evaluate(const real u[FIELDS][BASIS], const scalar phi[BASIS])
{
    real value[FIELDS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        real even = phi[0] * u[c][0], odd = splat(R(0.0));
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            if (IS_ODD(j)) {
                odd += phi[j] * u[c][j];
            } else {
                even += phi[j] * u[c][j];
            }
        }
        value[c] = even + odd;
    }
    evaluate_medium(value + COMPONENTS, u + COMPONENTS, phi);
    return law_state(value);
}
