/* Columns: the coefficients of one component of an element, held by one thread or lane, and the products of the
 * tables with them. Values at points lie in rows. */
typedef struct {
    wide v[BASIS];
#ifdef LIFTED
    Slopes slopes; /* what the slopes in the volume are found from, beside v */
#endif
} Column;
typedef struct {
    wide v[BASIS];
} ColumnSum;

#define FACE_ROWS (SIDE_VALUES * TRACES)
#define VOLUME_ROWS (VOLUME_CHUNK * POINT_ROWS)
/* The lines of a chunk; the last one may not be full. */
#define CHUNK_LINES ((VOLUME_CHUNK + LINE - 1) / LINE)
#define UNROLL_CHUNKS UNROLL_MAPS
/* The number of coefficients that are updated at once, the fastest measured: larger batches overlap more loads,
 * smaller ones take fewer registers. */
#define BATCH (WIDTH > 1 ? 3 : TEAM > 1 ? 1 : 4)
/* in: coefficients     out: u */
DEVICE void load_column(Column *u, const scalar *coefficients, long long e, int c)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        u->v[j] = load_wide(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS), STRIDE_OF(COMPONENTS * BASIS));
    }
}

/* in: u     out: coefficients */
DEVICE void store_column(scalar *coefficients, const wide u[BASIS], long long e, int c)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        store_wide(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS), STRIDE_OF(COMPONENTS * BASIS), u[j]);
    }
}

/* in: u     out: a->u_next */
DEVICE void store_next(const StageArguments *a, const wide u[BASIS], long long e, int c)
{
#ifndef __CUDACC__
    if (a->past_caches != 0) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            store_past_caches(a->u_next + at(e, c * BASIS + j, COMPONENTS * BASIS), u[j]);
        }
        return;
    }
#endif
    store_column(a->u_next, u, e, c);
}

/* See column_to_faces. */
DEVICE void interpolate_to_faces(scalar *rows, const Column *u)
{
    const Column own = *u;
    column_to_faces(rows, own.v);
}

#ifndef VISCOUS
/* See keep_column. */
DEVICE void keep_for_rim(scalar *rows, const Column *u, const Links *links, long long e)
{
    keep_column(rows, u->v, links, e);
}
#define rim_value value_of_column
#endif

/* See column_from_faces. */
DEVICE void project_faces(ColumnSum *r, const scalar *rows)
{
    ColumnSum sum;
    column_from_faces(sum.v, rows);
    *r = sum;
}

/* What is given at the items of the chunk from `first` on, each in the first of its POINT_ROWS.     in: u
 *     out: rows */
DEVICE void interpolate_to_volume(scalar *rows, const Column *u, int first)
{
    const Column own = *u;
    UNROLL_ROWS
    for (int l = 0; l < CHUNK_LINES; ++l) {
        if (first / LINE + l < VOLUME_LINES) {
            wide given[GIVEN][LINE];
#ifdef LIFTED
            lifted_on_line(given, own.v, &own.slopes, first / LINE + l);
#else
            given_on_line(given, own.v, first / LINE + l);
#endif
            UNROLL
            for (int k = 0; k < LINE; ++k) {
                UNROLL
                for (int i = 0; i < GIVEN && first + l * LINE + k < VOLUME_ITEMS; ++i) {
                    store_wide(rows + ((l * LINE + k) * POINT_ROWS + i) * VOLUME_ROW, STRIDE, given[i][k]);
                }
            }
        }
    }
}

/* Term d at the points of line l of the chunk that begins with `first`.     in: rows     out: term */
DEVICE void load_line(wide term[LINE], const scalar *rows, int first, int l, int d)
{
    UNROLL
    for (int k = 0; k < LINE; ++k) {
        const int i = l * LINE + k;
        term[k] = first + i < VOLUME_ITEMS ? load_wide(rows + (i * POINT_ROWS + d) * VOLUME_ROW, STRIDE)
                                           : wide_of(R(0.0));
    }
}

#ifdef WEIGHTED_TERMS
/* in: rows, the terms times w_q at the items of the chunk that begins with `first`      inout: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first)
{
    ColumnSum sum = *r;
    UNROLL
    for (int d = 0; d < TERMS; ++d) {
        wide integrals[BASIS];
        UNROLL
        for (int j = 0; j < INTEGRALS(d); ++j) {
            integrals[j] = wide_of(R(0.0));
        }
        UNROLL_ROWS
        for (int l = 0; l < CHUNK_LINES; ++l) {
            if (first / LINE + l < VOLUME_LINES) {
                wide term[LINE];
                load_line(term, rows, first, l, d);
                integrate_term(integrals, first / LINE + l, term, d);
            }
        }
        project_integrals(sum.v, integrals, d);
    }
    *r = sum;
}
#elif defined(PROJECTS_ALL_LINES)
/* in: rows, the terms at all points of the volume      inout: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first) { project_lines(r->v, rows); }
#else
/* in: rows, the terms at the items of the chunk that begins with `first`      inout: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first)
{
    ColumnSum sum = *r;
    UNROLL_ROWS
    for (int l = 0; l < CHUNK_LINES; ++l) {
        if (first / LINE + l < VOLUME_LINES) {
            wide terms[TERMS][LINE];
            UNROLL
            for (int d = 0; d < TERMS; ++d) {
                load_line(terms[d], rows, first, l, d);
            }
            project_line(sum.v, first / LINE + l, terms);
        }
    }
    *r = sum;
}
#endif

/* Every row is written before it is read. */
DEVICE void clear_padding(scalar *rows) {}

/* in: dt      inout: u, r, error */
DEVICE void update_column(Column *u, ColumnSum *r, wide *error, const StageArguments *a, long long e, int c, scalar dt,
                          scalar *rows)
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
    store_next(a, u->v, e, c);
    if (uses_g(a)) {
        store_column(a->g, r->v, e, c);
    }
}
