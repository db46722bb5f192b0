/* The mass matrices of elements whose maps are not affine, for kernels that hold all components of an element; those of
 * a stage are in columns_product.cu and columns_points.cu. */
#if MAP_DEGREE > 0
/* u <- M^-1 u for every component, see divide_by_mass.     inout: u */
DEVICE void divide_components_by_mass(real u[COMPONENTS][BASIS], const Determinant *determinant,
                                      const scalar *inverse_mass, long long e)
{
    for (int c = 0; c < COMPONENTS; ++c) {
        real quotient[BASIS];
        for (int j = 0; j < BASIS; ++j) {
            quotient[j] = splat(R(0.0));
        }
#ifdef IS_PRODUCT
        for (int q = 0; q < VOLUME_POINTS; ++q) {
            real value = splat(R(0.0));
            for (int j = 0; j < BASIS; ++j) {
                value += basis_at_volume[q][j] * u[c][j];
            }
            value *= LINE_WEIGHTS[q % LINES] * LINE_WEIGHTS[q / LINES]
                * real_reciprocal(determinant_at(determinant, volume_points[q]));
            for (int j = 0; j < BASIS; ++j) {
                quotient[j] += basis_at_volume[q][j] * value;
            }
        }
#else
        for (int i = 0; i < BASIS; ++i) {
            for (int j = 0; j < BASIS; ++j) {
                const int entry = j <= i ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
                quotient[i] += load(inverse_mass + at(e, entry, MASS)) * u[c][j];
            }
        }
#endif
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] = quotient[j];
        }
    }
}
#endif
