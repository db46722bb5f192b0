/* The records of a solution that does not come from a stage. */
typedef struct {
    const scalar *u;               /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium;          /* in, optional: [MEDIA] per element; coefficients, see medium.cu */
    scalar *records;               /* out: [FACE_POINTS][TRACE] per record */
    const int *links;              /* in: [FACES] per element; see Links */
    const int *boundary_records;   /* in: [1] per boundary face */
    const int *conditions;         /* in: [1] per boundary face */
    const scalar *boundary_points; /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    const double *clock;           /* in: [CLOCK_NUMBERS] */
    double c;                      /* in; time of the solution, in steps after the start of the step */
} RecordsArguments;

KERNEL(records, RecordsArguments)
{
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points};
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, e);
    store_records(a->records, &links, u, e, splat((scalar)time_at(a->clock, a->c)));
}
