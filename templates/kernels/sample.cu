/* Values at the Lagrange nodes of an element, for files and pictures. */
typedef struct {
    const scalar *u;   /* in: coefficients */
    const scalar *map; /* in */
    scalar *samples;   /* out: [SAMPLE_POINTS][COMPONENTS + OUTPUTS] of every element */
    double time;       /* in */
} SampleArguments;

KERNEL(sample, SampleArguments)
{
    real u[COMPONENTS][BASIS];
    load_coefficients(u, a->u, e);
    for (int s = 0; s < SAMPLE_POINTS; ++s) {
        const State state = evaluate(u, basis_at_sample[s]);
        real values[COMPONENTS + OUTPUTS];
        components_of_state(values, state);
        outputs(values + COMPONENTS, state, position(a->map, e, sample_points[s]), splat((scalar)a->time));
        for (int c = 0; c < COMPONENTS + OUTPUTS; ++c) {
            store(a->samples + at(e, s * (COMPONENTS + OUTPUTS) + c, SAMPLE_POINTS * (COMPONENTS + OUTPUTS)), values[c]);
        }
    }
}
