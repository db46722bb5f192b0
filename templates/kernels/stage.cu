/* One stage: a thread, or a lane, has the whole of an element to itself. */
KERNEL_STAGE(stage, StageArguments)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    const real time = splat((scalar)(a->clock[CLOCK_TIME] + a->c * a->clock[CLOCK_DT]));
    const Surroundings surroundings = {a->u,          a->normals,          a->neighbours,
                                       a->conditions, a->boundary_normals, a->map};
    real u[COMPONENTS][BASIS];
    load_coefficients(u, a->u, e);

    real r[COMPONENTS][BASIS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            r[c][j] = splat(R(0.0));
        }
    }
    prefetch_update(a, at(e, 0, COMPONENTS * BASIS), COMPONENTS * BASIS);
    real lambda[FACES];
    add_volume_term(r, u, a->inverse_jacobian, a->map, e, time);
    add_surface_term(r, lambda, u, &surroundings, e, time);
    real error = splat(R(0.0));
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        const scalar weight = error_weight(a, c);
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            update(&u[c][j], &r[c][j], &error, a, at(e, c * BASIS + j, COMPONENTS * BASIS), weight, dt);
        }
    }
    if (a->bound_next != 0 && dt > 0) {
        keep_bound(a, e, lambda, error);
    }
    store_coefficients(a->u_next, u, e);
    if (uses_g(a)) {
        store_coefficients(a->g, r, e);
    }
}
