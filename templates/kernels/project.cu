/* L2 projection of initial data: u_j = sum_q w_q phi_j(xi_q) u_0(x_q), the basis being orthonormal. */

DEVICE void add_projected(real u[COMPONENTS][BASIS], const real value[COMPONENTS], const scalar weighted[BASIS])
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] += weighted[j] * value[c];
        }
    }
}

DEVICE void set_zero(real u[COMPONENTS][BASIS])
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] = splat(R(0.0));
        }
    }
}

#ifdef INITIAL
typedef struct {
    scalar *u;         /* out: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *map; /* in: [MAP] per element */
    double time;       /* in */
} ProjectArguments;

/* Of the function INITIAL(x, t). */
KERNEL(project, ProjectArguments)
{
    real u[COMPONENTS][BASIS];
    set_zero(u);
    for (int q = 0; q < FINE_POINTS; ++q) {
        real value[COMPONENTS];
        law_components(value, INITIAL(position(a->map, e, fine_points[q]), splat((scalar)a->time)));
        add_projected(u, value, weighted_basis_at_fine[q]);
    }
    store_coefficients(a->u, u, e);
}
#endif

typedef struct {
    scalar *u;            /* out: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *values; /* in: [FINE_POINTS][COMPONENTS] per element */
} ProjectValuesArguments;

/* The value at a point of the fine quadrature.     out: value     in: values, see ProjectValuesArguments */
DEVICE void load_value(real value[COMPONENTS], const scalar *values, int q, long long e)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = load(values + at(e, q * COMPONENTS + c, FINE_POINTS * COMPONENTS));
    }
}

/* Of values given at the points of the fine quadrature. */
KERNEL(project_values, ProjectValuesArguments)
{
    real u[COMPONENTS][BASIS];
    set_zero(u);
    for (int q = 0; q < FINE_POINTS; ++q) {
        real value[COMPONENTS];
        load_value(value, a->values, q, e);
        add_projected(u, value, weighted_basis_at_fine[q]);
    }
    store_coefficients(a->u, u, e);
}
