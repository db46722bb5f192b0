/* Applies the case's limiter and positivity to the solution after a stage. An inadmissible mean cannot be repaired:
 * the step is then rejected. */
KERNEL_BACKWARDS(limit, LimitArguments)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, e);
    const mask broken = not(law_is_admissible(mean_state(u, a->basis_integrals, e)))
        & mask_of(lane_numbers(e) < (int)a->elements);
    mask changed = nowhere();
#if ORDER > 0
#if LIMITER != NO_LIMITER
    const real time = splat((scalar)(a->clock[CLOCK_TIME] + a->c * a->clock[CLOCK_DT]));
#ifdef INDICATOR
    const mask troubled = load(a->troubled + e) > R(0.0);
#else
    const mask troubled = everywhere();
#endif
    if (any(troubled)) {
#if MAP_DEGREE > 0
        real mean[FIELDS];
        law_fields(mean, mean_state(u, a->basis_integrals, e));
#endif
#if LIMITER != FILTER
        changed = changed | limit_variation(u, troubled, a, e, time);
#if MAP_DEGREE > 0
        restore_mean(u, mean, changed, a->basis_integrals, e);
#endif
#endif
#if KEEP_BOUNDS
        changed = changed | filter_variation(u, troubled, a, e, time);
#if MAP_DEGREE > 0
        restore_mean(u, mean, changed, a->basis_integrals, e);
#endif
#endif
    }
#endif
#if POSITIVITY
    changed = changed | keep_positive(u, a, e);
#endif
#endif
    /* All stores come after this, so that no load waits for a store. A step of length zero changes nothing. */
    if (a->in_step != 0 && !(dt > 0)) {
        return;
    }
    if (any(broken)) {
        /* Every thread writes the same value, so that the race is harmless. */
        a->clock[CLOCK_BROKEN] = 1.0;
        store(a->bounds + e, select(broken, splat(R(0.0) / R(0.0)), load(a->bounds + e)));
    }
    if (!any(changed)) {
        return;
    }
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = MAP_DEGREE > 0 ? 0 : 1; j < BASIS; ++j) {
            store(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS), u[c][j]);
        }
    }
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points, a->turns};
    store_records(a->records, &links, u, a->METRIC_ARRAY, e, splat((scalar)time_at(a->clock, a->c)));
}
