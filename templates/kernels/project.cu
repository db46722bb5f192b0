/* L2 projection of initial data: u_j = sum_q w_q phi_j(xi_q) u_0(x_q), the basis being orthonormal; on elements that
 * are not affine with det J in every sum, and then divided by the mass matrix, whose quadrature is taken. */
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

#if MAP_DEGREE > 0
/* Multiplies values at a point by det J there.     inout: value */
DEVICE void weigh(real value[COMPONENTS], const Determinant *determinant, int q)
{
    const real here = determinant_at(determinant, projection_points[q]);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] *= here;
    }
}
#endif

#ifdef INITIAL
typedef struct {
    scalar *u;         /* out: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *map; /* in: [MAP] per element */
    const scalar *inverse_mass; /* in, optional: [MASS] per element; read where it is kept */
    double time;       /* in */
} ProjectArguments;

/* Of the function INITIAL(x, t). */
KERNEL(project, ProjectArguments)
{
    real u[COMPONENTS][BASIS];
    set_zero(u);
#if MAP_DEGREE > 0
    Determinant determinant;
    load_determinant(&determinant, a->map, e);
#endif
    for (int q = 0; q < PROJECTION_POINTS; ++q) {
        real value[COMPONENTS];
        law_components(value, INITIAL(position(a->map, e, projection_points[q]), splat((scalar)a->time)));
#if MAP_DEGREE > 0
        weigh(value, &determinant, q);
#endif
        add_projected(u, value, weighted_basis_at_projection[q]);
    }
#if MAP_DEGREE > 0
    divide_components_by_mass(u, &determinant, a->inverse_mass, e);
#endif
    store_coefficients(a->u, u, e);
}
#endif

typedef struct {
    scalar *u;            /* out: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *values; /* in: [PROJECTION_POINTS][COMPONENTS] per element */
    const scalar *map;    /* in: [MAP] per element */
    const scalar *inverse_mass; /* in, optional: [MASS] per element; read where it is kept */
} ProjectValuesArguments;

/* Of values given at the points of the quadrature. */
KERNEL(project_values, ProjectValuesArguments)
{
    real u[COMPONENTS][BASIS];
    set_zero(u);
#if MAP_DEGREE > 0
    Determinant determinant;
    load_determinant(&determinant, a->map, e);
#endif
    for (int q = 0; q < PROJECTION_POINTS; ++q) {
        real value[COMPONENTS];
        load_value(value, a->values, q, e);
#if MAP_DEGREE > 0
        weigh(value, &determinant, q);
#endif
        add_projected(u, value, weighted_basis_at_projection[q]);
    }
#if MAP_DEGREE > 0
    divide_components_by_mass(u, &determinant, a->inverse_mass, e);
#endif
    store_coefficients(a->u, u, e);
}
