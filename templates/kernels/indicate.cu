/* Marks troubled elements, which may hold a discontinuity: the limiter acts on them alone, so that smooth solutions
 * keep their order. DECAY takes the share of the highest degree in the square integral of the state's first
 * component, which falls as p^-4 for continuous functions (P.-O. Persson & J. Peraire, AIAA 2006-112, equation (7));
 * a shock gives more than a hundredth of that. docs/notes/limiters.md compares measurements of this indicator and
 * others. */
#define DECAY 1
#define DECAY_FACTOR 100.0
/* This share of the largest mean's square is added to an element's own square integral: where the solution is nearly
 * zero, as in the tails of a wave, the share of the highest degree is meaningless, and such elements need no
 * limiter. */
#define DECAY_FLOOR 1e-6

typedef struct {
    const scalar *u; /* in: [COMPONENTS][BASIS] per element; coefficients */
    scalar *squares; /* out: [1] per element; the share of the first component's mean in its square integral */
} SquaresArguments;

KERNEL(squares, SquaresArguments)
{
    const real mean = load(a->u + at(e, 0, COMPONENTS * BASIS));
    store(a->squares + e, mean * mean);
}

typedef struct {
    const scalar *u;       /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *largest; /* in: [1]; of all squares before the step */
    scalar *troubled;      /* out: [1] per element; 1 where an element is troubled, else 0 */
} IndicateArguments;

KERNEL(indicate, IndicateArguments)
{
    real highest = splat(R(0.0)), all = splat(R(DECAY_FLOOR) * a->largest[0]);
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        const real u = load(a->u + at(e, j, COMPONENTS * BASIS));
        all += u * u;
        if (basis_degree[j] == ORDER) {
            highest += u * u;
        }
    }
    const mask troubled = highest * R(ORDER * ORDER * ORDER * ORDER) * R(DECAY_FACTOR) > all;
    store(a->troubled + e, select(troubled, splat(R(1.0)), splat(R(0.0))));
}

/* Whether elements k are troubled. */
DEVICE mask is_troubled(const scalar *troubled, ints k) { return gather(troubled, at_lanes(k, 0, 1)) > R(0.0); }

/* Whether an element or one across a face is troubled.     in: place, the number of e among those of all sections */
DEVICE mask is_beside_trouble(const scalar *troubled, const int *neighbours, long long e, long long place)
{
    mask found = load(troubled + place) > R(0.0);
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        const ints neighbour = load_ints(neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
        found = found | (is_troubled(troubled, inner / FACES) & not(on_boundary));
    }
    return found;
}

/* Whether one of the elements that meet at the element's corners is troubled. */
DEVICE mask is_around_trouble(const scalar *troubled, const int *corners, const int *around, long long valence,
                              long long e)
{
    mask found = nowhere();
    UNROLL
    for (int corner = 0; corner < CORNERS; ++corner) {
        const ints vertex = load_ints(corners + at(e, corner, CORNERS));
        for (int k = 0; k < (int)valence; ++k) {
            found = found | is_troubled(troubled, gather_ints(around, vertex * (int)valence + k));
        }
    }
    return found;
}
