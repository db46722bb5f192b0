/* The medium: MEDIA fields that vary in space and time and do not evolve. Each of them for itself is the same in the
 * whole domain, and then its coefficient of phi_0 is a variable like parameters; or it is a number in each element; or
 * in each element a polynomial of MEDIUM_BASIS coefficients (medium.h). On a face each side has its own values, so that
 * a jump of the medium between two elements is a jump of the flux there.
 *
 *   medium         [OF_MEDIUM(MEDIUM_BASIS)] per element: coefficients, field by field
 *   face_medium    [2][OF_MEDIUM(MEDIUM_POINTS)] per face, patch by patch as [...][face]: values at the points of the
 *                  face, field by field, of its first side and then of its second. Where there is no second side, both
 *                  are the same. */
#ifndef MEDIUM_POINTS
#define MEDIUM_POINTS (MEDIUM_BASIS > 1 ? FACE_POINTS : 1)
#endif

#define UNIFORM_FIELD(n) PARAMETER(uniform_medium_##n)
UNIFORM_MEDIUM(UNIFORM_FIELD)
#undef UNIFORM_FIELD

/* The coefficient of phi_0 of a field that is the same in the whole domain. */
DEVICE real uniform_coefficient(int i)
{
#define UNIFORM_FIELD(n)                                                                                               \
    if (i == n) {                                                                                                      \
        return splat(uniform_medium_##n);                                                                              \
    }
    UNIFORM_MEDIUM(UNIFORM_FIELD)
#undef UNIFORM_FIELD
    return splat(R(0.0));
}

/* The place of coefficient j of a field that varies, in an array of the medium at `times` times, at that of number
 * `time`. */
DEVICE long long medium_place(long long e, int i, int j, int time, int times)
{
    const int numbers = OF_MEDIUM(MEDIUM_BASIS);
    return at(e, time * numbers + place_in_medium(i, j, MEDIUM_BASIS), times * numbers);
}

/* in: medium, at `times` times; time, the number of one     out: field, coefficients of [MEDIA] */
DEVICE void load_medium_of_time(real field[][BASIS], const scalar *medium, long long e, int time, int times)
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            field[i][j] = splat(R(0.0));
        }
        if (varies(i)) {
            UNROLL
            for (int j = 0; j < MEDIUM_BASIS; ++j) {
                if (j == 0 || varies_within(i)) {
                    field[i][j] = load(medium + medium_place(e, i, j, time, times));
                }
            }
        } else {
            field[i][0] = uniform_coefficient(i);
        }
    }
}

/* in: medium     out: field, coefficients of [MEDIA] */
DEVICE void load_medium(real field[][BASIS], const scalar *medium, long long e)
{
    load_medium_of_time(field, medium, e, 0, 1);
}

/* The means in an element.     in: medium     out: mean, [MEDIA] */
DEVICE void load_medium_mean(real mean[], const scalar *medium, long long e)
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        mean[i] = basis_mean[0] * uniform_coefficient(i);
        if (varies(i)) {
            mean[i] = basis_mean[0] * load(medium + medium_place(e, i, 0, 0, 1));
        }
    }
}

/* The fields at a point, where phi[j] = phi_j(xi).     in: field, coefficients; phi     out: value, [MEDIA] */
DEVICE void evaluate_medium(real value[], const real field[][BASIS], const scalar phi[BASIS])
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        value[i] = phi[0] * field[i][0];
        if (varies_within(i)) {
            UNROLL
            for (int j = 1; j < MEDIUM_BASIS; ++j) {
                value[i] += phi[j] * field[i][j];
            }
        }
    }
}

/* The fields at a point of another element on every lane.
 *     in: medium; phi, phi_j at the point, of which the first `count` are read     out: value, [MEDIA] */
DEVICE void gather_medium(real value[], const scalar *medium, ints element, const real phi[], int count)
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        value[i] = basis_mean[0] * uniform_coefficient(i);
        if (varies(i)) {
            value[i] = splat(R(0.0));
            UNROLL
            for (int j = 0; j < MEDIUM_BASIS; ++j) {
                if (j < count && (j == 0 || varies_within(i))) {
                    const int place = place_in_medium(i, j, MEDIUM_BASIS);
                    value[i] += phi[j] * gather(medium, at_lanes(element, place, OF_MEDIUM(MEDIUM_BASIS)));
                }
            }
        }
    }
}

/* The place of a patch's face i in face_medium, of which `first` is the number of the patch's first face. */
DEVICE const scalar *patch_medium(const scalar *face_medium, int first, int i)
{
    return face_medium + (long long)first * (2 * OF_MEDIUM(MEDIUM_POINTS)) + i;
}

/* The fields at point k of a face, on its first side (0) or its second (1).
 *     in: face, see patch_medium; count, the number of the patch's faces     out: value, [MEDIA] */
DEVICE void patch_face_medium(real value[], const scalar *face, int count, int side, int k)
{
    UNROLL
    for (int i = 0; i < MEDIA; ++i) {
        value[i] = basis_mean[0] * uniform_coefficient(i);
        if (varies(i)) {
            const int place = place_in_medium(i, k % MEDIUM_POINTS, MEDIUM_POINTS);
            value[i] = load(face + (side * OF_MEDIUM(MEDIUM_POINTS) + place) * count);
        }
    }
}
