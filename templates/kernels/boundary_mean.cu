/* Means over a step. That of number n has the density (n + 1) (1 - s / dt)^n, s the time since the start of the step:
 * u' = R gives
 *
 *   mean_n(u) = u^n + dt / (n + 2) mean_(n + 1)(R),
 *
 * and mean_0 is the mean that ADER's step takes. */
#ifdef ADER
/* The weight of point i of the quadrature in mean number n. */
DEVICE scalar mean_weight(int i, int n)
{
    scalar weight = (scalar)(n + 1) * time_weights[i];
    for (int m = 0; m < n; ++m) {
        weight *= R(1.0) - time_points[i];
    }
    return weight;
}

/* Mean n over the step of the ghost state at point k of a boundary face.     in: u, that mean of the inner state */
DEVICE State mean_boundary_trace(const Links *links, ints boundary_face, int k, State u,
                                 const double clock[CLOCK_NUMBERS], int n)
{
    real mean[FIELDS];
    law_fields(mean, u);
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = splat(R(0.0));
    }
    NO_UNROLL
    for (int i = 0; i < TIME_POINTS; ++i) {
        const real time = splat((scalar)time_at(clock, time_points[i]));
        real ghost[COMPONENTS];
        law_components(ghost, boundary_trace(links->conditions, links->boundary_points, boundary_face, k, u, time));
        for (int c = 0; c < COMPONENTS; ++c) {
            mean[c] += mean_weight(i, n) * ghost[c];
        }
    }
    return law_state(mean);
}

/* Writes the record of u, mean n over the step of the state at point k of a face: on a boundary that mean of its ghost
 * states.     in: link, live (the lanes whose face has a record)      out: records */
DEVICE void store_mean_record(scalar *records, const Links *links, ints link, int k, State u,
                              const double clock[CLOCK_NUMBERS], int n, mask live)
{
    const mask on_boundary = live & mask_of(link < LINK_INNER);
    State left = u;
    if (any(on_boundary)) {
        const ints boundary_face = select_ints(on_boundary, -2 - link, 0 * link);
        left = select_State(on_boundary, mean_boundary_trace(links, boundary_face, k, u, clock, n), u);
    }
    put_record(records, links, link, k, left, live);
}
#endif
