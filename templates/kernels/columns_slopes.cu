/* The products of a column with the tables of derivatives at the points of the faces. */
#ifdef VISCOUS
/* Row of the derivative by x_d at point k of face f, behind those of the values. */
#define SLOPE_ROW(d, f, k) ((1 + (d)) * TRACES + TRACE_ROW(f, k))

/* The derivatives by x_d at the points of the faces.     in: u, metric     out: rows */
DEVICE void column_slopes_to_faces(scalar *rows, const wide u[BASIS], const Metric metric[WIDTH])
{
    UNROLL_ROWS
    for (int i = 0; i < TRACES; ++i) {
        wide along[DIM], slope[DIM];
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            along[d] = interpolated(gradient_at_face[i][d], u);
        }
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
        UNROLL
        for (int x = 0; x < DIM; ++x) {
            store_wide(rows + SLOPE_ROW(x, i / FACE_POINTS, i % FACE_POINTS) * ROW, STRIDE, slope[x]);
        }
    }
}

/* r_j -= sum_i w_i sum_x d phi_j / d x_x f_x over the points of all faces     in: rows, metric     inout: r */
DEVICE void column_from_face_slopes(wide r[BASIS], const scalar *rows, const Metric metric[WIDTH])
{
    UNROLL_ROWS
    for (int i = 0; i < TRACES; ++i) {
        wide given[DIM], along[DIM];
        UNROLL
        for (int x = 0; x < DIM; ++x) {
            given[x] = load_wide(rows + SLOPE_ROW(x, i / FACE_POINTS, i % FACE_POINTS) * ROW, STRIDE);
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

/* What is left for the faces on the rim: all traces, in their rows. */
#define KEPT_ROWS FACE_ROWS
DEVICE void keep_column(scalar *rows, const wide u[BASIS], const Links *links, long long e) { column_to_faces(rows, u); }
DEVICE real value_of_column(const scalar *rows, ints number, int k) { return gather(rows, place_of(number) + k * (FACES * ROW)); }

/* in: inverse_jacobian or map     out: metric of each element of the thread */
DEVICE void load_metrics(Metric metric[WIDTH], const scalar *array, long long e)
{
    EACH_ELEMENT(w) load_metric(&metric[w], array, e + w * STRIDE);
}
#endif
