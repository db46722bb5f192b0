/* The products of a column with the tables where basis functions are products phi_i(x) phi_j(y) of orthonormal
 * polynomials, and the points of the volume lie in LINES lines of LINES points each. A sum over both indices is taken
 * along one direction after the other (sum factorisation: S. A. Orszag, Spectral methods for problems in complex
 * geometries, 1980), so that an element takes work of LINES^3, not LINES^4. */

/* The factor of function i where the line runs the other way. */
#define TURNED(i) ((i) % 2 == 0 ? R(1.0) : R(-1.0))

/* sum_i phi_i v_i on a line     in: phi, v */
DEVICE wide on_line(const scalar phi[LINES], const wide v[LINES])
{
    wide value = phi[0] * v[0];
    UNROLL
    for (int i = 1; i < LINES; ++i) {
        value += phi[i] * v[i];
    }
    return value;
}

/* sum_k w_k phi_i(x_k) v_k, or of derivatives     in: weighted, v */
DEVICE wide along_line(const scalar weighted[LINES][LINES], const wide v[LINES], int i)
{
    wide sum = weighted[0][i] * v[0];
    UNROLL
    for (int k = 1; k < LINES; ++k) {
        sum += weighted[k][i] * v[k];
    }
    return sum;
}

/* The values at both ends of a line: sums over even degrees, and over odd ones.
 *     in: v     out: ends, at 0 and at 1 */
DEVICE void at_ends(wide ends[2], const wide v[LINES])
{
    wide odd = wide_of(R(0.0));
    wide even = end_of_line[0] * v[0];
    UNROLL
    for (int i = 1; i < LINES; ++i) {
        const wide term = end_of_line[i] * v[i];
        if (i % 2 == 0) {
            even += term;
        } else {
            odd += term;
        }
    }
    ends[0] = even - odd;
    ends[1] = even + odd;
}

#ifdef VISCOUS
/* The derivatives at both ends of a line, likewise.     in: v     out: ends */
DEVICE void slopes_at_ends(wide ends[2], const wide v[LINES])
{
    wide odd = wide_of(R(0.0)), even = wide_of(R(0.0));
    UNROLL
    for (int i = 1; i < LINES; ++i) {
        const wide term = slope_at_end_of_line[i] * v[i];
        if (i % 2 == 0) {
            even += term;
        } else {
            odd += term;
        }
    }
    ends[0] = odd - even;
    ends[1] = odd + even;
}
#endif

/* The traces on the faces, polynomials along each from its first corner to its second.
 *     in: u     out: trace, coefficients */
DEVICE void find_traces(wide trace[FACES][LINES], const wide u[BASIS])
{
    UNROLL
    for (int j = 0; j < LINES; ++j) {
        wide in_x[LINES], in_y[LINES], ends[2];
        UNROLL
        for (int i = 0; i < LINES; ++i) {
            in_x[i] = u[PRODUCT(i, j)];
            in_y[i] = u[PRODUCT(j, i)];
        }
        at_ends(ends, in_x);
        trace[1][j] = ends[1];
        trace[3][j] = TURNED(j) * ends[0];
        at_ends(ends, in_y);
        trace[0][j] = ends[0];
        trace[2][j] = TURNED(j) * ends[1];
    }
}

