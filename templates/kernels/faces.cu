/* The faces of a patch. Each is computed once: shared memory has the traces of the patch's elements, then those of
 * the rim's other sides; the numerical flux overwrites both traces. */

/* The offset of the traces of the rim's other sides among the rows of a component; RIM of them for every point. */
#define RIM_TRACES (FACE_ROWS * ROW)

/* Places among the traces of a patch: those of its elements, then those of the rim's other sides. */
#define TRACE_PLACES (RIM_TRACES + SIDE_VALUES * FACE_POINTS * RIM)

#ifdef __CUDACC__
/* The size of a component's buffer, used in turn for traces and those of the rim, fluxes, volume terms, and new
 * traces. */
#define COMPONENT_NUMBERS LARGER(TRACE_PLACES, SHARED_ROWS * ROW)

/* The traces of a patch: rows of every component, or tuples. */
typedef scalar (*PatchTraces)[COMPONENT_NUMBERS];
#define TRACES_OF(shared) ((shared)->rows)
/* The fields at a point of the rim, by the function of the schedule; and their slopes. */
#define RIM_VALUES(value, of_column, shared, number, k)                                                                \
    UNROLL for (int c = 0; c < COMPONENTS; ++c) (value)[c] = of_column((shared)->rows[c], number, k)
#define RIM_SLOPES(value, slopes, shared, number, k)                                                                   \
    UNROLL for (int c = 0; c < COMPONENTS; ++c) {                                                                      \
        real slope[DIM];                                                                                               \
        (value)[c] = rim_slopes(slope, (shared)->rows[c], number, k);                                                  \
        UNROLL for (int d = 0; d < DIM; ++d) (slopes)[d][c] = slope[d];                                                \
    }
DEVICE void load_traces(real value[COMPONENTS], PatchTraces traces, offsets place)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = gather(traces[c], place);
    }
}
DEVICE void store_traces(PatchTraces traces, offsets place, const real value[COMPONENTS])
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        scatter(traces[c], place, value[c]);
    }
}

/* The rows of groups are those of the patch. */
DEVICE void spread_rows(PatchTraces traces, PatchTraces rows, const Links *links, long long e, int local) {}
DEVICE void collect_rows(PatchTraces rows, PatchTraces traces, int local) {}
#else
#define COMPONENT_NUMBERS (FACE_ROWS * LANES)
typedef scalar *PatchTraces;
#define PATCH_TRACES scalar traces[TRACE_PLACES * TUPLE(COMPONENTS)] __attribute__((aligned(64)))
#define TRACES_OF(shared) ((shared)->traces)
#define RIM_VALUES(value, of_column, shared, number, k)                                                                \
    load_traces(value, (shared)->traces, place_of(number) + TRACE_ROW(0, k) * ROW)
#define RIM_SLOPES(value, slopes, shared, number, k)                                                                   \
    RIM_VALUES(value, , shared, number, k);                                                                            \
    UNROLL for (int d = 0; d < DIM; ++d)                                                                               \
        load_traces((slopes)[d], (shared)->traces, place_of(number) + SLOPE_ROW(d, 0, k) * ROW)
DEVICE void load_traces(real value[COMPONENTS], const scalar *traces, offsets place)
{
    gather_tuples(value, traces, place, COMPONENTS);
}
DEVICE void store_traces(scalar *traces, offsets place, const real value[COMPONENTS])
{
    scatter_tuples(traces, place, value, COMPONENTS);
}

/* Copies the traces of a group from its rows to those of the patch, where links are given of faces on the rim alone. */
DEVICE void spread_rows(scalar *traces, const scalar rows[COMPONENTS][COMPONENT_NUMBERS], const Links *links,
                        long long e, int local)
{
    for (int f = 0; f < FACES; ++f) {
        if (links == 0 || is_on_rim(links, e, f)) {
            for (int i = 0; i < SIDE_VALUES * FACE_POINTS; ++i) {
                const int row = i / FACE_POINTS * TRACES + TRACE_ROW(f, i % FACE_POINTS);
                real value[COMPONENTS];
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    value[c] = load(rows[c] + row * LANES);
                }
                store_tuples(traces + (row * ROW + local) * TUPLE(COMPONENTS), value, COMPONENTS);
            }
        }
    }
}

/* And back, what face_flux has left there. */
DEVICE void collect_rows(scalar rows[COMPONENTS][COMPONENT_NUMBERS], const scalar *traces, int local)
{
    for (int row = 0; row < FACE_ROWS; ++row) {
        real value[COMPONENTS];
        load_tuples(value, traces + (row * ROW + local) * TUPLE(COMPONENTS), COMPONENTS);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            store(rows[c] + row * LANES, value[c]);
        }
    }
}
#endif

/* Faces and records of a patch. */
typedef struct {
    int first_face, faces; /* its faces: the inner ones first, then the rim */
    int first_record, rim; /* its records, one for every face on the rim */
} PatchFaces;

/* in: patches, [first face, first record] of every patch and of one more */
DEVICE PatchFaces faces_of(const int *patches, long long patch)
{
    const int *own = patches + 2 * patch;
    const PatchFaces faces = {own[0], own[2] - own[0], own[1], own[3] - own[1]};
    return faces;
}

