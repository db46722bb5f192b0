/* Traces: the solution at the points of the faces, kept beside the coefficients so that a neighbour reads them instead of
 * evaluating them again. They lie in memory as tuples of TRACE numbers, which are COMPONENTS or one more. */
#define TRACES (FACES * FACE_POINTS)

/* The neighbour's values at point k of the shared face, which it runs along from the other end.
 *     in: neighbour, element * FACES + side     out: value */
DEVICE void gather_neighbour_trace(real value[TRACE], const scalar *traces, ints neighbour, int k)
{
    gather_tuple(value, traces, neighbour, FACE_POINTS - 1 - k, FACES, FACE_POINTS, TRACE);
}

/* The element's own value at point i of its faces. */
DEVICE void store_trace(scalar *traces, long long e, int i, State u)
{
    real value[TRACE];
    value[TRACE - 1] = splat(R(0.0));
    components_of_state(value, u);
    store_tuple(traces, e, i, TRACES, value, TRACE);
}

typedef struct {
    const scalar *u; /* in: [COMPONENTS][BASIS] per element; coefficients */
    scalar *traces;  /* out: [TRACES][TRACE] per element */
} TracesArguments;

/* The traces of a solution that no stage has made. */
KERNEL(traces, TracesArguments)
{
    real u[COMPONENTS][BASIS];
    load_coefficients(u, a->u, e);
    for (int i = 0; i < TRACES; ++i) {
        store_trace(a->traces, e, i, evaluate(u, basis_at_face[i]));
    }
}
