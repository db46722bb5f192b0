/* The surface term of component c.     in: metric, shared, local     inout: u     out: r */
#ifdef LIFTED
#define FACE_TERM(c)                                                                                                   \
    column_from_jumps(&u[COLUMN(c)].slopes, r[COLUMN(c)].v, u[COLUMN(c)].v, ROWS_OF(c))
#elif defined(VISCOUS)
#define FACE_TERM(c)                                                                                                   \
    project_faces(&r[COLUMN(c)], ROWS_OF(c));                                                             \
    column_from_face_slopes(r[COLUMN(c)].v, ROWS_OF(c), metric)
#else
#define FACE_TERM(c) project_faces(&r[COLUMN(c)], ROWS_OF(c))
#endif

/* One stage on a patch: first the traces of its elements; then the numerical fluxes, each face once; then, element
 * by element, surface and volume terms and the update; last the records that other patches read. */
KERNEL_PATCH(stage, StageArguments, StageShared)
{
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points, a->turns};
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    const long long first = patch * PATCH;
    scalar *const bounds = a->bound_next != 0 && !HAS_TOLERANCE ? shared->found : 0;
    Column u[COLUMNS];
    ColumnSum r[COLUMNS];

    EACH_GROUP(local) {
        EACH_COMPONENT(c) {
            EARLY(load_column(&u[COLUMN(c)], a->u, first + local, c));
        }
    }
    const PatchFaces faces = faces_of(a->patches, patch);
    take_records(TRACES_OF(shared), a->records, &faces, thread);
    ask_for(a->faces + faces.first_face, faces.faces * sizeof(int));
    ask_for(patch_face(a->face_geometry, faces.first_face, 0), faces.faces * FACE_GEOMETRY * sizeof(scalar));
#if MAP_DEGREE > 0
    ask_for(a->map + first * MAP, PATCH * MAP * sizeof(scalar));
    ask_for(a->inverse_mass + first * MASS, PATCH * MASS * sizeof(scalar));
#else
    ask_for(a->inverse_jacobian + first * METRIC_TERMS, PATCH * METRIC_TERMS * sizeof(scalar));
#endif
    ask_for(a->rim_links + faces.first_record, faces.rim * sizeof(int));
    ask_for_medium(a->medium, a->face_medium, first, faces, thread);
    EACH_GROUP(local) {
#ifdef VISCOUS
        Metric metric[WIDTH];
        load_metrics(metric, a->METRIC_ARRAY, first + local);
#endif
        EACH_COMPONENT(c) {
            AGAIN(load_column(&u[COLUMN(c)], a->u, first + local, c));
            interpolate_to_faces(ROWS_OF(c), &u[COLUMN(c)]);
            keep_first(shared->first_coefficients[c] + local, &u[COLUMN(c)]);
#ifdef VISCOUS
            column_slopes_to_faces(ROWS_OF(c), u[COLUMN(c)].v, metric);
#endif
        }
        spread_rows(TRACES_OF(shared), shared->rows, 0, first + local, local);
    }
    FETCHED;
    BARRIER;

#ifdef LIFTED_PENALTY
    EACH_FACE_OF_PATCH(i, faces.faces) {
        const mask live = IS_ITEM(i, 0, faces.faces);
        real jumps[FACE_POINTS][COMPONENTS];
        face_jumps(jumps, TRACES_OF(shared), a->faces, a->viscous_faces, &faces, i, live);
        NO_UNROLL
        for (int k = 0; k < FACE_POINTS; ++k) {
            face_flux(TRACES_OF(shared), bounds, a->faces, a->face_geometry, a->face_medium, a->viscous_faces, &faces,
                      jumps, dt, i, k, live);
        }
    }
#else
    EACH_POINT(i, k, 0, faces.faces) {
        const mask live = IS_ITEM(i, 0, faces.faces);
        face_flux(TRACES_OF(shared), bounds, a->faces, a->face_geometry, a->face_medium, a->viscous_faces, &faces, 0,
                  dt, i, k, live);
    }