#ifndef VISCOUS
#ifdef __CUDACC__
/* Rows of the coefficients of all traces, from which value_of_column finds those on the rim. */
#define KEPT_ROWS TRACES
DEVICE void keep_column(scalar *rows, const wide u[BASIS], const Links *links, long long e)
{
    wide trace[FACES][LINES];
    find_traces(trace, u);
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        UNROLL
        for (int i = 0; i < LINES; ++i) {
            store_wide(rows + TRACE_ROW(f, i) * GROUP_ROW, STRIDE, trace[f][i]);
        }
    }
}
DEVICE real value_of_column(const scalar *rows, ints number, int k)
{
    const ints place = place_of(number);
    real value = LINE_AT_FACE[k][0] * gather(rows, place);
    UNROLL
    for (int i = 1; i < LINES; ++i) {
        value += LINE_AT_FACE[k][i] * gather(rows, place + i * (FACES * ROW));
    }
    return value;
}
#else
/* The traces on the rim.     in: u, links, e     out: rows */
DEVICE void keep_column(scalar *rows, const wide u[BASIS], const Links *links, long long e)
{
    wide trace[FACES][LINES];
    find_traces(trace, u);
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        if (is_on_rim(links, e, f)) {
            UNROLL
            for (int k = 0; k < FACE_POINTS; ++k) {
                store_wide(rows + TRACE_ROW(f, k) * GROUP_ROW, STRIDE, on_line(LINE_AT_FACE[k], trace[f]));
            }
        }
    }
}
#endif
#endif

/* The values at the points of the faces.     in: u     out: rows */
DEVICE void column_to_faces(scalar *rows, const wide u[BASIS])
{
    wide trace[FACES][LINES];
    find_traces(trace, u);
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        UNROLL
        for (int k = 0; k < FACE_POINTS; ++k) {
            store_wide(rows + TRACE_ROW(f, k) * GROUP_ROW, STRIDE, on_line(LINE_AT_FACE[k], trace[f]));
        }
    }
}

/* What the fluxes at the points of all faces amount to: sums over opposite faces, for functions of even and of odd
 * degree across. */
typedef struct {
    wide in_x[2][LINES], in_y[2][LINES];
} FaceSums;

/* in: rows     out: sums */
DEVICE void find_face_sums(FaceSums *sums, const scalar *rows)
{
    wide along[FACES][LINES];
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        wide flux[FACE_POINTS];
        UNROLL
        for (int k = 0; k < FACE_POINTS; ++k) {
            flux[k] = load_wide(rows + TRACE_ROW(f, k) * GROUP_ROW, STRIDE);
        }
        UNROLL
        for (int i = 0; i < LINES; ++i) {
            along[f][i] = LINE_WEIGHTED_AT_FACE[0][i] * flux[0];
            UNROLL
            for (int k = 1; k < FACE_POINTS; ++k) {
                along[f][i] += LINE_WEIGHTED_AT_FACE[k][i] * flux[k];
            }
        }
    }
    UNROLL
    for (int j = 0; j < LINES; ++j) {
        sums->in_x[0][j] = along[1][j] + TURNED(j) * along[3][j];
        sums->in_x[1][j] = along[1][j] - TURNED(j) * along[3][j];
        sums->in_y[0][j] = TURNED(j) * along[2][j] + along[0][j];
        sums->in_y[1][j] = TURNED(j) * along[2][j] - along[0][j];
    }
}

/* -sum_k w_k phi_ij(xi_k) f_k over the points of all faces     in: sums */
DEVICE wide from_faces(const FaceSums *sums, int i, int j)
{
    return -end_of_line[i] * sums->in_x[i % 2][j] - end_of_line[j] * sums->in_y[j % 2][i];
}

/* r_ij = -sum_k w_k phi_ij(xi_k) f_k over the points of all faces     in: rows     out: r */
DEVICE void column_from_faces(wide r[BASIS], const scalar *rows)
{
    FaceSums sums;
    find_face_sums(&sums, rows);
    UNROLL
    for (int i = 0; i < LINES; ++i) {
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            r[PRODUCT(i, j)] = from_faces(&sums, i, j);
        }
    }
}

#ifndef QUADRATURE_FREE
#define LINE LINES
#define VOLUME_LINES LINES
/* What is given at the points of line l of the volume, see add_product.     in: u */
DEVICE void given_on_line(wide given[GIVEN][LINE], const wide u[BASIS], int l)
{
    wide value[LINES];
    UNROLL
    for (int i = 0; i < LINES; ++i) {
        wide in_y[LINES];
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            in_y[j] = u[PRODUCT(i, j)];
        }
        value[i] = on_line(line_basis[l], in_y);
    }
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        given[0][k] = on_line(line_basis[k], value);
    }
