/* Operators on a column: the coefficients of one component of an element, held by one thread or lane. */

/* sum_j phi_j u_j     in: phi, u */
DEVICE wide interpolated(const scalar phi[BASIS], const wide u[BASIS])
{
    wide value = phi[0] * u[0];
    UNROLL
    for (int j = 1; j < BASIS; ++j) {
        value += phi[j] * u[j];
    }
    return value;
}

/* On CUDA the entries of unrolled tables are constants in the code; on the host they are operands in memory. */
#ifdef __CUDACC__
#define UNROLL_ROWS UNROLL
#else
#define UNROLL_ROWS NO_UNROLL
#endif

/* Before a loop over points that evaluates maps. Those of curved elements are long: from order 5 on the text of all
 * points would exceed the cache for instructions, 128 KiB on an H200, and take NVRTC three times as long. */
#if MAP_DEGREE > 1 && ORDER > 4
#define UNROLL_MAPS NO_UNROLL
#else
#define UNROLL_MAPS UNROLL_ROWS
#endif

#ifdef DIFFERENTIATE
/* Coefficient i of the derivatives in reference coordinates of a polynomial of this degree.     in: u     out: along */
DEVICE void differentiate(wide along[DIM], const wide u[BASIS], int degree, int i)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        along[d] = wide_of(R(0.0));
    }
    switch (i) { DIFFERENTIATE(along, u, degree) }
}

/* Adds the integrals of a flux, which is phi_i times these numbers, against the gradients of all phi_j.     inout: r */
DEVICE void integrate(wide r[BASIS], const wide flux[DIM], int i)
{
    switch (i) { INTEGRATE(r, flux) }
}
#endif
