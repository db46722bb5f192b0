/* Columns: the coefficients of one component of an element, held by one thread or lane, and the products of the
 * tables with them. Values at points lie in rows. */
typedef struct {
    wide v[BASIS];
#ifdef LIFTED
    Slopes slopes; /* what the slopes in the volume are found from, beside v */
#endif
} Column;
typedef struct {
#ifdef UPDATES_BY_LINES
    FaceSums faces;
    LineSums volume;
#else
    wide v[BASIS];
#endif
} ColumnSum;

#define FACE_ROWS (SIDE_VALUES * TRACES)
#define VOLUME_ROWS (VOLUME_CHUNK * POINT_ROWS)
/* The lines of a chunk; the last one may not be full. */
#define CHUNK_LINES ((VOLUME_CHUNK + LINE - 1) / LINE)
#define UNROLL_CHUNKS UNROLL_MAPS
/* The number of coefficients that are updated at once, the fastest measured: larger batches overlap more loads,
 * smaller ones take fewer registers. */
#ifdef UPDATES_BY_LINES
#define BATCH LINES
#define COEFFICIENT_OF_BATCH(first, j) PRODUCT((first) / LINES, j)
#else
#define BATCH (WIDTH > 1 ? 3 : TEAM > 1 ? 1 : 4)
#define COEFFICIENT_OF_BATCH(first, j) ((first) + (j))
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
DEVICE void store_column(scalar *coefficients, const wide u[BASIS], long long e, int c)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        store_wide(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS), STRIDE_OF(COMPONENTS * BASIS), u[j]);
    }
}

/* The first coefficient, which the mean is made from.     out: row */
DEVICE void keep_first(scalar *row, const Column *u) { store_wide(row, STRIDE, u->v[0]); }

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
#ifdef UPDATES_BY_LINES
    find_face_sums(&r->faces, rows);
#else
    ColumnSum sum;
    column_from_faces(sum.v, rows);
    *r = sum;
#endif
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
                    store_wide(rows + ((l * LINE + k) * POINT_ROWS + i) * GROUP_ROW, STRIDE, given[i][k]);
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
        term[k] = first + i < VOLUME_ITEMS ? load_wide(rows + (i * POINT_ROWS + d) * GROUP_ROW, STRIDE)
                                           : wide_of(R(0.0));
    }
}

#ifdef WEIGHTED_TERMS
/* in: rows, the terms times w_q at the items of the chunk that begins with `first`      inout: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first, int has_others)
{
    ColumnSum sum = *r;
    UNROLL
    for (int d = 0; d < TERMS; ++d) {
        if (d == DIM && !has_others) {
            continue;
        }
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
#elif defined(UPDATES_BY_LINES)
/* in: rows, the terms at all points of the volume      out: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first, int has_others)
{
    find_line_sums(&r->volume, rows, has_others);
}
#elif defined(SUMS_BY_LINES)
/* in: rows, the terms at all points of the volume      inout: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first, int has_others)
{
    LineSums sums;
    find_line_sums(&sums, rows, has_others);
    UNROLL
    for (int i = 0; i < LINES; ++i) {
        real line[LINES];
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            line[j] = r->v[PRODUCT(i, j)];
        }
        add_line(line, &sums, i);
        UNROLL
        for (int j = 0; j < LINES; ++j) {
            r->v[PRODUCT(i, j)] = line[j];
        }
    }
}
#else
/* in: rows, the terms at the items of the chunk that begins with `first`      inout: r */
DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first, int has_others)
{
    ColumnSum sum = *r;
    UNROLL_ROWS
    for (int l = 0; l < CHUNK_LINES; ++l) {
        if (first / LINE + l < VOLUME_LINES) {
            wide terms[TERMS][LINE];
            UNROLL
            for (int d = 0; d < TERMS; ++d) {
                if (d < DIM || has_others) {
                    load_line(terms[d], rows, first, l, d);
                }
            }
            project_line(sum.v, first / LINE + l, terms, has_others);
        }
    }
    *r = sum;
}
#endif