#if GIVEN > 1
    wide slope[LINES];
    UNROLL
    for (int i = 0; i < LINES; ++i) {
        wide in_y[LINES];
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            in_y[j] = u[PRODUCT(i, j)];
        }
        slope[i] = on_line(line_weighted_gradient[l], in_y);
    }
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        given[1][k] = LINE_WEIGHTS[l] * on_line(line_weighted_gradient[k], value);
        given[2][k] = on_line(line_weighted_basis[k], slope);
    }
#endif
}

/* Adds the integrals of the terms at the points of line l: see volume.cu.
 *     in: terms; has_others, see HAS_OTHER_TERMS     inout: r */
DEVICE void project_line(wide r[BASIS], int l, const wide terms[TERMS][LINE], int has_others)
{
    UNROLL
    for (int i = 0; i < LINES; ++i) {
        /* phi_0 is constant. */
        const wide in_y = along_line(line_weighted_basis, terms[1], i);
        wide in_x = i > 0 ? along_line(line_weighted_gradient, terms[0], i) : wide_of(R(0.0));
#if TERMS > DIM
        if (has_others) {
            in_x += along_line(line_weighted_basis, terms[DIM], i);
        }
#endif
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            if (has_others || i > 0) {
                r[PRODUCT(i, j)] += line_weighted_basis[l][j] * in_x;
            }
            if (j > 0) {
                r[PRODUCT(i, j)] += line_weighted_gradient[l][j] * in_y;
            }
        }
    }
}

#ifndef __CUDACC__
/* On the host the sums over the points of all lines come first, then those over lines, of one function in x after the
 * other: the residual of all functions would exceed the registers. Points lie in pairs, in equal distance from the
 * middle of a line, about which phi_i is even or odd: a pair takes one product. */
#define SUMS_BY_LINES
#if defined(ONE_COLUMN) && !defined(VISCOUS) && MAP_DEGREE == 0
#define UPDATES_BY_LINES
#endif
#define PAIRS ((LINES + 1) / 2)

/* The numbers at the points of a line, added and subtracted in pairs; that in the middle is a pair of its own. */
typedef struct {
    real even[PAIRS], odd[PAIRS];
} Folded;

/* in: values, `step` numbers apart */
DEVICE Folded folded(const scalar *values, int step)
{
    Folded line;
    UNROLL
    for (int k = 0; k < LINES / 2; ++k) {
        const real value = load(values + k * step), opposite = load(values + (LINES - 1 - k) * step);
        line.even[k] = value + opposite;
        line.odd[k] = value - opposite;
    }
    if (LINES % 2 == 1) {
        line.even[LINES / 2] = line.odd[LINES / 2] = load(values + LINES / 2 * step);
    }
    return line;
}

/* sum_k w_k phi_i(x_k) v_k, or of derivatives, which are odd where phi_i is even.     in: weighted, v */
DEVICE real along_folded(const scalar weighted[LINES][LINES], const Folded *v, int i, int derivatives)
{
    const int even = (i + derivatives) % 2 == 0;
    real sum = weighted[0][i] * (even ? v->even[0] : v->odd[0]);
    UNROLL
    for (int k = 1; k < (even ? PAIRS : LINES / 2); ++k) {
        sum += weighted[k][i] * (even ? v->even[k] : v->odd[k]);
    }
    return sum;
}

/* The sums over the points of each line of the volume, of function i in x: what is tested with phi_j, and with its
 * derivative. */
typedef struct {
    scalar in_x[LINES][LINES * LANES] __attribute__((aligned(VECTOR_BYTES)));
    scalar in_y[LINES][LINES * LANES] __attribute__((aligned(VECTOR_BYTES)));
} LineSums;

/* The first i of which in_x is not zero: phi_0 is constant. */
#define FIRST_IN_X (TERMS > DIM ? 0 : 1)

