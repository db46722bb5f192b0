/* L2 projection of initial data: u_j = sum_q w_q phi_j(xi_q) u_0(x_q), the basis being orthonormal; where BILINEAR with det J in every sum,
 * and then divided by the mass matrix. */

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

#ifdef BILINEAR
/* Multiplies values at a point by det J there.     in: det_j, see determinant_of_map     inout: value */
DEVICE void weigh(real value[COMPONENTS], const real det_j[1 + DIM], int q)
{
    const real here = det_j[0] + fine_points[q][0] * det_j[1] + fine_points[q][1] * det_j[2];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] *= here;
    }
}

/* See divide_by_mass in columns_product.cu; here point by point.     in: det_j     inout: u */
DEVICE void divide_projected(real u[COMPONENTS][BASIS], const real det_j[1 + DIM])
{
    for (int c = 0; c < COMPONENTS; ++c) {
        real quotient[BASIS];
        for (int j = 0; j < BASIS; ++j) {
            quotient[j] = splat(R(0.0));
        }
        for (int q = 0; q < VOLUME_POINTS; ++q) {
            const real here = det_j[0] + volume_points[q][0] * det_j[1] + volume_points[q][1] * det_j[2];
            real value = splat(R(0.0));
            for (int j = 0; j < BASIS; ++j) {
                value += basis_at_volume[q][j] * u[c][j];
            }
            value *= face_weights[q % LINES] * face_weights[q / LINES] * real_reciprocal(here);
            for (int j = 0; j < BASIS; ++j) {
                quotient[j] += basis_at_volume[q][j] * value;
            }
        }
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] = quotient[j];
        }
    }
}
#endif

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
#ifdef BILINEAR
    real det_j[1 + DIM];
    determinant_of_map(det_j, a->map, e);
#endif
    for (int q = 0; q < FINE_POINTS; ++q) {
        real value[COMPONENTS];
        law_components(value, INITIAL(position(a->map, e, fine_points[q]), splat((scalar)a->time)));
#ifdef BILINEAR
        weigh(value, det_j, q);
#endif
        add_projected(u, value, weighted_basis_at_fine[q]);
    }
#ifdef BILINEAR
    divide_projected(u, det_j);
#endif
    store_coefficients(a->u, u, e);
}
#endif

typedef struct {
    scalar *u;            /* out: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *values; /* in: [FINE_POINTS][COMPONENTS] per element */
    const scalar *map;    /* in: [MAP] per element */
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
#ifdef BILINEAR
    real det_j[1 + DIM];
    determinant_of_map(det_j, a->map, e);
#endif
    for (int q = 0; q < FINE_POINTS; ++q) {
        real value[COMPONENTS];
        load_value(value, a->values, q, e);
#ifdef BILINEAR
        weigh(value, det_j, q);
#endif
        add_projected(u, value, weighted_basis_at_fine[q]);
    }
#ifdef BILINEAR
    divide_projected(u, det_j);
#endif
    store_coefficients(a->u, u, e);
}
