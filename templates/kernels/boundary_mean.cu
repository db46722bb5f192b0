#ifdef ADER
/* The mean over the step of the ghost state at point k of a boundary face.     in: u, the mean of the inner state */
DEVICE State mean_boundary_trace(const Links *links, ints boundary_face, int k, State u,
                                 const double clock[CLOCK_NUMBERS])
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
            mean[c] += time_weights[i] * ghost[c];
        }
    }
    return law_state(mean);
}

/* Writes the record of u, the mean over the step of the state at point k of a face: on a boundary the mean of its ghost
 * states.     in: link, live (the lanes whose face has a record)      out: records */
DEVICE void store_mean_record(scalar *records, const Links *links, ints link, int k, State u,
                              const double clock[CLOCK_NUMBERS], mask live)
{
    const mask on_boundary = live & mask_of(link < LINK_INNER);
    State left = u;
    if (any(on_boundary)) {
        const ints boundary_face = select_ints(on_boundary, -2 - link, 0 * link);
        left = select_State(on_boundary, mean_boundary_trace(links, boundary_face, k, u, clock), u);
    }
    put_record(records, links, link, k, left, live);
}
#endif
