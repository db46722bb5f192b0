/* Which elements are troubled, that is, may hold a discontinuity: only there a limiter is to act, so that smooth solutions
 * keep their order. Both indicators look at the first component of the state.
 *
 * JUMPS: the jumps at the faces, integrated and divided by what they are for smooth solutions, h^((p + 1) / 2) (L. Krivodonova,
 *     J. Xin, J.-F. Remacle, N. Chevaugeon & J. E. Flaherty, Appl. Numer. Math. 48 (2004) 323-338, equation (11)); here on
 *     all faces, for a law need not have a direction of flow.
 * DECAY: the share of the highest degree in the square integral, which falls as p^-4 for continuous functions (P.-O.
 *     Persson & J. Peraire, AIAA 2006-112, equation (7)). */
#define JUMPS 1
#define DECAY 2
#ifndef DECAY_FACTOR
#define DECAY_FACTOR 100.0
#endif

typedef struct {
    const scalar *u;       /* in: coefficients */
    const scalar *normals; /* in: see Surroundings */
    const int *neighbours; /* in */
    const scalar *sizes;   /* in: h of every element */
    scalar *troubled;      /* out: 1 where an element is troubled, else 0 */
} IndicateArguments;

KERNEL(indicate, IndicateArguments)
{
    real u[BASIS];
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        u[j] = load(a->u + at(e, j, COMPONENTS * BASIS));
    }
#if INDICATOR == JUMPS
    const real h = load(a->sizes + e);
    real jumps = splat(R(0.0)), lengths = splat(R(0.0)), largest = real_abs(basis_mean[0] * u[0]);
    UNROLL_FACES
    for (int f = 0; f < FACES; ++f) {
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
        const ints side = inner % FACES;
        const offsets first = at_lanes(inner / FACES, 0, COMPONENTS * BASIS);
        real jump = splat(R(0.0));
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            const real outside = gather(a->u, first + j * BLOCK);
            UNROLL
            for (int k = 0; k < FACE_POINTS; ++k) {
                const int i = f * FACE_POINTS + k;
                const real phi = lookup(basis_at_neighbour, (side * FACE_POINTS + k) * BASIS + j);
                jump += face_weights[k] * (basis_at_face[i][j] * u[j] - phi * outside);
            }
            if (j == 0) {
                largest = select(on_boundary, largest, real_max(largest, real_abs(basis_mean[0] * outside)));
            }
        }
        const real length = load(a->normals + at(e, FACES * DIM + f, FACES * (DIM + 1)));
        jumps += select(on_boundary, splat(R(0.0)), length * real_abs(jump));
        lengths += length;
    }
    /* h^((p + 1) / 2) */
    real smooth = splat(R(1.0));
    UNROLL
    for (int d = 0; d <= ORDER; ++d) {
        smooth *= h;
    }
    const mask troubled = jumps > real_sqrt(smooth) * lengths * largest;
#else
    real highest = splat(R(0.0)), all = splat(R(0.0));
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        all += u[j] * u[j];
        if (basis_degree[j] == ORDER) {
            highest += u[j] * u[j];
        }
    }
    const mask troubled = highest * R(ORDER * ORDER * ORDER * ORDER) * R(DECAY_FACTOR) > all;
#endif
    store(a->troubled + e, select(troubled, splat(R(1.0)), splat(R(0.0))));
}
