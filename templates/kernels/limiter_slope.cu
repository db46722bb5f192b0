/* Slope limiters for polynomials of degree 1: the variation of each component is multiplied by the largest factor, at
 * most 1, with which no value at a point of a face lies outside the range of the element's mean and its neighbours'.
 *
 * BARTH_JESPERSEN: that factor (T. J. Barth & D. C. Jespersen, AIAA 89-0366 (1989)), with the points and neighbours of
 *     M. Fuhry, A. Giuliani & L. Krivodonova, Int. J. Numer. Meth. Fluids 76 (2014) 982-1003, section 4.3.5, as their
 *     program DGCUDA has them: the points of the faces, the neighbours across faces, none behind a boundary.
 * VENKATAKRISHNAN: a smooth function instead, which hardly changes variations that are small against (K h)^(3/2)
 *     (V. Venkatakrishnan, J. Comput. Phys. 118 (1995) 120-130, equations (13) to (15)). */
#define VENKATAKRISHNAN_K 5.0

/* The differences from the mean: of the least and largest values at the points of the faces, or of the range of the
 * means. `below` is never positive, `above` never negative. */
typedef struct {
    real below, above;
} Extent;

#if LIMITER == VENKATAKRISHNAN
/* The factor for a variation where the range allows `room`, of the same sign.     in: small, (K h)^3 */
DEVICE real smooth_factor(real variation, real room, real small)
{
    const real share = (room * room + small + R(2.0) * variation * room) *
                       real_reciprocal(room * room + R(2.0) * variation * variation + variation * room + small);
    return select(variation == R(0.0), splat(R(1.0)), real_min(share, splat(R(1.0))));
}
DEVICE real slope_factor(Extent variation, Extent room, real h)
{
    const real kh = R(VENKATAKRISHNAN_K) * h, small = kh * kh * kh;
    return real_min(smooth_factor(variation.below, room.below, small),
                    smooth_factor(variation.above, room.above, small));
}
#else
/* A variation that is dropped where it does not fit: the reciprocal of a much smaller one is infinite. */
#define VANISHING R(1e-37)

/* The largest factor, at most 1, with which both variations stay within their room. */
DEVICE real slope_factor(Extent variation, Extent room, real h)
{
    /* Only the side with the smaller factor needs a division. */
    const mask from_above = room.above * variation.below > room.below * variation.above;
    const real largest = select(from_above, variation.above, variation.below);
    const real most = select(from_above, room.above, room.below);
    const real factor = select(real_abs(largest) > VANISHING, most * real_reciprocal(largest), splat(R(0.0)));
    return select(real_abs(largest) > real_abs(most), factor, splat(R(1.0)));
}
#endif

/* The variation of one component at the points of the faces. Points come in pairs that are symmetric on a face:
 * their values are the pair's middle plus and minus half their difference.
 *     in: u; offset, of the first mode from the mean */
DEVICE Extent variation_of(const real u[BASIS], real offset)
{
    Extent variation = {splat(R(0.0)), splat(R(0.0))};
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        UNROLL
        for (int k = 0; 2 * k < FACE_POINTS; ++k) {
            const scalar *near = basis_at_face[f * FACE_POINTS + k],
                *far = basis_at_face[(f + 1) * FACE_POINTS - 1 - k];
            real middle = offset, apart = splat(R(0.0));
            UNROLL
            for (int j = 1; j < BASIS; ++j) {
                middle += R(0.5) * (near[j] + far[j]) * u[j];
                apart += R(0.5) * (near[j] - far[j]) * u[j];
            }
            const real below = middle - real_abs(apart), above = middle + real_abs(apart);
            variation.below = select(below < variation.below, below, variation.below);
            variation.above = select(above > variation.above, above, variation.above);
        }
    }
    return variation;
}

/* Extends the range of an element's means by its neighbours'; boundaries have none.     inout: least, most */
DEVICE void extend_to_neighbours(real least[COMPONENTS], real most[COMPONENTS], const LimitArguments *a, long long e)
{
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour) / FACES;
#ifndef GATHERS_MEANS
        const offsets first = at_lanes(inner, 0, COMPONENTS * BASIS);
#endif
        real gathered[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
#ifdef GATHERS_MEANS
            gathered[c] = gather(a->means, at_lanes(inner, c, COMPONENTS));
#else
            gathered[c] = basis_mean[0] * gather(a->u, first + c * BASIS * BLOCK);
#endif
        }
#ifdef VECTORS
        turn_back(gathered, a->links, a->turns, e, f);
#endif
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            const real mean = select(on_boundary, least[c], gathered[c]);
            least[c] = select(mean < least[c], mean, least[c]);
            most[c] = select(mean > most[c], mean, most[c]);
        }
    }
}

/* inout: u, where troubled     out: whether anything was limited */
DEVICE mask limit_variation(real u[FIELDS][BASIS], mask troubled, const LimitArguments *a, long long e, real time)
{
    real mean[COMPONENTS], least[COMPONENTS], most[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = least[c] = most[c] = mean_of(u[c], a->basis_integrals, e);
    }
    extend_to_neighbours(least, most, a, e);
    const real h = inscribed_circle(a->measures, e);
    mask limited = nowhere();
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        const Extent room = {least[c] - mean[c], most[c] - mean[c]};
#if MAP_DEGREE > 0
        const real offset = basis_mean[0] * u[c][0] - mean[c];
#else
        const real offset = splat(R(0.0));
#endif
        const real factor = select(troubled, slope_factor(variation_of(u[c], offset), room, h), splat(R(1.0)));
        limited = limited | (factor < R(1.0));
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            u[c][j] *= factor;
        }
    }
    return limited;
}
