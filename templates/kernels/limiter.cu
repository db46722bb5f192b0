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
    const scalar *inverse_jacobian; /* in: [DIM][DIM] */
    const scalar *moments;          /* in, of MOMENT: see MomentsArguments */
    const scalar *least;            /* in, where KEEP_BOUNDS: see LeastArguments */
    const int *corners;             /* in, of MOMENT: the vertex at every corner, [CORNERS] */
    const int *around;              /* in, of MOMENT: the elements around every vertex, [valence] */
    long long valence;              /* in */
    const scalar *troubled;         /* in, where there is an INDICATOR: 1 where the limiter is to act */
    double *clock;                  /* inout */
    scalar *bounds;                 /* out, where the mean is inadmissible: no number */
    long long elements;             /* in: their number */
    double c;                       /* in: time of the stage after this one, in steps after the start of the step */
    long long in_step;              /* in: 0 for data that no step has made */
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
