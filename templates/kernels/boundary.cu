/* Ghost state at a point of a boundary face: each condition in use where it holds.
 * BOUNDARY_CONDITIONS(X) lists them as X(number, name).
 * in: condition (number), u (interior state), n (the body's own normal), x, time */
DEVICE State ghost_state(ints condition, State u, Normal n, Point x, real time)
{
    State ghost = u;
#define GHOST(number, name)                                                                                            \
    {                                                                                                                  \
        const mask here = mask_of(condition == (number));                                                              \
        if (any(here)) {                                                                                               \
            ghost = select_State(here, boundary_##name(u, n, x, time), ghost);                                         \
        }                                                                                                              \
    }
    BOUNDARY_CONDITIONS(GHOST)
#undef GHOST
    (void)condition;
    (void)n;
    (void)x;
    (void)time;
    return ghost;
}

/* Where the faces of an element lead. */
typedef struct {
    const scalar *coefficients;    /* of all elements */
    const scalar *normals;         /* [FACES][DIM] unit outward normal, then [FACES] |f| / det J */
    const int *neighbours;         /* [FACES] element * FACES + side, or -1 - boundary face */
    const int *conditions;         /* of every boundary face: the number of its condition */
    const scalar *boundary_normals; /* of every boundary face: [FACE_POINTS][DIM] the body's own normal */
    const scalar *map;             /* [origin: DIM][J: DIM x DIM] */
} Surroundings;

/* The ghost state at point k of face f, where the face lies on a boundary.     in: all */
DEVICE State boundary_trace(const Surroundings *s, long long e, int f, int k, ints boundary_face, State u, real time)
{
    real normal[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        normal[d] = gather(s->boundary_normals, (boundary_face * FACE_POINTS + k) * DIM + d);
    }
    return ghost_state(gather_ints(s->conditions, boundary_face), u, normal_of(normal),
                       position(s->map, e, face_positions[f * FACE_POINTS + k]), time);
}