/* in: rows, the terms at the points of the volume; has_others, see HAS_OTHER_TERMS     out: sums */
DEVICE void find_line_sums(LineSums *sums, const scalar *rows, int has_others)
{
    const int step = POINT_ROWS * GROUP_ROW;
    UNROLL_ROWS
    for (int l = 0; l < LINES; ++l) {
        const scalar *line = rows + l * LINES * step;
        const Folded flux_x = folded(line, step), flux_y = folded(line + GROUP_ROW, step);
#if TERMS > DIM
        Folded other;
        if (has_others) {
            other = folded(line + DIM * GROUP_ROW, step);
        }
#endif
        UNROLL
        for (int i = 0; i < LINES; ++i) {
            store(sums->in_y[i] + l * LANES, along_folded(line_weighted_basis, &flux_y, i, 0));
            if (i >= FIRST_IN_X) {
                real sum = i > 0 ? along_folded(line_weighted_gradient, &flux_x, i, 1) : splat(R(0.0));
#if TERMS > DIM
                if (has_others) {
                    sum += along_folded(line_weighted_basis, &other, i, 0);
                }
#endif
                store(sums->in_x[i] + l * LANES, sum);
            }
        }
    }
}

/* Adds the integrals with functions i in x, and j in y: see volume.cu.     in: sums     inout: r */
DEVICE void add_line(real r[LINES], const LineSums *sums, int i)
{
    const Folded flux_y = folded(sums->in_y[i], LANES);
    UNROLL
    for (int j = 1; j < LINES; ++j) {
        r[j] += along_folded(line_weighted_gradient, &flux_y, j, 1);
    }
    if (i >= FIRST_IN_X) {
        const Folded others = folded(sums->in_x[i], LANES);
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            r[j] += along_folded(line_weighted_basis, &others, j, 0);
        }
    }
}
#endif
#endif

#if MAP_DEGREE > 0
/* What an element's mass matrix is divided by with. */
typedef struct {
    Determinant determinant[WIDTH];
} Mass;

/* out: mass */
DEVICE void load_mass(Mass *mass, const scalar *map, const scalar *inverse_mass, long long e)
{
    EACH_ELEMENT(w) load_determinant(&mass->determinant[w], map, e + w * STRIDE);
}

/* r <- M^-1 r, with the mass matrix M_ij = sum_q w_q det J(xi_q) phi_i phi_j. There are as many points as functions,
 * and sum_q w_q phi_i phi_j is the identity, so that M^-1_ij = sum_q w_q / det J(xi_q) phi_i phi_j.     inout: r */
DEVICE void divide_by_mass(wide r[BASIS], const Mass *mass)
{
    wide quotient[BASIS];
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        quotient[j] = wide_of(R(0.0));
    }
    UNROLL_ROWS
    for (int l = 0; l < LINES; ++l) {
        wide value[LINES], at_point[LINES];
        UNROLL
        for (int i = 0; i < LINES; ++i) {
            wide in_y[LINES];
            UNROLL
            for (int j = 0; j < LINES; ++j) {
                in_y[j] = r[PRODUCT(i, j)];
            }
            value[i] = on_line(line_basis[l], in_y);
        }
        UNROLL
        for (int k = 0; k < LINES; ++k) {
            const wide residual = on_line(line_basis[k], value);
            EACH_ELEMENT(w) {
                const real determinant = determinant_at(&mass->determinant[w], volume_points[LINES * l + k]);
                set_part(&at_point[k], w, part(residual, w) * real_reciprocal(determinant));
            }
        }
        UNROLL
        for (int i = 0; i < LINES; ++i) {
            const wide in_x = along_line(line_weighted_basis, at_point, i);
            UNROLL
            for (int j = 0; j < LINES; ++j) {
                quotient[PRODUCT(i, j)] += line_weighted_basis[l][j] * in_x;
            }
        }
    }
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r[j] = quotient[j];
    }
}
#endif
