/* The products of a column with the tables of a triangle. Of two points that are images of each other, one sum over the
 * even functions and one over the odd ones serve for both: see PAIRS. */
typedef struct {
    wide even, odd;
} Halves;

/* sum_j phi_j u_j over the even ones of `count` functions, and over the odd ones     in: phi, u */
DEVICE Halves halves_of(const scalar phi[BASIS], const wide *u, int count)
{
    Halves sum = {phi[0] * u[0], wide_of(R(0.0))};
    UNROLL
    for (int j = 1; j < count; ++j) {
        if (IS_ODD(j)) {
            sum.odd += phi[j] * u[j];
        } else {
            sum.even += phi[j] * u[j];
        }
    }
    return sum;
}

/* Of what two such points have, the sum, with which even functions are integrated, and the difference. */
DEVICE Halves halves_at(wide here, wide there)
{
    const Halves of_both = {here + there, here - there};
    return of_both;
}

/* The rows of point k of face f, and of its image. */
#define POINT_ROW(f, k) (TRACE_ROW(f, k) * GROUP_ROW)
#define IMAGE_ROW(f, k) (TRACE_ROW((FACES - (f)) % FACES, FACE_POINTS - 1 - (k)) * GROUP_ROW)

/* The values at point k of face f and its image.     in: u     out: rows */
DEVICE void values_to_pair(scalar *rows, const wide *u, int count, int f, int k)
{
    const Halves value = halves_of(basis_at_face[f * FACE_POINTS + k], u, count);
    store_wide(rows + POINT_ROW(f, k), STRIDE, value.even + value.odd);
    store_wide(rows + IMAGE_ROW(f, k), STRIDE, value.even - value.odd);
}

/* The values at the points of the faces, of a column of so many coefficients.     in: u     out: rows */
DEVICE void values_to_faces(scalar *rows, const wide *u, int count)
{
    const int middle = FACE_POINTS / 2;
    UNROLL_ROWS
    for (int k = 0; k < middle; ++k) {
        values_to_pair(rows, u, count, 0, k);
    }
    if (FACE_POINTS % 2 == 1) {
        store_wide(rows + POINT_ROW(0, middle), STRIDE, halves_of(basis_at_face[middle], u, count).even);
    }
    UNROLL_ROWS
    for (int k = 0; k < FACE_POINTS; ++k) {
        values_to_pair(rows, u, count, 1, k);
    }
}

/* The values at the points of the faces.     in: u     out: rows */
DEVICE void column_to_faces(scalar *rows, const wide u[BASIS]) { values_to_faces(rows, u, BASIS); }

#ifdef WEIGHTED_TERMS
#define FACE_TABLE basis_at_face
#else
#define FACE_TABLE weighted_basis_at_face
#endif

/* r_j -= w_i phi_j(xi_i) f_i over point k of face f and its image.     in: rows     inout: r */
DEVICE void subtract_at_pair(wide r[BASIS], const scalar *rows, int f, int k)
{
    const wide here = load_wide(rows + POINT_ROW(f, k), STRIDE), there = load_wide(rows + IMAGE_ROW(f, k), STRIDE);
    const Halves flux = halves_at(here, there);
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r[j] -= FACE_TABLE[f * FACE_POINTS + k][j] * (IS_ODD(j) ? flux.odd : flux.even);
    }
}

/* r_j = -sum_i w_i phi_j(xi_i) f_i over the points of all faces     in: rows     out: r */
DEVICE void column_from_faces(wide r[BASIS], const scalar *rows)
{
    const int middle = FACE_POINTS / 2;
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r[j] = wide_of(R(0.0));
    }
    UNROLL_ROWS
    for (int k = 0; k < middle; ++k) {
        subtract_at_pair(r, rows, 0, k);
    }
    if (FACE_POINTS % 2 == 1) {
        const wide flux = load_wide(rows + POINT_ROW(0, middle), STRIDE);
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            if (!IS_ODD(j)) {
                r[j] -= FACE_TABLE[middle][j] * flux;
            }
        }
    }
    UNROLL_ROWS
    for (int k = 0; k < FACE_POINTS; ++k) {
        subtract_at_pair(r, rows, 1, k);
    }
}

#ifndef QUADRATURE_FREE
/* A line of the volume is a pair of points that are images of each other or, of the last lines, two points on the axis,
 * or one. */
