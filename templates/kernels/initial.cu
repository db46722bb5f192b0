/* The points of initial data: those of the quadrature that projects them, which is that of the mass matrix where it
 * takes one. The range of the values there is that of the data. */
#if MAP_DEGREE > 1 && defined(IS_PRODUCT)
#define PROJECTION_POINTS VOLUME_POINTS
#define projection_points volume_points
#define weighted_basis_at_projection weighted_basis
#else
#define PROJECTION_POINTS FINE_POINTS
#define projection_points fine_points
#define weighted_basis_at_projection weighted_basis_at_fine
#endif

/* The value at a point.     out: value     in: values; [PROJECTION_POINTS][COMPONENTS] per element */
DEVICE void load_value(real value[COMPONENTS], const scalar *values, int q, long long e)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = load(values + at(e, q * COMPONENTS + c, PROJECTION_POINTS * COMPONENTS));
    }
}
