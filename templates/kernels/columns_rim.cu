/* What a column leaves for the faces on the rim of its patch; with a viscous flux see columns_slopes.cu. */
#ifndef VISCOUS

/* Stores in the rows the data from which value_of_column finds the traces on the rim; on the host these traces.
 *     in: u, links, e     out: rows */
#ifdef __CUDACC__
#define KEPT_ROWS BASIS
/* Few faces are on the rim: their traces are evaluated point by point, from the coefficients. */
DEVICE void keep_column(scalar *rows, const wide u[BASIS], const Links *links, long long e)
{
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        store_wide(rows + j * ROW, STRIDE, u[j]);
    }
}
DEVICE real value_of_column(const scalar *rows, int number, int k)
{
    const scalar *phi = basis_at_face[number / PATCH * FACE_POINTS + k], *u = rows + number % PATCH;
    /* Added as inside of a patch: for both of its patches a face has the same traces, to the bit. */
    real even = phi[0] * u[0], odd = 0;
    for (int j = 1; j < BASIS; ++j) {
        if (IS_ODD(j)) {
            odd += phi[j] * u[j * ROW];
        } else {
            even += phi[j] * u[j * ROW];
        }
    }
    return even + odd;
}
#else
DEVICE void keep_column(scalar *rows, const wide u[BASIS], const Links *links, long long e)
{
    for (int f = 0; f < FACES; ++f) {
        if (is_on_rim(links, e, f)) {
            for (int k = 0; k < FACE_POINTS; ++k) {
                const Halves value = halves_of(basis_at_face[f * FACE_POINTS + k], u, BASIS);
                store(rows + TRACE_ROW(f, k) * GROUP_ROW, value.even + value.odd);
            }
        }
    }
}
#endif
#endif