#define LINE 2
#define VOLUME_LINES ((VOLUME_POINTS + 1) / 2)
/* Whether line l has a point k. */
#define IS_ON_LINE(l, k) ((l) * LINE + (k) < VOLUME_POINTS)

/* The values at the points of line l, of a column of so many coefficients.     in: u     out: value */
DEVICE void values_on_line(wide value[LINE], const wide *u, int count, int l)
{
    if (l < PAIRS) {
        const Halves both = halves_of(basis_at_volume[l * LINE], u, count);
        value[0] = both.even + both.odd;
        value[1] = both.even - both.odd;
        return;
    }
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        value[k] = IS_ON_LINE(l, k) ? halves_of(basis_at_volume[l * LINE + k], u, count).even : wide_of(R(0.0));
    }
}

/* r_j += phi_j f over the points of line l, for so many functions     in: phi, see basis_at_volume; f     inout: r */
DEVICE void integrate_line(wide *r, const scalar phi[VOLUME_POINTS][BASIS], const wide f[LINE], int count, int l)
{
    if (l < PAIRS) {
        const Halves both = halves_at(f[0], f[1]);
        UNROLL
        for (int j = 0; j < count; ++j) {
            r[j] += phi[l * LINE][j] * (IS_ODD(j) ? both.odd : both.even);
        }
        return;
    }
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        UNROLL
        for (int j = 0; j < count && IS_ON_LINE(l, k); ++j) {
            if (!IS_ODD(j)) {
                r[j] += phi[l * LINE + k][j] * f[k];
            }
        }
    }
}
#endif

#if !defined(QUADRATURE_FREE) && !defined(LIFTED)
/* What is given at the points of line l, see add_product.     in: u */
DEVICE void given_on_line(wide given[GIVEN][LINE], const wide u[BASIS], int l)
{
    values_on_line(given[0], u, BASIS, l);
#if GIVEN > 1
    if (l < PAIRS) {
        const Halves across = halves_of(weighted_derivatives[l][0], u, BASIS),
                     along = halves_of(weighted_derivatives[l][1], u, BASIS);
        given[1][0] = across.odd + across.even;
        given[1][1] = across.odd - across.even;
        given[2][0] = (along.even + along.odd) + R(0.5) * given[1][0];
        given[2][1] = (along.even - along.odd) + R(0.5) * given[1][1];
        return;
    }
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        given[1][k] = given[2][k] = wide_of(R(0.0));
        if (IS_ON_LINE(l, k)) {
            const int i = l * LINE + k - PAIRS;
            given[1][k] = halves_of(weighted_derivatives[i][0], u, BASIS).odd;
            given[2][k] = halves_of(weighted_derivatives[i][1], u, BASIS).even + R(0.5) * given[1][k];
        }
    }
#endif
}

/* The flux at point k of a line that derivatives across the axis are integrated with.     in: terms */
DEVICE wide across_axis(const wide terms[TERMS][LINE], int k) { return terms[0][k] + R(0.5) * terms[1][k]; }

/* Adds sum_d w_q d phi_j / d xi_d f_d to r_j, and w_q phi_j times the other terms behind the fluxes.
 *     in: terms at the points of line l; has_others, see HAS_OTHER_TERMS      inout: r */
DEVICE void project_line(wide r[BASIS], int l, const wide terms[TERMS][LINE], int has_others)
{
#if TERMS > DIM
    if (has_others) {
        integrate_line(r, weighted_basis, terms[DIM], BASIS, l);
    }
#endif
    if (l < PAIRS) {
        const Halves across = halves_at(across_axis(terms, 0), across_axis(terms, 1)),
                     along = halves_at(terms[1][0], terms[1][1]);
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            /* The derivative across the axis of an even function is odd. */
            if (CHANGES_ACROSS(j)) {
                r[j] += weighted_derivatives[l][0][j] * (IS_ODD(j) ? across.even : across.odd);
            }
            r[j] += weighted_derivatives[l][1][j] * (IS_ODD(j) ? along.odd : along.even);
        }
        return;
    }
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        UNROLL
        for (int j = 1; j < BASIS && IS_ON_LINE(l, k); ++j) {
            r[j] += weighted_derivatives[l * LINE + k - PAIRS][!IS_ODD(j)][j] *
                    (IS_ODD(j) ? across_axis(terms, k) : terms[1][k]);
        }
    }
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
