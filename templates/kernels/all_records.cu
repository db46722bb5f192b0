/* The records of a solution that does not come from a stage; with ADER those of a mean over the step. */
typedef struct {
    const scalar *u;               /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium;          /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element */
    const scalar *map;             /* in: [MAP] per element */
    scalar *records;               /* out: [FACE_POINTS][TRACE] per record */
    const int *links;              /* in: [FACES] per element; see Links */
    const int *boundary_records;   /* in: [1] per boundary face */
    const int *conditions;         /* in: [1] per boundary face */
    const scalar *boundary_points; /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    const scalar *turns;           /* in, optional: [2] per record; where VECTORS, see Links */
    const double *clock;           /* in: [CLOCK_NUMBERS] */
    double c;                      /* in; time of the solution, in steps after the start of the step; with ADER the
                                    * number of the mean */
} RecordsArguments;

KERNEL(records, RecordsArguments)
{
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points, a->turns};
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, e);
#ifdef ADER
    for (int f = 0; f < FACES; ++f) {
        const ints link = load_ints(a->links + at(e, f, FACES));
        const mask on_rim = not(mask_of(link == LINK_INNER));
        for (int k = 0; k < FACE_POINTS && any(on_rim); ++k) {
            const State state = evaluate(u, basis_at_face[f * FACE_POINTS + k]);
            store_mean_record(a->records, &links, link, k, state, a->clock, (int)a->c, on_rim);
        }
    }
#else
    store_records(a->records, &links, u, a->METRIC_ARRAY, e, splat((scalar)time_at(a->clock, a->c)));
#endif
}
