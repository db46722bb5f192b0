/* Columns: the coefficients of one component of an element, held by one thread or lane, and the products of the
 * tables with them. Values at points lie in rows. */
typedef struct {
    wide v[BASIS];
} Column;
typedef Column ColumnSum;

#define FACE_ROWS TRACES
#define VOLUME_ROWS (VOLUME_CHUNK * TERMS)

#define UNROLL_CHUNKS UNROLL_ROWS
/* The number of coefficients that are updated at once, the fastest measured: larger batches overlap more loads,
 * smaller ones take fewer registers. */
#define BATCH (WIDTH > 1 ? 3 : TEAM > 1 ? 1 : 4)
/* On CUDA the entries of unrolled tables are constants in the code; on the host they are operands in memory. */
#ifdef __CUDACC__
#define UNROLL_ROWS UNROLL
#else
#define UNROLL_ROWS NO_UNROLL
#endif

/* in: coefficients     out: u */
DEVICE void load_column(Column *u, const scalar *coefficients, long long e, int c)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        u->v[j] = load_wide(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS), STRIDE_OF(COMPONENTS * BASIS));
    }
}

/* in: u     out: coefficients */
DEVICE void store_column(scalar *coefficients, const Column *u, long long e, int c)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        store_wide(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS), STRIDE_OF(COMPONENTS * BASIS), u->v[j]);
    }
}

/* in: u     out: rows */
DEVICE void interpolate_to_faces(scalar *rows, const Column *u)
{
    const Column own = *u;
    UNROLL_ROWS
    for (int f = 0; f < FACES; ++f) {
        UNROLL_ROWS
        for (int k = 0; k < FACE_POINTS; ++k) {
            store_wide(rows + TRACE_ROW(f, k) * ROW, STRIDE, interpolated(basis_at_face[f * FACE_POINTS + k], own.v));
        }
    }
}

/* See columns.cu. */
DEVICE void keep_for_rim(scalar *rows, const Column *u, const Links *links, long long e)
{
    keep_column(rows, u->v, links, e);
}
#define rim_value value_of_column

/* r_j = -sum_i w_i phi_j(xi_i) f_i     in: rows     out: r */
DEVICE void project_faces(ColumnSum *r, const scalar *rows)
{
    ColumnSum sum;
    const wide first = load_wide(rows, STRIDE);
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        sum.v[j] = -weighted_basis_at_face[0][j] * first;
    }
    UNROLL_ROWS
    for (int i = 1; i < TRACES; ++i) {
        const wide flux = load_wide(rows + TRACE_ROW(i / FACE_POINTS, i % FACE_POINTS) * ROW, STRIDE);
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            sum.v[j] -= weighted_basis_at_face[i][j] * flux;
        }
    }
    *r = sum;
}

/* The value at item q of the volume, or number i of what is given there, see add_product.     in: u */
DEVICE wide given_at_item(const wide u[BASIS], int q, int i)
{
#ifdef QUADRATURE_FREE
    return u[q];
#else
    return interpolated(i == 0 ? basis_at_volume[q] : weighted_gradient[q][(i + DIM - 1) % DIM], u);
#endif
}

/* Adds sum_d w_q d phi_j / d xi_d f_d to r_j, and w_q phi_j times the other terms behind the fluxes.
 *     in: terms at item q      inout: r */
DEVICE void project_terms(wide r[BASIS], int q, const wide terms[TERMS])
{
#ifdef QUADRATURE_FREE
    integrate(r, terms, q);
#if TERMS > DIM
    r[q] += terms[DIM];
#endif
#else
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        /* phi_0 is constant. */
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            r[j] += weighted_gradient[q][d][j] * terms[d];
        }
    }
#if TERMS > DIM
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r[j] += weighted_basis[q][j] * terms[DIM];
    }
#endif
#endif
}

/* What is given at the items of the chunk from `first` on, each in the first of the rows of its TERMS.     in: u
 *     out: rows */
DEVICE void interpolate_to_volume(scalar *rows, const Column *u, int first)
{
    const Column own = *u;
    UNROLL_ROWS
    for (int q = 0; q < VOLUME_CHUNK; ++q) {
        if (first + q < VOLUME_ITEMS) {
            UNROLL
            for (int i = 0; i < GIVEN; ++i) {
                store_wide(rows + (q * TERMS + i) * VOLUME_ROW, STRIDE, given_at_item(own.v, first + q, i));
            }
        }
    }
}

/* in: rows, the terms at the items of the chunk that begins with `first`      inout: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first)
{
    ColumnSum sum = *r;
    UNROLL_ROWS
    for (int q = 0; q < VOLUME_CHUNK; ++q) {
        if (first + q < VOLUME_ITEMS) {
            wide terms[TERMS];
            UNROLL
            for (int d = 0; d < TERMS; ++d) {
                terms[d] = load_wide(rows + (q * TERMS + d) * VOLUME_ROW, STRIDE);
            }
            project_terms(sum.v, first + q, terms);
        }
    }
    *r = sum;
}

/* Every row is written before it is read. */
DEVICE void clear_padding(scalar *rows) {}

/* in: dt      inout: u, r, error */
DEVICE void update_column(Column *u, ColumnSum *r, wide *error, const StageArguments *a, long long e, int c, scalar dt, scalar *rows)
{
    const scalar weight = error_weight(a, c);
    UNROLL
    for (int first = 0; first < BASIS; first += BATCH) {
        Registers registers[BATCH];
        const int count = BASIS - first < BATCH ? BASIS - first : BATCH;
        load_registers(registers, a, at(e, c * BASIS + first, COMPONENTS * BASIS), count);
        UNROLL
        for (int j = 0; j < count; ++j) {
            update(&u->v[first + j], &r->v[first + j], error, a, registers[j], weight, dt);
        }
    }
    store_column(a->u_next, u, e, c);
    if (uses_g(a)) {
        store_column(a->g, r, e, c);
    }
}
