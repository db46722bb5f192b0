/* Columns by tensor instructions (compute capability 8.0 and later, double precision): a warp holds the coefficients of
 * one component for 32 elements, and multiplies tables with them in tiles,
 *
 *   C (8 x 8) += A (8 x 4) B (4 x 8)
 *
 * where A is a tile of a table and the columns of B and C are elements. A warp holds a tile in fragments: lane l has
 * A[l / 4][l % 4], B[l % 4][l / 4] and C[l / 4][2 (l % 4) + {0, 1}] (PTX ISA, mma.m8n8k4 with .f64). */
#define TILES_OF(n) (((n) + 7) / 8) /* of eight rows */
#define STEPS_OF(n) (((n) + 3) / 4) /* of four terms of a sum */
#define COLUMN_TILES 4              /* of eight elements */

#define CHUNKS ((VOLUME_POINTS + VOLUME_CHUNK - 1) / VOLUME_CHUNK)
#define UNROLL_CHUNKS NO_UNROLL

/* Fragments of B. */
typedef struct {
    scalar v[STEPS_OF(BASIS)][COLUMN_TILES];
} Column;
/* Fragments of C. */
typedef struct {
    scalar v[TILES_OF(BASIS)][COLUMN_TILES][2];
} ColumnSum;

/* Numbers of rows, rounded up to whole tiles and whole steps. */
#define FACE_ROWS LARGER(8 * TILES_OF(TRACES), LARGER(4 * STEPS_OF(TRACES), 4 * STEPS_OF(BASIS)))
#define VOLUME_ROWS LARGER((8 * TILES_OF(VOLUME_CHUNK) - 1) * TERMS + GIVEN, 4 * STEPS_OF(VOLUME_CHUNK * TERMS))

/* The tables in the order in which the fragments of A are read, filled up with zeros. */
static __device__ scalar face_basis_tiles[TILES_OF(TRACES)][STEPS_OF(BASIS)][32];
static __device__ scalar face_weight_tiles[STEPS_OF(TRACES)][TILES_OF(BASIS)][32];
static __device__ scalar given_tiles[GIVEN][CHUNKS][TILES_OF(VOLUME_CHUNK)][STEPS_OF(BASIS)][32];
static __device__ scalar volume_weight_tiles[CHUNKS][STEPS_OF(VOLUME_CHUNK * TERMS)][TILES_OF(BASIS)][32];

/* The number of a row's point among those of all faces. */
DEVICE int point_of_row(int row) { return row % FACES * FACE_POINTS + row / FACES; }

typedef struct {
    long long lanes; /* in; 32, the number of items */
} TilesArguments;

/* Fills the tiles, once. */
KERNEL_SCALAR(tiles, TilesArguments)
{
    const int row = (int)i / 4, column = (int)i % 4;
    for (int t = 0; t < TILES_OF(TRACES); ++t) {
        for (int s = 0; s < STEPS_OF(BASIS); ++s) {
            const int k = 8 * t + row, j = 4 * s + column;
            face_basis_tiles[t][s][i] = k < TRACES && j < BASIS ? basis_at_face[point_of_row(k)][j] : 0;
        }
    }
    for (int s = 0; s < STEPS_OF(TRACES); ++s) {
        for (int t = 0; t < TILES_OF(BASIS); ++t) {
            const int k = 4 * s + column, j = 8 * t + row;
            face_weight_tiles[s][t][i] = k < TRACES && j < BASIS ? -weighted_basis_at_face[point_of_row(k)][j] : 0;
        }
    }
    for (int chunk = 0; chunk < CHUNKS; ++chunk) {
        for (int t = 0; t < TILES_OF(VOLUME_CHUNK); ++t) {
            for (int s = 0; s < STEPS_OF(BASIS); ++s) {
                const int k = 8 * t + row, q = chunk * VOLUME_CHUNK + k, j = 4 * s + column;
                const bool inside = k < VOLUME_CHUNK && q < VOLUME_POINTS && j < BASIS;
                given_tiles[0][chunk][t][s][i] = inside ? basis_at_volume[q][j] : 0;
                for (int d = 1; d < GIVEN; ++d) {
                    given_tiles[d][chunk][t][s][i] = inside ? weighted_gradient[q][d - 1][j] : 0;
                }
            }
        }
        for (int s = 0; s < STEPS_OF(VOLUME_CHUNK * TERMS); ++s) {
            for (int t = 0; t < TILES_OF(BASIS); ++t) {
                const int k = 4 * s + column, q = chunk * VOLUME_CHUNK + k / TERMS, d = k % TERMS, j = 8 * t + row;
                scalar weight = 0;
                if (k < VOLUME_CHUNK * TERMS && q < VOLUME_POINTS && j < BASIS) {
#if TERMS > DIM
                    weight = d < DIM ? weighted_gradient[q][d % DIM][j] : weighted_basis[q][j];
#else
                    weight = weighted_gradient[q][d][j];
#endif
                }
                volume_weight_tiles[chunk][s][t][i] = weight;
            }
        }
    }
}

