/* One stage on a patch. The traces of its elements come first; then the numerical fluxes, each face once; then, element by element,
 * surface and volume terms and the update; last the records that other patches will read. */
KERNEL_PATCH(stage, StageArguments, StageShared)
{
    const Links links = {a->links, a->boundary_records, a->conditions, a->boundary_points};
    const PatchFaces faces = faces_of(a->patches, patch);
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    const long long first = patch * PATCH;
    Column u[OWNED];
    ColumnSum r[OWNED];

    take_records(shared->rows, a->records, &faces, thread);
    EACH_GROUP(local) {
        EACH_COMPONENT(c) {
            load_column(&u[OWN(c)], a->u, first + local, c);
            interpolate_to_faces(shared->rows[c] + local, &u[OWN(c)]);
        }
        EACH_MINE(f, FACES) {
            store(shared->found + f * ROW + local, splat(R(0.0)));
        }
    }
    BARRIER;

    scalar *const fastest = a->bound_next != 0 && !HAS_TOLERANCE ? shared->found : 0;
    EACH_POINT(i, k, 0, faces.faces) {
        face_flux(shared->rows, fastest, a->faces, a->face_geometry, &faces, i, k, IS_ITEM(i, 0, faces.faces));
    }
    BARRIER;

    EACH_GROUP(local) {
        const long long e = first + local;
        EACH_COMPONENT(c) {
            prefetch_update(a, at(e, c * BASIS, COMPONENTS * BASIS), BASIS);
            AGAIN(load_column(&u[OWN(c)], a->u, e, c));
            clear_column(&r[OWN(c)]);
            project_faces(&r[OWN(c)], shared->rows[c] + local);
        }
        add_volume_term(r, u, a, shared, e, local, thread);
        real error = splat(R(0.0));
        real lambda[FACES];
        UNROLL
        for (int f = 0; f < FACES; ++f) {
            lambda[f] = load(shared->found + f * ROW + local);
        }
        EACH_COMPONENT(c) {
            update_column(&u[OWN(c)], &r[OWN(c)], &error, a, e, c, dt, shared->rows[c] + local);
            interpolate_to_rim(shared->rows[c] + local, &u[OWN(c)], &links, e);
        }
        if (TEAM > 1 && estimates(a)) {
            store(shared->found + MEMBER * ROW + local, error);
            BARRIER;
            UNROLL
            for (int m = 1; m < TEAM; ++m) {
                error += load(shared->found + m % TEAM * ROW + local);
            }
        }
        if (a->bound_next != 0 && dt > 0 && MEMBER == 0) {
            keep_bound(a, e, lambda, error);
        }
    }
    BARRIER;

    const real time = splat((scalar)time_at(a->clock, a->c_next));
    const int inner = faces.faces - faces.rim;
    EACH_POINT(i, k, inner, faces.rim) {
        const mask live = IS_ITEM(i, inner, faces.rim);
        const ints minus = side_minus(load_ints(a->faces + faces.first_face + i));
        real value[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            value[c] = gather(shared->rows[c], minus + k * (FACES * ROW));
        }
        const ints link = load_ints(a->rim_links + faces.first_record + (i - inner));
        store_record(a->records_next, &links, link, k, law_state(value), time, live);
    }
}
