/* The slopes of a column: at the points of the faces, and with the lifting of jumps in the volume. */
#ifdef VISCOUS
/* Row of the derivative by x_d at point k of face f, behind those of the values. */
#define SLOPE_ROW(d, f, k) ((1 + (d)) * TRACES + TRACE_ROW(f, k))

/* in: inverse_jacobian or map     out: metric of each element of the thread */
DEVICE void load_metrics(Metric metric[WIDTH], const scalar *array, long long e)
{
    EACH_ELEMENT(w) load_metric(&metric[w], array, e + w * STRIDE);
}

/* Derivatives by x from those by xi at point i of those of all faces.     in: along, metric     out: slope */
DEVICE void turn_slopes(wide slope[DIM], const wide along[DIM], const Metric metric[WIDTH], int i)
{
    EACH_ELEMENT(w) {
        real terms[DIM][DIM];
        inverse_at_face(terms, &metric[w], i);
        UNROLL
        for (int x = 0; x < DIM; ++x) {
            real sum = terms[0][x] * part(along[0], w);
            UNROLL
            for (int d = 1; d < DIM; ++d) {
                sum += terms[d][x] * part(along[d], w);
            }
            set_part(&slope[x], w, sum);
        }
    }
}

/* in: slope, at point k of face f     out: rows */
DEVICE void store_slopes(scalar *rows, const wide slope[DIM], int f, int k)
{
    UNROLL
    for (int x = 0; x < DIM; ++x) {
        store_wide(rows + SLOPE_ROW(x, f, k) * GROUP_ROW, STRIDE, slope[x]);
    }
}

#if !defined(LIFTED)
/* The derivatives by x_d at the points of the faces.     in: u, metric     out: rows */
DEVICE void column_slopes_to_faces(scalar *rows, const wide u[BASIS], const Metric metric[WIDTH])
{
    UNROLL_MAPS
    for (int i = 0; i < TRACES; ++i) {
        wide along[DIM], slope[DIM];
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            along[d] = interpolated(gradient_at_face[i][d], u);
        }
        turn_slopes(slope, along, metric, i);
        store_slopes(rows, slope, i / FACE_POINTS, i % FACE_POINTS);
    }
}

/* r_j -= sum_i w_i sum_x d phi_j / d x_x f_x over the points of all faces     in: rows, metric     inout: r */
DEVICE void column_from_face_slopes(wide r[BASIS], const scalar *rows, const Metric metric[WIDTH])
{
    UNROLL_MAPS
    for (int i = 0; i < TRACES; ++i) {
        wide given[DIM], along[DIM];
        UNROLL
        for (int x = 0; x < DIM; ++x) {
            given[x] = load_wide(rows + SLOPE_ROW(x, i / FACE_POINTS, i % FACE_POINTS) * GROUP_ROW, STRIDE);
        }
        EACH_ELEMENT(w) {
            real terms[DIM][DIM];
            inverse_at_face(terms, &metric[w], i);
            UNROLL
            for (int d = 0; d < DIM; ++d) {
                real sum = terms[d][0] * part(given[0], w);
                UNROLL
                for (int x = 1; x < DIM; ++x) {
                    sum += terms[d][x] * part(given[x], w);
                }
                set_part(&along[d], w, sum);
            }
        }
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            /* phi_0 is constant. */
            UNROLL
            for (int j = 1; j < BASIS; ++j) {
                r[j] -= weighted_gradient_at_face[i][d][j] * along[d];
            }
        }
    }
}
#elif defined(IS_PRODUCT)
/* Half of the jumps at the points of all faces, along the axes: on a product of Gauss points the lifting of a point's
 * jump lives on the line through it. */
typedef struct {
    wide jump[FACES][LINES];
} Slopes;
/* The number along the axis of point k of face f. */
#define ALONG_AXIS(f, k) ((f) < 2 ? (k) : LINES - 1 - (k))

/* The derivatives by x_d at the points of the faces.     in: u, metric     out: rows */
DEVICE void column_slopes_to_faces(scalar *rows, const wide u[BASIS], const Metric metric[WIDTH])
{
    wide trace[FACES][LINES], across[FACES][LINES];
    UNROLL
    for (int j = 0; j < LINES; ++j) {
        wide in_x[LINES], in_y[LINES], ends[2];
        UNROLL
        for (int i = 0; i < LINES; ++i) {
            in_x[i] = u[PRODUCT(i, j)];
            in_y[i] = u[PRODUCT(j, i)];
        }
        at_ends(ends, in_x);
        trace[3][j] = ends[0];
        trace[1][j] = ends[1];
        at_ends(ends, in_y);
        trace[0][j] = ends[0];
        trace[2][j] = ends[1];
        slopes_at_ends(ends, in_x);
        across[3][j] = ends[0];
        across[1][j] = ends[1];
        slopes_at_ends(ends, in_y);
        across[0][j] = ends[0];
        across[2][j] = ends[1];
    }
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        UNROLL
        for (int k = 0; k < LINES; ++k) {
            wide along[DIM], slope[DIM];
            along[f % 2] = on_line(line_gradient[ALONG_AXIS(f, k)], trace[f]);
            along[1 - f % 2] = on_line(line_basis[ALONG_AXIS(f, k)], across[f]);
            turn_slopes(slope, along, metric, f * LINES + k);
            store_slopes(rows, slope, f, k);
        }
    }
}

