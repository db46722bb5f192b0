/* The products of a column with the tables of any basis, point by point. */

/* The values at the points of the faces.     in: u     out: rows */
DEVICE void column_to_faces(scalar *rows, const wide u[BASIS])
{
    UNROLL_ROWS
    for (int f = 0; f < FACES; ++f) {
        UNROLL_ROWS
        for (int k = 0; k < FACE_POINTS; ++k) {
            store_wide(rows + TRACE_ROW(f, k) * ROW, STRIDE, interpolated(basis_at_face[f * FACE_POINTS + k], u));
        }
    }
}

/* r_j = -sum_i w_i phi_j(xi_i) f_i over the points of all faces     in: rows     out: r */
DEVICE void column_from_faces(wide r[BASIS], const scalar *rows)
{
    const wide first = load_wide(rows, STRIDE);
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r[j] = -weighted_basis_at_face[0][j] * first;
    }
    UNROLL_ROWS
    for (int i = 1; i < TRACES; ++i) {
        const wide flux = load_wide(rows + TRACE_ROW(i / FACE_POINTS, i % FACE_POINTS) * ROW, STRIDE);
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            r[j] -= weighted_basis_at_face[i][j] * flux;
        }
    }
}

#ifndef QUADRATURE_FREE
/* A line of the volume is one point. */
#define LINE 1
#define VOLUME_LINES VOLUME_POINTS
/* What is given at point q of the volume, see add_product.     in: u */
DEVICE void given_on_line(wide given[GIVEN][LINE], const wide u[BASIS], int q)
{
    given[0][0] = interpolated(basis_at_volume[q], u);
#if GIVEN > 1
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        given[1 + d][0] = interpolated(weighted_gradient[q][d], u);
    }
#endif
}

/* Adds sum_d w_q d phi_j / d xi_d f_d to r_j, and w_q phi_j times the other terms behind the fluxes.
 *     in: terms at point q      inout: r */
DEVICE void project_line(wide r[BASIS], int q, const wide terms[TERMS][LINE])
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        /* phi_0 is constant. */
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            r[j] += weighted_gradient[q][d][j] * terms[d][0];
        }
    }
#if TERMS > DIM
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r[j] += weighted_basis[q][j] * terms[DIM][0];
    }
#endif
}
#endif

#if MAP_DEGREE > 0
/* The inverse of an element's mass matrix. */
typedef struct {
    const scalar *inverse; /* its first number, those of other elements of the thread STRIDE_OF(MASS) behind */
} Mass;

/* out: mass */
DEVICE void load_mass(Mass *mass, const scalar *map, const scalar *inverse_mass, long long e)
{
    mass->inverse = inverse_mass + at(e, 0, MASS);
}

/* r <- M^-1 r     inout: r */
DEVICE void divide_by_mass(wide r[BASIS], const Mass *mass)
{
    wide quotient[BASIS];
    UNROLL
    for (int i = 0; i < BASIS; ++i) {
        quotient[i] = wide_of(R(0.0));
        UNROLL
        for (int j = 0; j <= i; ++j) {
            const wide entry = load_wide(mass->inverse + (i * (i + 1) / 2 + j) * BLOCK, STRIDE_OF(MASS));
            quotient[i] += entry * r[j];
            if (j < i) {
                quotient[j] += entry * r[i];
            }
        }
    }
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r[j] = quotient[j];
    }
}
#endif
