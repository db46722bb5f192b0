/* What limiters share. A limiter changes how the solution varies within an element, never its mean. */

/* Limiters, as LIMITER may be defined. */
#define NO_LIMITER 0
#define BARTH_JESPERSEN 1
#define VENKATAKRISHNAN 2
#define MOMENT 3
#define FILTER 4

typedef struct {
    scalar *u;                      /* inout: coefficients after a stage */
    scalar *traces;                 /* inout, where the schedule keeps them */
    const scalar *before;           /* in: coefficients before the step */
    const scalar *normals;          /* in: see Surroundings */
    const int *neighbours;          /* in */
    const int *conditions;          /* in */
    const scalar *boundary_normals; /* in */
    const scalar *map;              /* in */
    const scalar *sizes;            /* in: h of every element */
    const scalar *inverse_jacobian; /* in: [DIM][DIM] */
    const scalar *moments;          /* in, of MOMENT: see MomentsArguments */
    const scalar *least;            /* in, of FILTER: see LeastArguments */
    const int *corners;             /* in, of MOMENT: the vertex at every corner, [CORNERS] */
    const int *around;              /* in, of MOMENT: the elements around every vertex, [valence] */
    long long valence;              /* in */
    const scalar *troubled;         /* in, where there is an INDICATOR: 1 where the limiter is to act */
    double *clock;                  /* inout */
    scalar *longest;                /* out, where the mean is inadmissible: no number */
    long long elements;             /* in: their number */
    double c;                       /* in: time of the stage after this one, in steps after the start of the step */
    long long in_step;              /* in: 0 for data that no step has made */
} LimitArguments;

DEVICE Surroundings surroundings_of(const LimitArguments *a, const scalar *coefficients)
{
    const Surroundings s = {coefficients, a->normals, a->neighbours, a->conditions, a->boundary_normals, a->map};
    return s;
}

/* The mean of the neighbour at face f; at a boundary the ghost state of the own mean.     in: mean, the own */
DEVICE State neighbour_mean(State mean, const LimitArguments *a, long long e, int f, real time)
{
    const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
    const mask on_boundary = mask_of(neighbour < 0);
    const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
    const offsets first = at_lanes(inner / FACES, 0, COMPONENTS * BASIS);
    real value[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = basis_mean[0] * gather(a->u, first + c * BASIS * BLOCK);
    }
    State outside = state_of(value);
    if (any(on_boundary)) {
        const Surroundings s = surroundings_of(a, a->u);
        const ints boundary_face = select_ints(on_boundary, -1 - neighbour, 0 * neighbour);
        outside = select_State(on_boundary, boundary_trace(&s, e, f, FACE_POINTS / 2, boundary_face, mean, time), outside);
    }
    return outside;
}

/* Points at which the scheme evaluates the solution: those of the faces, then those of the volume. */
#define POINTS (FACES * FACE_POINTS + VOLUME_POINTS)
DEVICE const scalar *basis_at_point(int i)
{
    return i < FACES * FACE_POINTS ? basis_at_face[i] : basis_at_volume[i - FACES * FACE_POINTS];
}
