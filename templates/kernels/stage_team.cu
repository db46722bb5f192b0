/* One stage by a team: every member has one component of an element, and its share of the points.
 *
 * The numerical fluxes come first, from traces alone; the volume term follows, VOLUME_CHUNK points at a time; last the
 * update and the traces of the new solution. */
typedef struct {
    shared_real face[COMPONENTS][FACE_ROWS];     /* flux times |f| / det J, then new traces */
    shared_real volume[COMPONENTS][VOLUME_ROWS]; /* state, then TERMS */
    shared_real bounds[FACES][TEAM];             /* the largest wave speed that a member has met at a face; or, in the
                                                  * first row, its part of the error */
} StageShared;

/* The numerical flux at point i of the faces, times |f| / det J.     in: a, time     out: flux, the wave speed there */
DEVICE void face_flux(real flux[COMPONENTS], real *speed, const StageArguments *a, long long e, int i, real time)
{
    const Surroundings s = {a->u, a->normals, a->neighbours, a->conditions, a->boundary_normals, a->map};
    const int f = i / FACE_POINTS, k = i % FACE_POINTS;
    const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
    const mask on_boundary = mask_of(neighbour < 0);
    const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
    real inside[TRACE], outside[TRACE], n[DIM];
    gather_neighbour_trace(outside, a->traces, inner, k);
    load_tuple(inside, a->traces, e, i, TRACES, TRACE);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        n[d] = load(a->normals + at(e, f * DIM + d, FACES * (DIM + 1)));
    }
    const Normal normal = normal_of(n);
    const State minus = state_of(inside);
    State plus = state_of(outside);
    if (any(on_boundary)) {
        const ints boundary_face = select_ints(on_boundary, -1 - neighbour, 0 * neighbour);
        plus = select_State(on_boundary, boundary_trace(&s, e, f, k, boundary_face, minus, time), plus);
    }
    *speed = face_speed(minus, plus, normal);
    components_of_state(flux, NUMERICAL_FLUX(minus, plus, normal, *speed));
    const real scale = load(a->normals + at(e, FACES * DIM + f, FACES * (DIM + 1)));
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        flux[c] *= scale;
    }
}

KERNEL_TEAM(stage, StageArguments, StageShared)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    const real time = splat((scalar)(a->clock[CLOCK_TIME] + a->c * a->clock[CLOCK_DT]));
    Column u[OWNED];
    ColumnSum r[OWNED];

    EACH_COMPONENT(c) {
        clear_padding(shared->face[c], shared->volume[c], LANE);
    }
    prefetch_tuples(a->traces, e, TRACES, TRACE);
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        MINE(shared->bounds[f][MEMBER]) = splat(R(0.0));
    }
    EACH(i, TRACES) {
        real flux[COMPONENTS], speed;
        face_flux(flux, &speed, a, e, i, time);
        if (a->bound_next != 0 && !HAS_TOLERANCE) {
            shared_real *fastest = &shared->bounds[i / FACE_POINTS][MEMBER];
            MINE(*fastest) = largest_or_nan(MINE(*fastest), speed);
        }
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            MINE(shared->face[c][i]) = flux[c];
        }
    }

    real inverse[DIM][DIM];
    load_inverse_jacobian(inverse, a->inverse_jacobian, e);
    EACH_COMPONENT(c) {
        prefetch_update(a, at(e, c * BASIS, COMPONENTS * BASIS), BASIS);
        load_column(&u[OWN(c)], a->u, e, c, LANE);
        clear_column(&r[OWN(c)]);
    }
    UNROLL_CHUNKS
    for (int first = 0; first < VOLUME_POINTS; first += VOLUME_CHUNK) {
        EACH_COMPONENT(c) {
            interpolate_to_volume(shared->volume[c], &u[OWN(c)], first, LANE);
        }
        BARRIER;
        EACH(q, VOLUME_CHUNK) {
            if (first + q < VOLUME_POINTS) {
                real value[COMPONENTS], reference[DIM][COMPONENTS];
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    value[c] = MINE(shared->volume[c][q * TERMS]);
                }
                const State state = state_of(value);
                reference_flux(reference, state, inverse);
                UNROLL
                for (int d = 0; d < DIM; ++d) {
                    UNROLL
                    for (int c = 0; c < COMPONENTS; ++c) {
                        MINE(shared->volume[c][q * TERMS + d]) = reference[d][c];
                    }
                }
#ifdef SOURCE
                components_of_state(value, source_term(state, position(a->map, e, volume_points[first + q]), time));
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    MINE(shared->volume[c][q * TERMS + DIM]) = value[c];
                }
#endif
            }
        }
        if (first == 0) {
            EACH_COMPONENT(c) {
                project_faces(&r[OWN(c)], shared->face[c], LANE);
            }
        }
        BARRIER;
        EACH_COMPONENT(c) {
            project_volume(&r[OWN(c)], shared->volume[c], first, LANE);
        }
    }

    real error = splat(R(0.0));
    EACH_COMPONENT(c) {
        update_column(&u[OWN(c)], &r[OWN(c)], &error, a, e, c, dt, shared->face[c], LANE);
        interpolate_to_faces(shared->face[c], &u[OWN(c)], LANE);
    }
    if (estimates(a)) {
        MINE(shared->bounds[0][MEMBER]) = error;
    }
    BARRIER;
    EACH(i, TRACES) {
        real value[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            value[c] = MINE(shared->face[c][i]);
        }
        store_trace(a->traces_next, e, i, state_of(value));
    }
    if (a->bound_next != 0 && dt > 0 && MEMBER == 0) {
        real lambda[FACES];
        UNROLL
        for (int f = 0; f < FACES; ++f) {
            lambda[f] = MINE(shared->bounds[f][0]);
            UNROLL
            for (int m = 1; m < TEAM; ++m) {
                lambda[f] = largest_or_nan(lambda[f], MINE(shared->bounds[f][m]));
            }
        }
        UNROLL
        for (int m = 1; m < TEAM; ++m) {
            error += MINE(shared->bounds[0][m]);
        }
        keep_bound(a, e, lambda, error);
    }
}
