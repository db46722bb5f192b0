/* A medium that depends on time, at the time of a stage: projected in elements as the host projects one that does not
 * (`dg-runtime/src/solver/projected.rs`), and evaluated at faces. A value outside the range of its field becomes NaN,
 * which no step survives. MEDIUM_ENDS(X) lists the ends of ranges of the fields that vary as X(field, comparison that
 * values pass, end, margin). */
#ifdef MEDIUM_ENDS
typedef struct {
    scalar *medium;            /* out: [1] per element; coefficients, see medium.cu, at `times` times */
    const int *medium_numbers; /* in: [1] per element; the number of what gives the fields there */
    const scalar *map;         /* in: [MAP] per element */
    const scalar *medium_mass; /* in, optional: [1] per element; of MEDIUM_BASIS functions the inverse of the mass
                                * matrix, row by row; read where MAP_DEGREE is not 0 */
    const scalar *basis_integrals; /* in, optional: [BASIS] per element; likewise */
    const double *clock;       /* in: [CLOCK_NUMBERS] */
    double c;                  /* in; a time, in steps after the start of the step */
    long long time;            /* in; its number */
    long long times;           /* in; their number */
} RenewMediumArguments;

/* Scales down the variation of a field beyond an end of its range.     inout: field, coefficients */
#define KEEP_WITHIN(i, comparison, end, margin)                                                                        \
    {                                                                                                                  \
        real share = splat(R(1.0));                                                                                    \
        const real constant = constant_part(field[i], MEDIUM_BASIS, a->basis_integrals, e);                            \
        const real mean = basis_mean[0] * constant;                                                                    \
        for (int k = 0; k < FACES * FACE_POINTS + VOLUME_POINTS; ++k) {                                                \
            const int q = k - FACES * FACE_POINTS;                                                                     \
            const scalar *phi = q < 0 ? basis_at_face[k] : basis_at_volume[q];                                         \
            real value = basis_mean[0] * field[i][0];                                                                  \
            for (int j = 1; j < MEDIUM_BASIS; ++j) {                                                                   \
                value += phi[j] * field[i][j];                                                                         \
            }                                                                                                          \
            const real most = (R(1.0) - margin) * (end - mean) * real_reciprocal(value - mean);                        \
            share = select(mask_of(value comparison end), share, real_min(share, most));                               \
        }                                                                                                              \
        share = real_max(share, splat(R(0.0)));                                                                        \
        for (int j = 1; j < MEDIUM_BASIS; ++j) {                                                                       \
            field[i][j] *= share;                                                                                      \
        }                                                                                                              \
        field[i][0] = constant + share * (field[i][0] - constant);                                                     \
    }

#if MAP_DEGREE > 0
/* field <- M^-1 field, with the mass matrix of MEDIUM_BASIS functions.     inout: field */
DEVICE void divide_medium_by_mass(real field[MEDIUM_BASIS], const scalar *medium_mass, long long e)
{
    real quotient[MEDIUM_BASIS];
    for (int i = 0; i < MEDIUM_BASIS; ++i) {
        quotient[i] = splat(R(0.0));
        for (int j = 0; j < MEDIUM_BASIS; ++j) {
            quotient[i] += load(medium_mass + at(e, i * MEDIUM_BASIS + j, MEDIUM_BASIS * MEDIUM_BASIS)) * field[j];
        }
    }
    for (int j = 0; j < MEDIUM_BASIS; ++j) {
        field[j] = quotient[j];
    }
}
#endif

KERNEL(renew_medium, RenewMediumArguments)
{
    const real time = splat((scalar)time_at(a->clock, a->c));
    const ints number = load_ints(a->medium_numbers + e);
    real field[MEDIA][MEDIUM_BASIS];
    for (int i = 0; i < MEDIA; ++i) {
        for (int j = 0; j < MEDIUM_BASIS; ++j) {
            field[i][j] = splat(R(0.0));
        }
    }
#if MAP_DEGREE > 0
    Determinant determinant;
    load_determinant(&determinant, a->map, e);
#endif
    for (int q = 0; q < PROJECTION_POINTS; ++q) {
        real value[MEDIA];
        law_given_medium(value, position(a->map, e, projection_points[q]), time, number);
#define REFUSE(i, comparison, end, margin)                                                                             \
    value[i] = select(mask_of(value[i] comparison end), value[i], splat(R(0.0) / R(0.0)));
        MEDIUM_ENDS(REFUSE)
#undef REFUSE
        for (int i = 0; i < MEDIA; ++i) {
#if MAP_DEGREE > 0
            value[i] *= determinant_at(&determinant, projection_points[q]);
#endif
            for (int j = 0; j < MEDIUM_BASIS; ++j) {
                field[i][j] += weighted_basis_at_projection[q][j] * value[i];
            }
        }
    }
#if MAP_DEGREE > 0
    for (int i = 0; i < MEDIA; ++i) {
        divide_medium_by_mass(field[i], a->medium_mass, e);
    }
#endif
    MEDIUM_ENDS(KEEP_WITHIN)
    for (int i = 0; i < MEDIA; ++i) {
        if (varies(i)) {
            for (int j = 0; j < (varies_within(i) ? MEDIUM_BASIS : 1); ++j) {
                store(a->medium + medium_place(e, i, j, (int)a->time, (int)a->times), field[i][j]);
            }
        }
    }
}

typedef struct {
    const scalar *medium;    /* in: [1] per element of the section; coefficients, see medium.cu */
    scalar *face_medium;     /* out: [2] per face; likewise, of all sections */
    const int *medium_sides; /* in: [8] per face; element * FACES + face of the first side and of the second, -1 where
                              * there is none, -2 where it is of another section; the face's place: the number of the
                              * patch's first face, its own number in the patch, and the number of the patch's faces;
                              * the place in another section of the face whose second side is this one's first, or -1 */
} RenewFaceMediumArguments;

/* Stores the values of a side at the points of a face, there as this side of it, 0 or 1.
 *     in: place, see medium_sides */
DEVICE void store_face_medium(const RenewFaceMediumArguments *a, int own, int is_backwards, int side, const int *place)
{
    scalar *const beside = a->face_medium + (long long)place[0] * (2 * OF_MEDIUM(MEDIUM_POINTS)) + place[1];
    const int e = own / FACES, f = own % FACES;
    for (int field = 0; field < MEDIA; ++field) {
        if (!varies(field)) {
            continue;
        }
        const int within = varies_within(field);
        for (int k = 0; k < (within ? MEDIUM_POINTS : 1); ++k) {
            const scalar *phi = basis_at_face[f * FACE_POINTS + (is_backwards ? FACE_POINTS - 1 - k : k)];
            scalar value = R(0.0);
            for (int j = 0; j < (within ? MEDIUM_BASIS : 1); ++j) {
                value += phi[j] * a->medium[medium_place(e, field, j, 0, 1)];
            }
            const int row = side * OF_MEDIUM(MEDIUM_POINTS) + place_in_medium(field, k, MEDIUM_POINTS);
            beside[(long long)row * place[2]] = value;
        }
    }
}

KERNEL_SCALAR(renew_face_medium, RenewFaceMediumArguments)
{
    const int *sides = a->medium_sides + 8 * i;
    store_face_medium(a, sides[0], 0, 0, sides + 2);
    if (sides[1] >= 0) {
        store_face_medium(a, sides[1], 1, 1, sides + 2);
    } else if (sides[1] == -1) {
        store_face_medium(a, sides[0], 0, 1, sides + 2);
    }
    if (sides[5] >= 0) {
        store_face_medium(a, sides[0], 1, 1, sides + 5);
    }
}
#endif
