/* Values at the Lagrange nodes of an element, for files and pictures. */
typedef struct {
    const scalar *u;   /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium; /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *map; /* in: [MAP] per element */
    const scalar *basis_integrals; /* in, optional: [BASIS] per element; read where MAP_DEGREE is not 0 */
    scalar *samples;   /* out: [SAMPLE_POINTS][FIELDS + OUTPUTS] per element */
    double time;       /* in */
} SampleArguments;

#if ADMISSIBLE > 0 && ORDER > 0
/* Steps keep states admissible at the points of the scheme, which the nodes are not. Where a node's state is
 * inadmissible and the mean is admissible, the element is shown with less variation about it.
 *     inout: u     in: basis_integrals */
DEVICE void make_nodes_admissible(real u[FIELDS][BASIS], const scalar *basis_integrals, long long e)
{
    mask fine = everywhere();
    NO_UNROLL
    for (int s = 0; s < SAMPLE_POINTS; ++s) {
        fine = fine & law_is_admissible(evaluate(u, basis_at_sample[s]));
    }
    const State at_mean = mean_state(u, basis_integrals, e);
    const mask mendable = not(fine) & law_is_admissible(at_mean);
    if (!any(mendable)) {
        return;
    }
    real mean[FIELDS], bound[ADMISSIBLE];
    find_bound(mean, bound, at_mean);
    real share = share_within(splat(R(1.0)), u, basis_at_sample, SAMPLE_POINTS, mean, bound);
    share = share_or_none(share, u, basis_at_sample, SAMPLE_POINTS, mean, bound);
    scale_variation(u, select(mendable, share, splat(R(1.0))));
#if MAP_DEGREE > 0
    restore_mean(u, mean, mendable, basis_integrals, e);
#endif
}
#endif

KERNEL(sample, SampleArguments)
{
    Sampled sampled;
    load_coefficients(sampled.u, a->u, a->medium, e);
#if ADMISSIBLE > 0 && ORDER > 0
    make_nodes_admissible(sampled.u, a->basis_integrals, e);
#endif
    find_slopes(&sampled);
    for (int s = 0; s < SAMPLE_POINTS; ++s) {
        const Sample sample = sample_at(&sampled, basis_at_sample[s], a->map, e, sample_points[s]);
        real values[FIELDS + OUTPUTS];
        law_fields(values, sample.state);
        law_outputs(values + FIELDS, sample, position(a->map, e, sample_points[s]), splat((scalar)a->time));
        for (int c = 0; c < FIELDS + OUTPUTS; ++c) {
            store(a->samples + at(e, s * (FIELDS + OUTPUTS) + c, SAMPLE_POINTS * (FIELDS + OUTPUTS)), values[c]);
        }
    }
}