#endif
    BARRIER;

    EACH_GROUP(local) {
        const long long e = first + local;
        collect_rows(shared->rows, TRACES_OF(shared), local);
#if defined(VISCOUS) && !defined(LIFTED)
        Metric metric[WIDTH];
        load_metrics(metric, a->METRIC_ARRAY, e);
#endif
#ifndef ONE_COLUMN
        EACH_COMPONENT(c) {
            prefetch_update(a, at(e, c * BASIS, COMPONENTS * BASIS), BASIS);
            AGAIN(load_column(&u[COLUMN(c)], a->u, e, c));
            FACE_TERM(c);
        }
#endif
        add_volume_term(r, u, a, shared, e, local, thread);
#if MAP_DEGREE > 0
        Mass mass;
        load_mass(&mass, a->map, a->inverse_mass, e);
#endif
        wide error = wide_of(R(0.0));
        EACH_COMPONENT(c) {
#ifdef ONE_COLUMN
            FACE_TERM(c);
            project_volume(&r[COLUMN(c)], shared->terms[c], 0, HAS_OTHER_TERMS(c));
#endif
#if MAP_DEGREE > 0
            divide_by_mass(r[COLUMN(c)].v, &mass);
#endif
            update_column(&u[COLUMN(c)], &r[COLUMN(c)], &error, a, e, c, dt, ROWS_OF(c));
#ifdef VISCOUS
            Metric metric_of_rim[WIDTH];
            load_metrics(metric_of_rim, a->METRIC_ARRAY, e);
            keep_slopes_for_rim(ROWS_OF(c), u[COLUMN(c)].v, metric_of_rim);
#else
            keep_for_rim(ROWS_OF(c), &u[COLUMN(c)], &links, e);
#endif
        }
        spread_rows(TRACES_OF(shared), shared->rows, &links, e, local);
        if (HAS_TOLERANCE && TEAM > 1 && a->bound_next != 0) {
            store_wide(shared->found + MEMBER * ROW + local, STRIDE, error);
            BARRIER;
            UNROLL
            for (int m = 1; m < TEAM; ++m) {
                error += load_wide(shared->found + m % TEAM * ROW + local, STRIDE);
            }
        }
        if (a->bound_next != 0 && dt > 0 && MEMBER == 0) {
#ifdef __CUDACC__
            scalar of_thread = R(0.0);
#endif
            EACH_ELEMENT(w) {
                real at_faces[FACE_BOUNDS][FACES];
                UNROLL
                for (int i = 0; i < FACE_BOUNDS; ++i) {
                    UNROLL
                    for (int f = 0; f < FACES; ++f) {
                        at_faces[i][f] = splat(R(0.0));
                    }
                }
                NO_UNROLL
                for (int k = 0; k < FACE_POINTS; ++k) {
                    UNROLL
                    for (int i = 0; i < FACE_BOUNDS; ++i) {
                        UNROLL
                        for (int f = 0; f < FACES; ++f) {
                            const scalar *found = shared->found + (i * TRACES + TRACE_ROW(f, k)) * ROW + local
                                + w * STRIDE;
                            at_faces[i][f] = largest_or_nan(load(found), at_faces[i][f]);
                        }
                    }
                }
#if defined(WAVES_BETWEEN) && ORDER > 0
                if (!HAS_TOLERANCE) {
                    real coefficients[FIELDS][BASIS];
                    load_coefficients(coefficients, a->u, a->medium, e + w * STRIDE);
                    add_speeds_within(at_faces[0], coefficients, a->METRIC_ARRAY, e + w * STRIDE);
                }
#endif
                const real bound = keep_bound(a, shared->first_coefficients, e + w * STRIDE, local + w * STRIDE,
                                              at_faces, part(error, w), dt);
#ifdef __CUDACC__
                of_thread = e + w * STRIDE < a->elements ? both_bounds(of_thread, bound) : of_thread;
#endif
            }
#ifdef __CUDACC__
            keep_bound_of_warp(a, of_thread, patch, thread);
#endif
        }
    }
#if !defined(ADER) && !defined(IMPLICIT_SOURCE)
    BARRIER;

    const real time = splat((scalar)time_at(a->clock, a->c_next));
    const int inner = faces.faces - faces.rim;
    EACH_POINT(i, k, inner, faces.rim) {
        const mask live = IS_ITEM(i, inner, faces.rim);
        const ints number = number_minus(load_ints(a->faces + faces.first_face + i));
        real value[FIELDS];
        patch_face_medium(value + COMPONENTS, patch_medium(a->face_medium, faces.first_face, i), faces.faces, 0, k);
        const ints link = load_ints(a->rim_links + faces.first_record + (i - inner));
#ifdef VISCOUS
        Side side;
        RIM_SLOPES(value, side.slope, shared, number, k);
        side.state = law_state(value);
        store_record(a->records_next, &links, link, k, side, time, live);
#else
        RIM_VALUES(value, rim_value, shared, number, k);
        store_record(a->records_next, &links, link, k, law_state(value), time, live);
#endif
    }
#endif
}