/* What the faces of a patch leave for an element: the integrals of fluxes, see column_from_faces, and the jumps.
 *     in: u, rows     out: slopes, r */
DEVICE void column_from_jumps(Slopes *slopes, wide r[BASIS], const wide u[BASIS], const scalar *rows)
{
    column_from_faces(r, rows);
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        UNROLL
        for (int k = 0; k < LINES; ++k) {
            slopes->jump[f][ALONG_AXIS(f, k)] = load_wide(rows + SLOPE_ROW(0, f, k) * GROUP_ROW, STRIDE);
        }
    }
}

/* What is given at the points of line l of the volume: the value, and the derivatives with the lifting of jumps.
 *     in: u, slopes */
DEVICE void lifted_on_line(wide given[GIVEN][LINE], const wide u[BASIS], const Slopes *slopes, int l)
{
    wide value[LINES], slope[LINES];
    UNROLL
    for (int i = 0; i < LINES; ++i) {
        wide in_y[LINES];
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            in_y[j] = u[PRODUCT(i, j)];
        }
        value[i] = on_line(line_basis[l], in_y);
        slope[i] = on_line(line_gradient[l], in_y);
    }
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        given[0][k] = on_line(line_basis[k], value);
        given[1][k] = on_line(line_gradient[k], value) +
                      (line_lifting[LINES - 1 - k] * slopes->jump[3][l] - line_lifting[k] * slopes->jump[1][l]);
        given[2][k] = on_line(line_basis[k], slope) +
                      (line_lifting[LINES - 1 - l] * slopes->jump[0][k] - line_lifting[l] * slopes->jump[2][k]);
    }
}
#else
/* The derivatives by xi_d with the lifting of jumps, polynomials of degree p - 1. */
typedef struct {
    wide along[DIM][SLOPES];
} Slopes;

/* The derivatives of a column by xi_d.     in: u     out: along */
DEVICE void differentiate_column(wide along[DIM][SLOPES], const wide u[BASIS])
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int i = 0; i < SLOPES; ++i) {
            along[d][i] = wide_of(R(0.0));
        }
    }
#define ADD_ENTRY(d, i, j, n) along[d][i] += derivative_entries[n] * u[j];
    EACH_DERIVATIVE(ADD_ENTRY)
#undef ADD_ENTRY
}

/* The derivatives by x_d, polynomials of degree p - 1.     in: u, metric     out: slopes */
DEVICE void slopes_of_column(wide slopes[DIM][SLOPES], const wide u[BASIS], const Metric metric[WIDTH])
{
    wide along[DIM][SLOPES];
    differentiate_column(along, u);
    UNROLL
    for (int i = 0; i < SLOPES; ++i) {
        wide of_xi[DIM], of_x[DIM];
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            of_xi[d] = along[d][i];
        }
        turn_slopes(of_x, of_xi, metric, 0);
        UNROLL
        for (int x = 0; x < DIM; ++x) {
            slopes[x][i] = of_x[x];
        }
    }
}

/* The derivatives by x_d at the points of the faces.     in: u, metric     out: rows */
DEVICE void column_slopes_to_faces(scalar *rows, const wide u[BASIS], const Metric metric[WIDTH])
{
    wide slopes[DIM][SLOPES];
    slopes_of_column(slopes, u, metric);
    UNROLL
    for (int x = 0; x < DIM; ++x) {
        values_to_faces(rows + SLOPE_ROW(x, 0, 0) * GROUP_ROW, slopes[x], SLOPES);
    }
}

/* What the faces of a patch leave for an element: the integrals of fluxes, see column_from_faces, of which the weights
 * are in the rows, and from the jumps the derivatives of u with their lifting.     in: u, rows     out: slopes, r */
