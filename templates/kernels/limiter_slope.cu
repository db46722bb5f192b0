/* Slope limiters for polynomials of degree 1: the variation of each component is multiplied by the largest factor, at
 * most 1, with which no value at a point of a face lies outside the range of the element's mean and its neighbours'.
 *
 * BARTH_JESPERSEN: that factor (T. J. Barth & D. C. Jespersen, AIAA 89-0366 (1989)), with the points and neighbours of
 *     M. Fuhry, A. Giuliani & L. Krivodonova, Int. J. Numer. Meth. Fluids 76 (2014) 982-1003, section 4.3.5.
 * VENKATAKRISHNAN: a smooth function in its place that lets variations pass which are small against (K h)^(3/2)
 *     (V. Venkatakrishnan, J. Comput. Phys. 118 (1995) 120-130, equations (13) to (15)). */
#define VENKATAKRISHNAN_K 5.0

/* The factor for a variation where there is room for another of the same sign, at a point.     in: h, the element's size */
DEVICE real slope_factor(real variation, real room, real h)
{
#if LIMITER == VENKATAKRISHNAN
    const real kh = R(VENKATAKRISHNAN_K) * h, small = kh * kh * kh;
    const real share = (room * room + small + R(2.0) * variation * room) *
                       real_reciprocal(room * room + R(2.0) * variation * variation + variation * room + small);
    return select(variation == R(0.0), splat(R(1.0)), real_min(share, splat(R(1.0))));
#else
    (void)h;
    const real nonzero = select(variation == R(0.0), splat(R(1.0)), variation);
    const real share = real_min(room * real_reciprocal(nonzero), splat(R(1.0)));
    return select(variation == R(0.0), splat(R(1.0)), share);
#endif
}

/* inout: u, where troubled     out: whether anything was limited */
DEVICE mask limit_variation(real u[COMPONENTS][BASIS], mask troubled, const LimitArguments *a, long long e, real time)
{
    real mean[COMPONENTS], least[COMPONENTS], most[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = least[c] = most[c] = basis_mean[0] * u[c][0];
    }
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        real outside[COMPONENTS];
        components_of_state(outside, neighbour_mean(state_of(mean), a, e, f, time));
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            least[c] = select(outside[c] < least[c], outside[c], least[c]);
            most[c] = select(outside[c] > most[c], outside[c], most[c]);
        }
    }
    const real h = load(a->sizes + e);
    real smallest = splat(R(1.0));
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        /* The largest variation of each sign leaves the smallest factor. */
        real down = splat(R(0.0)), up = splat(R(0.0));
        UNROLL
        for (int i = 0; i < FACES * FACE_POINTS; ++i) {
            real variation = splat(R(0.0));
            UNROLL
            for (int j = 1; j < BASIS; ++j) {
                variation += basis_at_face[i][j] * u[c][j];
            }
            down = select(variation < down, variation, down);
            up = select(variation > up, variation, up);
        }
        real factor = real_min(slope_factor(down, least[c] - mean[c], h), slope_factor(up, most[c] - mean[c], h));
        factor = select(troubled, factor, splat(R(1.0)));
        smallest = real_min(smallest, factor);
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            u[c][j] *= factor;
        }
    }
    return smallest < R(1.0);
}
