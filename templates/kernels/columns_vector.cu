/* Columns, a thread's or a lane's each: the coefficients of one component of an element, and the products of the tables
 * with them. The values at points are shared fields, row by row. */
typedef struct {
    real v[BASIS];
} Column;
typedef Column ColumnSum;

#ifdef __CUDACC__
#define VOLUME_CHUNK VECTOR_CHUNK
#else
#define VOLUME_CHUNK VOLUME_POINTS
#endif
#define FACE_ROWS TRACES
#define VOLUME_ROWS (VOLUME_CHUNK * TERMS)

#define UNROLL_CHUNKS UNROLL_POINTS
/* On CUDA the entries of unrolled tables are constants in the code; on the host they are operands in memory. */
#ifdef __CUDACC__
#define UNROLL_POINTS UNROLL
#else
#define UNROLL_POINTS NO_UNROLL
#endif

/* in: coefficients     out: u */
DEVICE void load_column(Column *u, const scalar *coefficients, long long e, int c, int lane)
{
    (void)lane;
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        u->v[j] = load(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS));
    }
}

/* in: u     out: coefficients */
DEVICE void store_column(scalar *coefficients, const Column *u, long long e, int c)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        store(coefficients + at(e, c * BASIS + j, COMPONENTS * BASIS), u->v[j]);
    }
}

DEVICE void clear_column(ColumnSum *r)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        r->v[j] = splat(R(0.0));
    }
}

/* sum_j phi_j u_j     in: phi, u */
DEVICE real interpolated(const scalar phi[BASIS], const Column *u)
{
    real value = phi[0] * u->v[0];
    UNROLL
    for (int j = 1; j < BASIS; ++j) {
        value += phi[j] * u->v[j];
    }
    return value;
}

/* in: u     out: rows */
DEVICE void interpolate_to_faces(shared_real *rows, const Column *u, int lane)
{
    (void)lane;
    const Column own = *u;
    UNROLL_POINTS
    for (int i = 0; i < TRACES; ++i) {
        MINE(rows[i]) = interpolated(basis_at_face[i], &own);
    }
}

/* The points of a chunk that begins with `first`, each at the first row of its TERMS.     in: u     out: rows */
DEVICE void interpolate_to_volume(shared_real *rows, const Column *u, int first, int lane)
{
    (void)lane;
    const Column own = *u;
    UNROLL_POINTS
    for (int q = 0; q < VOLUME_CHUNK; ++q) {
        if (first + q < VOLUME_POINTS) {
            MINE(rows[q * TERMS]) = interpolated(basis_at_volume[first + q], &own);
        }
    }
}

/* r_j -= sum_i w_i phi_j(xi_i) f_i     in: rows      inout: r */
DEVICE void project_faces(ColumnSum *r, shared_real *rows, int lane)
{
    (void)lane;
    ColumnSum sum = *r;
    UNROLL_POINTS
    for (int i = 0; i < TRACES; ++i) {
        const real flux = MINE(rows[i]);
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            sum.v[j] -= weighted_basis_at_face[i][j] * flux;
        }
    }
    *r = sum;
}

/* r_j += sum_q w_q (grad phi_j . f_q + phi_j s_q)     in: rows      inout: r */
DEVICE void project_volume(ColumnSum *r, shared_real *rows, int first, int lane)
{
    (void)lane;
    ColumnSum sum = *r;
    UNROLL_POINTS
    for (int q = 0; q < VOLUME_CHUNK; ++q) {
        if (first + q < VOLUME_POINTS) {
            UNROLL
            for (int d = 0; d < DIM; ++d) {
                const real flux = MINE(rows[q * TERMS + d]);
                /* phi_0 is constant. */
                UNROLL
                for (int j = 1; j < BASIS; ++j) {
                    sum.v[j] += weighted_gradient[first + q][d][j] * flux;
                }
            }
#ifdef SOURCE
            const real source = MINE(rows[q * TERMS + DIM]);
            UNROLL
            for (int j = 0; j < BASIS; ++j) {
                sum.v[j] += weighted_basis[first + q][j] * source;
            }
#endif
        }
    }
    *r = sum;
}

/* in: dt      inout: u, r, error */
DEVICE void update_column(Column *u, ColumnSum *r, real *error, const StageArguments *a, long long e, int c, scalar dt,
                          shared_real *rows, int lane)
{
    (void)rows;
    (void)lane;
    const scalar weight = error_weight(a, c);
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        update(&u->v[j], &r->v[j], error, a, at(e, c * BASIS + j, COMPONENTS * BASIS), weight, dt);
    }
    store_column(a->u_next, u, e, c);
    if (uses_g(a)) {
        store_column(a->g, r, e, c);
    }
}

/* Every row is written before it is read. */
DEVICE void clear_padding(shared_real *face, shared_real *volume, int lane)
{
    (void)face;
    (void)volume;
    (void)lane;
}
