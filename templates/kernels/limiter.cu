/* Definitions that limiters share. A limiter changes how the solution varies within an element, never its mean. */

/* The values of LIMITER. */
#define NO_LIMITER 0
#define BARTH_JESPERSEN 1
#define VENKATAKRISHNAN 2
#define MOMENT 3
#define FILTER 4

/* Where a mesh has several sections, limiters read of elements in all of them: `first` is the number of the section's
 * first element among these, means are gathered because the sections differ in their basis, and `neighbours` are
 * numbers among all. */
#ifdef SEVERAL_SECTIONS
#define PLACE(a, e) ((a)->first + (e))
#else
#define PLACE(a, e) (e)
#endif
/* Nor does the first coefficient alone give the mean where det J varies. */
#if defined(SEVERAL_SECTIONS) || MAP_DEGREE > 0
#define GATHERS_MEANS
#endif

typedef struct {
    scalar *u;                      /* inout: [COMPONENTS][BASIS] per element; coefficients after a stage */
    scalar *records;                /* inout: [FACE_POINTS][TRACE] per record; see store_records */
    const scalar *before;           /* in, shared: [COMPONENTS][BASIS] per element; coefficients before the step */
    const scalar *medium;           /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *measures;         /* in: [FACES] per element */
    const int *neighbours;          /* in: [FACES] per element */
    const int *conditions;          /* in: [1] per boundary face */
    const scalar *boundary_points;  /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    const scalar *turns;            /* in, optional: [2] per record; where VECTORS, see Links */
    const int *links;               /* in: [FACES] per element; see Links */
    const int *boundary_records;    /* in: [1] per boundary face */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element */
    const scalar *basis_integrals;  /* in, optional: [BASIS] per element; read where MAP_DEGREE is not 0 */
    const scalar *map;              /* in: [MAP] per element */
    const scalar *moments;          /* in, optional: [MOMENTS][COMPONENTS] per element; of MOMENT, see
                                     * MomentsArguments */
    const scalar *derivatives;      /* in, optional: [MESH_DERIVATIVES][COMPONENTS] per element of the mesh; of
                                     * MOMENT, where it has several sections: means, see MomentsArguments */
    const scalar *spacing;          /* in, optional: [FACES] per element; of MOMENT on products, where there are several
                                     * sections: the element's length along an axis over the distance of its middle from
                                     * that behind a face */
    const scalar *least;            /* in, optional: [BOUNDED] per element; of all sections, where KEEP_BOUNDS, see
                                     * LeastArguments */
    const int *corners;             /* in, optional: [CORNERS] per element; of MOMENT: the vertex at every corner */
    const int *around;              /* in, optional: [valence] per vertex; of MOMENT: the elements around it */
    const scalar *corner_turns;     /* in, optional: [CORNERS][2] per element; of MOMENT where VECTORS: cosine and sine
                                     * of the angle from the element's frame to that of the vertex */
    const scalar *around_turns;     /* in, optional: [valence][2] per vertex; likewise of the elements around it */
    long long valence;              /* in; the most elements around a vertex */
    const scalar *troubled;         /* in, optional: [1] per element; where there is an INDICATOR: 1 where the limiter
                                     * acts */
    double *clock;                  /* inout: [CLOCK_NUMBERS] */
    scalar *bounds;                 /* out: [1] per element; NaN where the mean is inadmissible */
    const scalar *means;            /* in, optional: [COMPONENTS] per element of the mesh; where
                                     * GATHERS_MEANS */
    long long first;                /* in; see PLACE */
    long long elements;             /* in; the number of elements */
    double c;                       /* in; time of the stage after this one, in steps after the start of the step */
    long long in_step;              /* in; 0 for data that do not come from a step */
} LimitArguments;

#ifdef GATHERS_MEANS
typedef struct {
    const scalar *u;               /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *basis_integrals; /* in, optional: [BASIS] per element */
    scalar *means;                 /* out: [COMPONENTS] per element */
} MeansArguments;

/* The means of a section's elements, for limiters on all sections. */
KERNEL(gather_means, MeansArguments)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        real u[BASIS];
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            u[j] = load(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS));
        }
        store(a->means + at(e, c, COMPONENTS), mean_of(u, a->basis_integrals, e));
    }
}
#endif

/* Points at which the scheme evaluates the solution: those of the faces, then those of the volume. */
#define POINTS (FACES * FACE_POINTS + VOLUME_POINTS)
DEVICE const scalar *basis_at_point(int i)
{
    return i < FACES * FACE_POINTS ? basis_at_face[i] : basis_at_volume[i - FACES * FACE_POINTS];
}