DEVICE void multiply_tiles(scalar c[2], scalar a, scalar b)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a), "d"(b));
}

/* The thread's number in its warp, which works on 32 elements. */
DEVICE int lane_of_warp(void) { return threadIdx.x % 32; }

/* The first of the 32 elements. */
DEVICE long long first_element(long long e) { return e - lane_of_warp(); }

DEVICE void load_column(Column *u, const scalar *coefficients, long long e, int c)
{
    const int lane = lane_of_warp();
    UNROLL
    for (int s = 0; s < STEPS_OF(BASIS); ++s) {
        const int j = 4 * s + lane % 4;
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            const long long element = first_element(e) + 8 * t + lane / 4;
            u->v[s][t] = j < BASIS ? load(coefficients + at(element, c * BASIS + j, COMPONENTS * BASIS)) : 0;
        }
    }
}

/* The first coefficient, which the mean is made from.     out: row */
DEVICE void keep_first(scalar *row, const Column *u)
{
    const int lane = lane_of_warp();
    if (lane % 4 == 0) {
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            store(row - lane + 8 * t + lane / 4, u->v[0][t]);
        }
    }
}

/* Two neighbouring elements of a row. */
DEVICE void store_pair(scalar *p, const scalar pair[2])
{
    double2 wide;
    wide.x = pair[0];
    wide.y = pair[1];
    *(double2 *)p = wide;
}

/* Row step * k = sum_j table[k][j] u_j, for k < 8 * tiles.     in: table, u     out: rows */
DEVICE void interpolate(scalar *rows, int step, const scalar (*table)[STEPS_OF(BASIS)][32], int tiles, const Column *u)
{
    const int lane = lane_of_warp();
    rows -= lane;
    UNROLL
    for (int tile = 0; tile < tiles; ++tile) {
        scalar value[COLUMN_TILES][2] = {};
        UNROLL
        for (int s = 0; s < STEPS_OF(BASIS); ++s) {
            const scalar a = table[tile][s][lane];
            UNROLL
            for (int t = 0; t < COLUMN_TILES; ++t) {
                multiply_tiles(value[t], a, u->v[s][t]);
            }
        }
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            store_pair(rows + (8 * tile + lane / 4) * step * ROW + 8 * t + 2 * (lane % 4), value[t]);
        }
    }
}

/* r_j += sum_k table[k][j] row k, for k < 4 * steps.     in: table, rows     inout: r */
DEVICE void project(ColumnSum *r, const scalar *rows, const scalar (*table)[TILES_OF(BASIS)][32], int steps)
{
    const int lane = lane_of_warp();
    rows -= lane;
    /* A law's functions may have made the lanes diverge. */
    __syncwarp();
    UNROLL
    for (int s = 0; s < steps; ++s) {
        scalar b[COLUMN_TILES];
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            b[t] = rows[(4 * s + lane % 4) * ROW + 8 * t + lane / 4];
        }
        UNROLL
        for (int tile = 0; tile < TILES_OF(BASIS); ++tile) {
            const scalar a = table[s][tile][lane];
            UNROLL
            for (int t = 0; t < COLUMN_TILES; ++t) {
                multiply_tiles(r->v[tile][t], a, b[t]);
            }
        }
    }
}

DEVICE void interpolate_to_faces(scalar *rows, const Column *u)
{
    interpolate(rows, 1, face_basis_tiles, TILES_OF(TRACES), u);
}

/* Tiles are whole: faces that are not on the rim are computed, too. */
DEVICE void keep_for_rim(scalar *rows, const Column *u, const Links *links, long long e)
{
    interpolate_to_faces(rows, u);
}
DEVICE real rim_value(const scalar *rows, int number, int k) { return rows[place_of(number) + k * (FACES * ROW)]; }

DEVICE void interpolate_to_volume(scalar *rows, const Column *u, int first)
{
    /* The warp's other lanes may still be reading the rows that are overwritten here. */
    __syncwarp();
    UNROLL
    for (int i = 0; i < GIVEN; ++i) {
        interpolate(rows + i * ROW, TERMS, given_tiles[i][first / VOLUME_CHUNK], TILES_OF(VOLUME_CHUNK), u);
    }
}

