/* The medium: MEDIA fields that vary in space and time and do not evolve, in each element polynomials of MEDIUM_BASIS
 * coefficients. On a face each side has its own values, so that a jump of the medium between two elements is a jump of
 * the flux there.
 *
 *   medium         [MEDIA][MEDIUM_BASIS] per element: coefficients
 *   face_medium    [2][MEDIA][MEDIUM_POINTS] per face, patch by patch as [...][face]: values at the points of the face,
 *                  of its first side and then of its second; where the medium is constant in all elements, one point
 *                  stands for all. Where there is no second side, both are the same.
 *
 * Where the medium is the same in the whole domain MEDIUM_BASIS is 0, and there are no such arrays: the coefficients of
 * phi_0 are variables like parameters, which UNIFORM_MEDIUM(X) lists as X(field). */
#ifndef MEDIUM_POINTS
#define MEDIUM_POINTS (MEDIUM_BASIS > 1 ? FACE_POINTS : 1)
#endif
#define MEDIUM_COEFFICIENTS (MEDIUM_BASIS > 1 ? MEDIUM_BASIS : 1)

#ifdef UNIFORM_MEDIUM
#define UNIFORM_FIELD(i) PARAMETER(uniform_medium_##i)
UNIFORM_MEDIUM(UNIFORM_FIELD)
#undef UNIFORM_FIELD
#endif

/* Coefficient j of a field in an element.     in: medium */
DEVICE real medium_coefficient(const scalar *medium, long long e, int i, int j)
{
#ifdef UNIFORM_MEDIUM
#define UNIFORM_FIELD(n)                                                                                               \
    if (i == n) {                                                                                                      \
        return splat(uniform_medium_##n);                                                                              \
    }
    UNIFORM_MEDIUM(UNIFORM_FIELD)
#undef UNIFORM_FIELD
    return splat(R(0.0));
#else
    return load(medium + at(e, i * MEDIUM_BASIS + j, MEDIA * MEDIUM_BASIS));
#endif
}

/* in: medium     out: field, coefficients of [MEDIA] */
DEVICE void load_medium(real field[][BASIS], const scalar *medium, long long e)
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            field[i][j] = splat(R(0.0));
        }
        UNROLL
        for (int j = 0; j < MEDIUM_COEFFICIENTS; ++j) {
            field[i][j] = medium_coefficient(medium, e, i, j);
        }
    }
}

/* The fields at a point, where phi[j] = phi_j(xi).     in: field, coefficients; phi     out: value, [MEDIA] */
DEVICE void evaluate_medium(real value[], const real field[][BASIS], const scalar phi[BASIS])
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        value[i] = phi[0] * field[i][0];
        UNROLL
        for (int j = 1; j < MEDIUM_BASIS; ++j) {
            value[i] += phi[j] * field[i][j];
        }
    }
}

/* The place of a patch's face i in face_medium, of which `first` is the number of the patch's first face. */
DEVICE const scalar *patch_medium(const scalar *face_medium, int first, int i)
{
    return face_medium + (long long)first * (2 * MEDIA * MEDIUM_POINTS) + i;
}

/* The fields at point k of a face, on its first side (0) or its second (1).
 *     in: face, see patch_medium; count, the number of the patch's faces     out: value, [MEDIA] */
DEVICE void patch_face_medium(real value[], const scalar *face, int count, int side, int k)
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
#ifdef UNIFORM_MEDIUM
        value[i] = basis_mean[0] * medium_coefficient(face, 0, i, 0);
#else
        value[i] = load(face + ((side * MEDIA + i) * MEDIUM_POINTS + k % MEDIUM_POINTS) * count);
#endif
    }
}
