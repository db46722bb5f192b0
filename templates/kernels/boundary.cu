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

#ifdef VISCOUS
/* What is behind a boundary, see ghost_state. Where the ghost state w depends on the inner one, its slopes are those of
 * the mirror image: with D = dw/du, D mirrored + (1 - D^2) inner ones, so that components with D = -1, given by their
 * mean, keep their slope along the normal, and those with D = 1 have none. The image is one in the plane of the
 * boundary or, where law_boundary_sign_NAME is -1, in a point, which turns slopes along the boundary round, too.
 * Otherwise they are the inner slopes. BOUNDARY_MIRRORS(X) lists those conditions. BOUNDARY_FLUXES(X) lists those that
 * impose a viscous flux: the flux of the mirror image cancels that of the inner side, whose half the numerical flux
 * takes, and behind them are slopes along the normal that make up for twice the imposed one. */
DEVICE Side ghost_side(ints condition, const Side *u, Normal normal, Point x, real time)
{
    Side ghost = *u;
    ghost.state = ghost_state(condition, u->state, normal, x, time);
#define MIRROR(number, name)                                                                                           \
    {                                                                                                                  \
        const mask here = mask_of(condition == (number));                                                              \
        if (any(here)) {                                                                                               \
            real n[DIM], across[COMPONENTS];                                                                           \
            law_normal_components(n, normal);                                                                          \
            const real sign = law_boundary_sign_##name(x, time);                                                       \
            for (int c = 0; c < COMPONENTS; ++c) {                                                                     \
                across[c] = n[0] * u->slope[0][c];                                                                     \
                for (int d = 1; d < DIM; ++d) {                                                                        \
                    across[c] += n[d] * u->slope[d][c];                                                                \
                }                                                                                                      \
            }                                                                                                          \
            NO_UNROLL                                                                                                  \
            for (int d = 0; d < DIM; ++d) {                                                                            \
                real change[COMPONENTS], rest[COMPONENTS];                                                             \
                law_components(change, law_boundary_change_##name(u->state, law_change(u->slope[d]), normal, x, time));\
                for (int c = 0; c < COMPONENTS; ++c) {                                                                 \
                    const real normal_part = n[d] * across[c];                                                         \
                    rest[c] = sign * (u->slope[d][c] - normal_part) - normal_part - change[c];                         \
                }                                                                                                      \
                law_components(change, law_boundary_change_##name(u->state, law_change(rest), normal, x, time));       \
                for (int c = 0; c < COMPONENTS; ++c) {                                                                 \
                    ghost.slope[d][c] = select(here, u->slope[d][c] + change[c], ghost.slope[d][c]);                   \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }
    BOUNDARY_MIRRORS(MIRROR)
#undef MIRROR
#define IMPOSE(number, name)                                                                                           \
    {                                                                                                                  \
        const mask here = mask_of(condition == (number));                                                              \
        if (any(here)) {                                                                                               \
            real n[DIM], slope[COMPONENTS], flux[COMPONENTS];                                                          \
            law_normal_components(n, normal);                                                                          \
            law_components(flux, law_boundary_flux_##name(u->state, normal, x, time));                                 \
            for (int c = 0; c < COMPONENTS; ++c) {                                                                     \
                flux[c] *= R(2.0);                                                                                     \
            }                                                                                                          \
            slope_of_flux(slope, ghost.state, normal, flux);                                                           \
            for (int d = 0; d < DIM; ++d) {                                                                            \
                for (int c = 0; c < COMPONENTS; ++c) {                                                                 \
                    ghost.slope[d][c] += select(here, n[d] * slope[c], splat(R(0.0)));                                 \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }
    BOUNDARY_FLUXES(IMPOSE)
#undef IMPOSE
    return ghost;
}
#endif

/* The ghost state at point k of a boundary face.
 *     in: conditions, the number of each boundary face's condition; boundary_points; u, the interior state; time */
DEVICE State boundary_trace(const int *conditions, const scalar *boundary_points, ints boundary_face, int k, State u,
                            real time)
{
    const BoundaryPoint point = boundary_point(boundary_points, boundary_face, k);
    return ghost_state(gather_ints(conditions, boundary_face), u, point.normal, point.position, time);
}

#ifdef VISCOUS
/* The same with slopes. */
DEVICE Side boundary_side(const int *conditions, const scalar *boundary_points, ints boundary_face, int k,
                          const Side *u, real time)
{
    const BoundaryPoint point = boundary_point(boundary_points, boundary_face, k);
    return ghost_side(gather_ints(conditions, boundary_face), u, point.normal, point.position, time);
}
#else
#define boundary_side(conditions, boundary_points, boundary_face, k, u, time)                                          \
    boundary_trace(conditions, boundary_points, boundary_face, k, *(u), time)
#endif