DEVICE void project_faces(ColumnSum *r, const scalar *rows)
{
    *r = ColumnSum{};
    project(r, rows, face_weight_tiles, STEPS_OF(TRACES));
}

DEVICE void project_volume(ColumnSum *r, const scalar *rows, int first, int has_others)
{
    project(r, rows, volume_weight_tiles[first / VOLUME_CHUNK], STEPS_OF(VOLUME_CHUNK * TERMS));
}

/* Fragments of C.     in: r     out: coefficients */
DEVICE void store_sum(scalar *coefficients, const ColumnSum *r, long long e, int c)
{
    const int lane = lane_of_warp();
    UNROLL
    for (int tile = 0; tile < TILES_OF(BASIS); ++tile) {
        const int j = 8 * tile + lane / 4;
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            const long long element = first_element(e) + 8 * t + 2 * (lane % 4);
            if (j < BASIS) {
                store_pair(coefficients + at(element, c * BASIS + j, COMPONENTS * BASIS), r->v[tile][t]);
            }
        }
    }
}

/* The sum over all rows of a fragment of C for the lane's own element.     in: of_rows, sums over the lane's rows */
DEVICE scalar sum_of_rows(scalar of_rows[COLUMN_TILES][2])
{
    const int lane = lane_of_warp();
    scalar own = 0;
    UNROLL
    for (int t = 0; t < COLUMN_TILES; ++t) {
        UNROLL
        for (int s = 0; s < 2; ++s) {
            scalar sum = of_rows[t][s];
            UNROLL
            for (int distance = 4; distance < 32; distance *= 2) {
                sum += __shfl_xor_sync(~0u, sum, distance);
            }
            /* The lane's element lies in column lane % 8 of tile lane / 8. */
            sum = __shfl_sync(~0u, sum, lane % 8 / 2);
            own = t == lane / 8 && s == lane % 2 ? sum : own;
        }
    }
    return own;
}

/* The new coefficients pass from fragments of C to fragments of B through the rows of the component's traces.
 *     in: dt     out: u     inout: r, error */
DEVICE void update_column(Column *u, ColumnSum *r, wide *error, const StageArguments *a, long long e, int c, scalar dt,
                          scalar *rows)
{
    const int lane = lane_of_warp();
    scalar *const first_row = rows - lane;
    ColumnSum next;
    const Form form = form_of(a, dt);
    const scalar weight = error_weight(a, c);
    scalar errors[COLUMN_TILES][2] = {};
    __syncwarp();
    UNROLL
    for (int tile = 0; tile < TILES_OF(BASIS); ++tile) {
        const int j = 8 * tile + lane / 4;
        Registers registers[COLUMN_TILES][2] = {};
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            UNROLL
            for (int s = 0; s < 2; ++s) {
                next.v[tile][t][s] = 0;
                if (j < BASIS) {
                    const long long i = at(first_element(e) + 8 * t + 2 * (lane % 4) + s, c * BASIS + j,
                                           COMPONENTS * BASIS);
                    next.v[tile][t][s] = load(a->u + i);
                    load_registers(&registers[t][s], a, form, i, 1);
                }
            }
        }
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            const int element = 8 * t + 2 * (lane % 4);
            scalar *pair = next.v[tile][t];
            UNROLL
            for (int s = 0; s < 2; ++s) {
                if (j < BASIS) {
                    update(&pair[s], &r->v[tile][t][s], &errors[t][s], a, form, registers[t][s], weight, dt);
                }
            }
            if (j < 4 * STEPS_OF(BASIS)) {
                store_pair(first_row + j * ROW + element, pair);
            }
        }
    }
    if (form.estimates) {
        *error += sum_of_rows(errors);
    }
    store_sum(a->u_next, &next, e, c);
    if (form.uses_g) {
        store_sum(a->g, r, e, c);
    }
    __syncwarp();
    UNROLL
    for (int s = 0; s < STEPS_OF(BASIS); ++s) {
        UNROLL
        for (int t = 0; t < COLUMN_TILES; ++t) {
            u->v[s][t] = first_row[(4 * s + lane % 4) * ROW + 8 * t + lane / 4];
        }
    }
    __syncwarp();
}

/* Rows beyond the last point are multiplied by zero, so they must be finite. */
DEVICE void clear_padding(scalar *rows)
{
    /* The warp's other lanes may still be reading the fluxes at faces there. */
    __syncwarp();
    for (int k = VOLUME_CHUNK * TERMS; k < 4 * STEPS_OF(VOLUME_CHUNK * TERMS); ++k) {
        rows[k * ROW] = 0;
    }
}
