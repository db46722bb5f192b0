/* Traces: the solution at the points of the faces, kept beside the coefficients so that a neighbour reads them instead of
 * evaluating them again. They lie in memory as tuples of COMPONENTS, [block][face point] by element. */
#define TRACES (FACES * FACE_POINTS)

/* Where the neighbour keeps its value at point k of the shared face, which it runs along from the other end.
 *     in: neighbour, element * FACES + side */
DEVICE offsets neighbour_trace_at(ints neighbour, int k)
{
    return at_tuple_lanes(neighbour / FACES, neighbour % FACES * FACE_POINTS + (FACE_POINTS - 1 - k), TRACES, COMPONENTS);
}

typedef struct {
    const scalar *u; /* in: coefficients */
    scalar *traces;  /* out */
} TracesArguments;

/* The traces of a solution that no stage has made. */
KERNEL(traces, TracesArguments)
{
    real u[COMPONENTS][BASIS];
    load_coefficients(u, a->u, e);
    for (int i = 0; i < TRACES; ++i) {
        real value[COMPONENTS];
        components_of_state(value, evaluate(u, basis_at_face[i]));
        store_tuple(a->traces + at_tuple(e, i, TRACES, COMPONENTS), value, COMPONENTS);
    }
}
