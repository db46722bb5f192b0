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
