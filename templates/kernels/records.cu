/* Records: the states on the other side of a face on the rim of a patch, FACE_POINTS tuples of TRACE numbers. The
 * neighbour writes them in its own order, which runs along the face from the other end; on a boundary the element
 * itself writes the ghost states. A patch's records lie together. */

/* The records that faces write, and the data of boundary faces. */
typedef struct {
    const int *links;               /* [FACES] the record that the face's trace is written to; -1 where the neighbour is
                                     * in the same patch; -2 - boundary face */
    const int *boundary_records;    /* of every boundary face: its record */
    const int *conditions;          /* of every boundary face: the number of its condition */
    const scalar *boundary_points;  /* see geometry.cu */
    const scalar *turns;            /* of every record: cosine and sine, see turn */
} Links;

#define LINK_INNER (-1)

/* Whether face f of an element of group e is on the rim of its patch. */
DEVICE int is_on_rim(const Links *links, long long e, int f)
{
    return any(not(mask_of(load_ints(links->links + at(e, f, FACES)) == LINK_INNER)));
}

#ifdef VISCOUS
DEVICE void side_values(real value[TRACE], const Side *side)
{
    law_components(value, side->state);
    UNROLL
    for (int i = 0; i < DIM * COMPONENTS; ++i) {
        value[COMPONENTS + i] = side->slope[i / COMPONENTS][i % COMPONENTS];
    }
}

DEVICE Side select_Side(mask here, Side a, Side b)
{
    Side chosen = a;
    chosen.state = select_State(here, a.state, b.state);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            chosen.slope[d][c] = select(here, a.slope[d][c], b.slope[d][c]);
        }
    }
    return chosen;
}
#else
DEVICE void side_values(real value[TRACE], const State *side) { law_components(value, *side); }
#define select_Side select_State
#endif

#ifdef VECTORS
/* Turns the vectors among the components of a state or of its change: VECTORS(X) has their components along x and
 * y. */
DEVICE void turn(real v[COMPONENTS], real cosine, real sine)
{
#define TURN(x, y)                                                                                                     \
    {                                                                                                                  \
        const real along_x = cosine * v[x] - sine * v[y];                                                              \
        v[y] = sine * v[x] + cosine * v[y];                                                                            \
        v[x] = along_x;                                                                                                \
    }
    VECTORS(TURN)
#undef TURN
}

/* Turns what a record of a face holds into the frame of the element that reads it.     inout: value */
DEVICE void turn_record(real value[TRACE], const scalar *turns, ints record)
{
    const real cosine = gather(turns, 2 * record), sine = gather(turns, 2 * record + 1);
    turn(value, cosine, sine);
#ifdef VISCOUS
    real *const along_x = value + COMPONENTS, *const along_y = along_x + COMPONENTS;
    turn(along_x, cosine, sine);
    turn(along_y, cosine, sine);
    for (int c = 0; c < COMPONENTS; ++c) {
        const real slope = cosine * along_x[c] - sine * along_y[c];
        along_y[c] = sine * along_x[c] + cosine * along_y[c];
        along_x[c] = slope;
    }
#endif
}

/* Turns the state behind face f into the frame of the element: back from the frame of that behind.     inout: value */
DEVICE void turn_back(real value[COMPONENTS], const int *links, const scalar *turns, long long e, int f)
{
    const ints link = load_ints(links + at(e, f, FACES));
    const mask on_rim = mask_of(link >= 0);
    const ints record = select_ints(on_rim, link, 0 * link);
    turn(value, select(on_rim, gather(turns, 2 * record), splat(R(1.0))),
         select(on_rim, -gather(turns, 2 * record + 1), splat(R(0.0))));
}
#endif

/* Writes a state at point k of a face to the record of its link: on a boundary a ghost state.
 *     in: link, left (the state), live (the lanes whose face has a record)      out: records */
DEVICE void put_record(scalar *records, const Links *links, ints link, int k, Side left, mask live)
{
    const mask on_boundary = live & mask_of(link < LINK_INNER);
    ints record = link;
    if (any(on_boundary)) {
        /* The face reads its own record from the other end. */
        const ints boundary_face = select_ints(on_boundary, -2 - link, 0 * link);
        record = select_ints(on_boundary, gather_ints(links->boundary_records, boundary_face), link);
    }
    real value[TRACE];
    value[TRACE - 1] = splat(R(0.0));
    side_values(value, &left);
#ifdef VECTORS
    turn_record(value, links->turns, select_ints(live, record, 0 * record));
#endif
    scatter_tuple(records,
                  select_ints(on_boundary, record * FACE_POINTS + (FACE_POINTS - 1 - k), record * FACE_POINTS + k),
                  value,
                  TRACE, live);
}

/* Writes the record of the state u at point k of a face: on a boundary its ghost state.     in: link, u, time, live */
DEVICE void store_record(scalar *records, const Links *links, ints link, int k, Side u, real time, mask live)
{
    const mask on_boundary = live & mask_of(link < LINK_INNER);
    Side left = u;
    if (any(on_boundary)) {
        const ints boundary_face = select_ints(on_boundary, -2 - link, 0 * link);
        left = select_Side(on_boundary,
                           boundary_side(links->conditions, links->boundary_points, boundary_face, k, &u, time), u);
    }
    put_record(records, links, link, k, left, live);
}

/* Writes the records of those faces of an element that are on the rim.
 *     in: u, metric_array, time     out: records */
DEVICE void store_records(scalar *records, const Links *links, const real u[FIELDS][BASIS], const scalar *metric_array,
                          long long e, real time)
{
#ifdef VISCOUS
    Metric metric;
    load_metric(&metric, metric_array, e);
#endif
    for (int f = 0; f < FACES; ++f) {
        const ints link = load_ints(links->links + at(e, f, FACES));
        const mask on_rim = not(mask_of(link == LINK_INNER));
        if (any(on_rim)) {
            for (int k = 0; k < FACE_POINTS; ++k) {
#ifdef VISCOUS
                Side side;
                side.state = evaluate(u, basis_at_face[f * FACE_POINTS + k]);
                evaluate_slopes(side.slope, u, &metric, f * FACE_POINTS + k);
                store_record(records, links, link, k, side, time, on_rim);
#else
                store_record(records, links, link, k, evaluate(u, basis_at_face[f * FACE_POINTS + k]), time, on_rim);
#endif
            }
        }
    }
}
