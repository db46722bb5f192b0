/* What limiters share. A limiter changes how the solution varies within an element, never its mean. */

/* Limiters, as LIMITER may be defined. */
#define NO_LIMITER 0
#define BARTH_JESPERSEN 1
#define VENKATAKRISHNAN 2
#define MOMENT 3
#define FILTER 4

typedef struct {
    scalar *u;                      /* inout: [COMPONENTS][BASIS] per element; coefficients after a stage */
    scalar *traces;                 /* inout, optional: [TRACES][TRACE] per element; where the schedule keeps them */
    const scalar *before;           /* in: [COMPONENTS][BASIS] per element; coefficients before the step */
    const scalar *normals;          /* in: [FACES * (DIM + 1)] per element; see Surroundings */
    const int *neighbours;          /* in: [FACES] per element */
    const int *conditions;          /* in: unchecked */
    const scalar *boundary_normals; /* in: unchecked */
    const scalar *map;              /* in: [DIM + DIM * DIM] per element */
    const scalar *inverse_jacobian; /* in: [DIM][DIM] per element */
    const scalar *moments;          /* in, optional: [DERIVATIVES][DIM + 1][COMPONENTS] per element; of MOMENT, see
                                     * MomentsArguments */
    const scalar *least;            /* in, optional: [BOUNDED] per element; where KEEP_BOUNDS, see LeastArguments */
    const int *corners;             /* in, optional: [CORNERS] per element; of MOMENT: the vertex at every corner */
    const int *around;              /* in, optional: unchecked; of MOMENT: the elements around every vertex, [valence] */
    long long valence;              /* in; the most elements around a vertex */
    const scalar *troubled;         /* in, optional: [1] per element; where there is an INDICATOR: 1 where the limiter is to
                                     * act */
    double *clock;                  /* inout: [CLOCK_NUMBERS] */
    scalar *bounds;                 /* out: [1] per element; no number where the mean is inadmissible */
    long long elements;             /* in; their number */
    double c;                       /* in; time of the stage after this one, in steps after the start of the step */
    long long in_step;              /* in; 0 for data that no step has made */
} LimitArguments;

DEVICE Surroundings surroundings_of(const LimitArguments *a, const scalar *coefficients)
{
    const Surroundings s = {coefficients, a->normals, a->neighbours, a->conditions, a->boundary_normals, a->map};
    return s;
}

/* Points at which the scheme evaluates the solution: those of the faces, then those of the volume. */
#define POINTS (FACES * FACE_POINTS + VOLUME_POINTS)
DEVICE const scalar *basis_at_point(int i)
{
    return i < FACES * FACE_POINTS ? basis_at_face[i] : basis_at_volume[i - FACES * FACE_POINTS];
}
