/* Ghost state at a point of a boundary face: every condition in use is evaluated on the lanes that have it.
 * BOUNDARY_CONDITIONS(X) lists them as X(number, name). The medium goes on behind the boundary as it is there.
 * in: condition (number), u (interior state), n (the body's own normal), x, time */
DEVICE State ghost_state(ints condition, State u, Normal n, Point x, real time)
{
    State ghost = u;
#define GHOST(number, name)                                                                                            \
    {                                                                                                                  \
        const mask here = mask_of(condition == (number));                                                              \
        if (any(here)) {                                                                                               \
            ghost = select_State(here, law_boundary_##name(u, n, x, time), ghost);                                     \
        }                                                                                                              \
    }
    BOUNDARY_CONDITIONS(GHOST)
#undef GHOST
    real field[FIELDS];
    law_fields(field, u);
    law_components(field, ghost);
    return law_state(field);
}

/* The ghost state at point k of a boundary face.
 *     in: conditions, the number of each boundary face's condition; boundary_points; u, the interior state; time */
DEVICE State boundary_trace(const int *conditions, const scalar *boundary_points, ints boundary_face, int k, State u, real time)
{
    const BoundaryPoint point = boundary_point(boundary_points, boundary_face, k);
    return ghost_state(gather_ints(conditions, boundary_face), u, point.normal, point.position, time);
}