/* Every row is written before it is read. */
DEVICE void clear_padding(scalar *rows) {}

#ifdef ONE_COLUMN
/* The residuals of a batch.     in: sum, first, count     out: r */
DEVICE void find_batch(wide r[BATCH], const ColumnSum *sum, int first, int count)
{
    UNROLL
    for (int j = 0; j < count; ++j) {
#ifdef UPDATES_BY_LINES
        r[j] = from_faces(&sum->faces, first / LINES, j);
#else
        r[j] = sum->v[first + j];
#endif
    }
#ifdef UPDATES_BY_LINES
    add_line(r, &sum->volume, first / LINES);
#endif
}

/* Updates batch after batch, with what the registers of the host hold; meanwhile prefetches, line by line, the
 * coefficients of the next patch.
 *     in: sum, dt      out: u      inout: error */
DEVICE void update_in_form(Column *u, const ColumnSum *sum, wide *error, const StageArguments *a, Form form,
                           long long e, int c, scalar dt)
{
    const scalar weight = error_weight(a, c);
    const int batches = (BASIS + BATCH - 1) / BATCH;
    UNROLL
    for (int first = 0; first < BASIS; first += BATCH) {
        wide r[BATCH];
        Registers registers[BATCH];
        const int count = BASIS - first < BATCH ? BASIS - first : BATCH;
        prefetch_part(a->u, e + PATCH, c * batches + first / BATCH, COMPONENTS * batches);
        find_batch(r, sum, first, count);
        UNROLL
        for (int j = 0; j < count; ++j) {
            const int n = COEFFICIENT_OF_BATCH(first, j);
            const long long i = at(e, c * BASIS + n, COMPONENTS * BASIS);
            load_registers(&registers[j], a, form, i, 1);
            u->v[n] = load(a->u + i);
            update(&u->v[n], &r[j], error, a, form, registers[j], weight, dt);
            if (a->past_caches != 0) {
                store_past_caches(a->u_next + i, u->v[n]);
            } else {
                store(a->u_next + i, u->v[n]);
            }
            if (form.uses_g) {
                store(a->g + i, r[j]);
            }
        }
    }
}

/* Most stages have one of two forms, for which the code has no branches.     in: r, dt      out: u      inout: error */
DEVICE void update_column(Column *u, ColumnSum *r, wide *error, const StageArguments *a, long long e, int c, scalar dt,
                          scalar *rows)
{
    const Form form = form_of(a, dt), first = {1, 0, 0, 0, 0}, later = {1, 1, 0, 0, 0};
    if (!form.steps || form.uses_g || form.reads_g || form.estimates) {
        update_in_form(u, r, error, a, form, e, c, dt);
    } else if (form.starts) {
        update_in_form(u, r, error, a, later, e, c, dt);
    } else {
        update_in_form(u, r, error, a, first, e, c, dt);
    }
}
#else
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

/* in: dt      inout: u, r, error */
DEVICE void update_column(Column *u, ColumnSum *r, wide *error, const StageArguments *a, long long e, int c, scalar dt,
                          scalar *rows)
{
    const Form form = form_of(a, dt);
    const scalar weight = error_weight(a, c);
    UNROLL
    for (int first = 0; first < BASIS; first += BATCH) {
        Registers registers[BATCH];
        const int count = BASIS - first < BATCH ? BASIS - first : BATCH;
        load_registers(registers, a, form, at(e, c * BASIS + first, COMPONENTS * BASIS), count);
        UNROLL
        for (int j = 0; j < count; ++j) {
            update(&u->v[first + j], &r->v[first + j], error, a, form, registers[j], weight, dt);
        }
    }
    store_next(a, u->v, e, c);
    if (form.uses_g) {
        store_column(a->g, r->v, e, c);
    }
}
#endif