/* Prefetches the medium of a patch's elements, of which `first` is the first, and faces. */
DEVICE void ask_for_medium(const scalar *medium, const scalar *face_medium, long long first, PatchFaces faces,
                           int thread)
{
#if MEDIA > 0
    const int of_element = OF_MEDIUM(MEDIUM_BASIS), of_face = 2 * OF_MEDIUM(MEDIUM_POINTS);
    ask_for(medium + first * of_element, PATCH * of_element * sizeof(scalar));
    ask_for(patch_medium(face_medium, faces.first_face, 0), faces.faces * of_face * sizeof(scalar));
#endif
}

#ifdef __CUDACC__
#define TRACE_NUMBER(traces, place, c) (&(traces)[c][place])
#else
#define TRACE_NUMBER(traces, place, c) ((traces) + (place) * TUPLE(COMPONENTS) + (c))
#endif

/* Copies the records of a patch behind its traces.     in: records     out: traces */
DEVICE void take_records(PatchTraces traces, const scalar *records, const PatchFaces *faces, int thread)
{
    records += (long long)faces->first_record * (FACE_POINTS * TRACE);
    EACH_OF_PATCH(i, faces->rim * FACE_POINTS) {
        UNROLL
        for (int v = 0; v < SIDE_VALUES; ++v) {
            const int place = RIM_TRACES + (v * FACE_POINTS + i % FACE_POINTS) * RIM + i / FACE_POINTS;
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                fetch(TRACE_NUMBER(traces, place, c), records + i * TRACE + v * COMPONENTS + c);
            }
        }
    }
}

/* A face in a patch's list packs the numbers of its two sides; the second is FACES * PATCH + record on the rim. */
DEVICE ints number_minus(ints both) { return both & 0xffff; }
DEVICE ints side_minus(ints both) { return place_of(number_minus(both)); }
DEVICE ints side_plus(ints both) { return both >> 16; }

/* The places of the traces of both sides at a point of a face. */
typedef struct {
    mask inner;          /* whether the second side is one of the patch */
    offsets minus, plus;
    offsets slope_plus;  /* how much further each slope of the second side is */
} FaceTraces;

/* Those at point k of face i.     in: list, see side_minus; live, the lanes that have a face */
DEVICE FaceTraces traces_of(const int *list, const PatchFaces *faces, int i, int k, mask live)
{
    const ints both = items_of_lanes(load_ints(list + faces->first_face + i), live);
    const ints minus = side_minus(both), other = side_plus(both);
    const mask inner = mask_of(other < FACES * PATCH);
    const ints plus = select_ints(inner, place_of(other), other - FACES * PATCH + RIM_TRACES);
    const int opposite = FACE_POINTS - 1 - k;
    const FaceTraces traces = {
        inner,
        minus + k * (FACES * ROW),
        plus + select_ints(inner, 0 * plus + opposite * (FACES * ROW), 0 * plus + opposite * RIM),
        select_ints(inner, 0 * plus + TRACES * ROW, 0 * plus + FACE_POINTS * RIM),
    };
    return traces;
}

#ifdef LIFTED_PENALTY
/* The jumps at all points of face i, which face_flux overwrites point by point.
 *     in: patch_traces, list; viscous_faces, see face_flux     out: jumps */
DEVICE void face_jumps(real jumps[FACE_POINTS][COMPONENTS], PatchTraces patch_traces, const int *list,
                       const scalar *viscous_faces, const PatchFaces *faces, int i, mask live)
{
    const real share = load(viscous_faces + (long long)faces->first_face * VISCOUS_FACE + i + faces->faces);
    UNROLL
    for (int k = 0; k < FACE_POINTS; ++k) {
        const FaceTraces traces = traces_of(list, faces, i, k, live);
        real minus[COMPONENTS], plus[COMPONENTS];
        load_traces(minus, patch_traces, traces.minus);
        load_traces(plus, patch_traces, traces.plus);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            jumps[k][c] = share * (minus[c] - plus[c]);
        }
    }
}
#endif

/* Overwrites both traces at point k of face i with the numerical flux, times |f| / det J of each side's element. A
 * non-conservative product is there, too: each side has half of what it is at the jump.
 * Of a viscous flux the slopes on both sides are overwritten with what is tested with gradients, times the same; or,
 * LIFTED, the first of them with half of the jump, or WEIGHTs of it.
 *     in: list, see side_minus; face_geometry; face_medium; viscous_faces, of every patch the numbers of its faces, see
 *     VISCOUS_FACE, one after the other; jumps, those at all points of the face, read if LIFTED_PENALTY; dt
 *     inout: patch_traces
 *     out: bounds, unless null: what bounds the next step at each point, see FACE_BOUNDS, in the places of traces */