DEVICE void column_from_jumps(Slopes *slopes, wide r[BASIS], const wide u[BASIS], const scalar *rows)
{
    column_from_faces(r, rows);
    differentiate_column(slopes->along, u);
#define LIFT(f)                                                                                                        \
    {                                                                                                                  \
        wide lifted[SLOPES];                                                                                           \
        UNROLL for (int j = 0; j < SLOPES; ++j) lifted[j] = wide_of(R(0.0));                                           \
        UNROLL_ROWS for (int k = 0; k < FACE_POINTS; ++k) {                                                            \
            const scalar *const phi = basis_at_face[(f)*FACE_POINTS + k];                                              \
            const wide jump = load_wide(rows + SLOPE_ROW(0, f, k) * GROUP_ROW, STRIDE);                                \
            UNROLL for (int j = 0; j < SLOPES; ++j) lifted[j] += phi[j] * jump;                                        \
        }                                                                                                              \
        EACH_REFERENCE_NORMAL(f, ADD_LIFTED)                                                                           \
    }
#define ADD_LIFTED(d, sign) UNROLL for (int j = 0; j < SLOPES; ++j) slopes->along[d][j] -= R(sign) * lifted[j];
    EACH_FACE(LIFT)
#undef ADD_LIFTED
#undef LIFT
}

/* What is given at the points of line l of the volume: the value, and the derivatives with the lifting of jumps.
 *     in: u, slopes */
DEVICE void lifted_on_line(wide given[GIVEN][LINE], const wide u[BASIS], const Slopes *slopes, int l)
{
    values_on_line(given[0], u, BASIS, l);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        values_on_line(given[1 + d], slopes->along[d], SLOPES, l);
    }
}

/* Integrals are taken of so many products of term d and phi_j: a flux is tested with derivatives of lower degree. */
#define INTEGRALS(d) ((d) < DIM ? SLOPES : BASIS)

/* Adds phi_j f_d w_q to the integral of number j.     in: term, f_d w_q at the points of line l     inout: integrals */
DEVICE void integrate_term(wide integrals[BASIS], int l, const wide term[LINE], int d)
{
    integrate_line(integrals, basis_at_volume, term, INTEGRALS(d), l);
}

/* Adds the integrals of d phi_j / d xi_d f_d to r_j, or those of phi_j times the other terms.
 *     in: integrals     inout: r */
DEVICE void project_integrals(wide r[BASIS], const wide integrals[BASIS], int d)
{
    if (d < DIM) {
#define ADD_ENTRY(along, i, j, n)                                                                                      \
    if (d == (along)) r[j] += derivative_entries[n] * integrals[i];
        EACH_DERIVATIVE(ADD_ENTRY)
#undef ADD_ENTRY
    } else {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            r[j] += integrals[j];
        }
    }
}
#endif

/* What is left for the faces on the rim, see columns_rim.cu. */
#if defined(__CUDACC__) && defined(WEIGHTED_TERMS)
/* The coefficients of the column, then those of its slopes. */
#define KEPT_ROWS (BASIS + DIM * SLOPES)
DEVICE void keep_slopes_for_rim(scalar *rows, const wide u[BASIS], const Metric metric[WIDTH])
{
    wide slopes[DIM][SLOPES];
    slopes_of_column(slopes, u, metric);
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        store_wide(rows + j * GROUP_ROW, STRIDE, u[j]);
    }
    UNROLL
    for (int i = 0; i < DIM * SLOPES; ++i) {
        store_wide(rows + (BASIS + i) * GROUP_ROW, STRIDE, slopes[i / SLOPES][i % SLOPES]);
    }
}
/* The value at a point on the rim.     out: slope */
DEVICE real rim_slopes(real slope[DIM], const scalar *rows, int number, int k)
{
    const scalar *phi = basis_at_face[number / PATCH * FACE_POINTS + k];
    const scalar *own = rows + number % PATCH;
    /* Of even functions, and of odd ones, as inside of a patch: see value_of_column. */
    real value[2] = {0, 0}, slopes[DIM][2] = {};
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        const scalar of_point = phi[j];
        value[IS_ODD(j)] += of_point * own[j * GROUP_ROW];
        UNROLL
        for (int d = 0; d < DIM && j < SLOPES; ++d) {
            slopes[d][IS_ODD(j)] += of_point * own[(BASIS + d * SLOPES + j) * GROUP_ROW];
        }
    }
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        slope[d] = slopes[d][0] + slopes[d][1];
    }
    return value[0] + value[1];
}
#else
/* All traces, in their rows. */
#define KEPT_ROWS FACE_ROWS
DEVICE void keep_slopes_for_rim(scalar *rows, const wide u[BASIS], const Metric metric[WIDTH])
{
    column_to_faces(rows, u);
    column_slopes_to_faces(rows, u, metric);
}
#ifdef __CUDACC__
/* The value at a point on the rim.     out: slope */
DEVICE real rim_slopes(real slope[DIM], const scalar *rows, ints number, int k)
{
    const ints place = place_of(number);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        slope[d] = gather(rows, place + SLOPE_ROW(d, 0, k) * ROW);
    }
    return gather(rows, place + TRACE_ROW(0, k) * ROW);
}
#endif
#endif
#endif