DEVICE void face_flux(PatchTraces patch_traces, scalar *bounds, const int *list,
                      const scalar *face_geometry, const scalar *face_medium, const scalar *viscous_faces,
                      const PatchFaces *faces, const real (*jumps)[COMPONENTS], scalar dt, int i, int k, mask live)
{
    const FaceTraces traces = traces_of(list, faces, i, k, live);
    const offsets at_minus = traces.minus, at_plus = traces.plus;
    real left[FIELDS], right[FIELDS], flux[COMPONENTS];
    load_traces(left, patch_traces, at_minus);
    load_traces(right, patch_traces, at_plus);
    const scalar *beside = patch_medium(face_medium, faces->first_face, i);
    patch_face_medium(left + COMPONENTS, beside, faces->faces, 0, k);
    patch_face_medium(right + COMPONENTS, beside, faces->faces, 1, k);
    const scalar *face = patch_face(face_geometry, faces->first_face, i);
    const Normal normal = patch_face_normal(face, faces->faces, k);
    const State inside = law_state(left), outside = law_state(right);
    real speed, product[COMPONENTS];
    law_components(flux, numerical_flux(&speed, product, inside, outside, normal));
    real measures[2];
    UNROLL
    for (int side = 0; side < 2; ++side) {
        measures[side] = patch_face_measure(face, faces->faces, side, k);
    }
    const real scale = FACE_FACTOR(k) * measures[0], opposite = -FACE_FACTOR(k) * measures[1];
#ifdef VISCOUS
    Side sides[2] = {{inside}, {outside}};
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        load_traces(sides[0].slope[d], patch_traces, at_minus + (1 + d) * (TRACES * ROW));
        load_traces(sides[1].slope[d], patch_traces, at_plus + (1 + d) * traces.slope_plus);
    }
    const scalar *viscous_face = viscous_faces + (long long)faces->first_face * VISCOUS_FACE + i;
    real n[DIM], jump[COMPONENTS];
    law_normal_components(n, normal);
    find_jump(jump, inside, outside, load(viscous_face + faces->faces));
#ifdef ONE_SIDED
    const real of_first = load(viscous_face + 2 * faces->faces);
#else
    const real of_first = splat(R(0.5));
#endif
#ifdef LIFTED_PENALTY
    real penalised[COMPONENTS];
    lift_jump(penalised, jumps, viscous_face + FACE_LIFTING * faces->faces, faces->faces, k);
#else
    const real *const penalised = jump;
#endif
    subtract_viscous_flux(flux, &sides[0], &sides[1], n, penalised, load(viscous_face), of_first);
#ifdef LIFTED
    real jump_minus[COMPONENTS], jump_plus[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        jump_minus[c] = WEIGHT(0, of_first) * FACE_FACTOR(k) * jump[c];
        jump_plus[c] = -(WEIGHT(1, of_first) * FACE_FACTOR(k) * jump[c]);
    }
    store_traces(patch_traces, at_minus + TRACES * ROW, jump_minus);
    store_traces(patch_traces, at_plus + traces.slope_plus, jump_plus);
#else
    UNROLL
    for (int side = 0; side < 2; ++side) {
        real of_jump[DIM][COMPONENTS];
        flux_of_jump(of_jump, sides[side].state, jump, n);
        const real share = WEIGHT(side, of_first) * (side == 0 ? -scale : opposite);
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                of_jump[d][c] *= share;
            }
            store_traces(patch_traces,
                         side == 0 ? at_minus + (1 + d) * (TRACES * ROW) : at_plus + (1 + d) * traces.slope_plus,
                         of_jump[d]);
        }
    }
#endif
#endif
    real flux_minus[COMPONENTS], flux_plus[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
#ifdef NONCONSERVATIVE
        flux_minus[c] = scale * (flux[c] + R(0.5) * product[c]);
        flux_plus[c] = opposite * (flux[c] - R(0.5) * product[c]);
#else
        flux_minus[c] = scale * flux[c];
        flux_plus[c] = opposite * flux[c];
#endif
    }
    store_traces(patch_traces, at_minus, flux_minus);
    store_traces(patch_traces, at_plus, flux_plus);
    if (bounds != 0) {
        /* On the rim there is one side. */
        const offsets also = select_ints(traces.inner, at_plus, at_minus);
        real kept[2];
        keep_speed(kept, speed, measures, dt);
        scatter(bounds, also, kept[1]);
        scatter(bounds, at_minus, kept[0]);
#ifdef VISCOUS
        const real most = largest_or_nan(diffusivity(inside, normal), diffusivity(outside, normal));
        scatter(bounds, at_minus + TRACES * ROW, most);
        scatter(bounds, also + TRACES * ROW, most);
#endif
    }
}

/* The shared memory of a patch. */
typedef struct {
    scalar rows[COMPONENTS][COMPONENT_NUMBERS];
#ifndef __CUDACC__
    PATCH_TRACES;
#endif
    /* What bounds the next step at every point of a face; or, in the first rows, the members' parts of the error. */
    scalar found[LARGER(FACE_BOUNDS * TRACES, TEAM) * ROW];
    /* The first coefficients of the patch's elements, which their means are made from. */
    scalar first_coefficients[COMPONENTS][ROW];
#ifndef __CUDACC__
    /* The terms of a group at the points of the volume. */
    scalar terms[COMPONENTS][VOLUME_ROWS * GROUP_ROW];
#endif
} StageShared;
