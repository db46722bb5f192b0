/* One stage of a Runge-Kutta method with at most three registers, u^n, u and g:
 *
 *   k  = dt R(u, t + c dt)
 *   g <- alpha g + k
 *   u <- a u^n + b u + d k + e g
 *
 * A step of length zero leaves u as it is, bit for bit. */
typedef struct {
    const scalar *u;                /* in: coefficients that the residual is taken of */
    const scalar *u_start;          /* in: coefficients at the start of the step, read where a != 0 */
    scalar *g;                      /* inout: register, used where e != 0 or keep_g != 0 */
    scalar *u_next;                 /* out: coefficients */
    const double *clock;            /* in */
    const scalar *inverse_jacobian; /* in: [DIM][DIM] */
    const scalar *normals;          /* in: see Surroundings */
    const int *neighbours;          /* in */
    const int *conditions;          /* in */
    const scalar *boundary_normals; /* in */
    const scalar *map;              /* in */
    double a, b, c, d, e, alpha;    /* in: coefficients of the stage */
    long long keep_g;               /* in: whether a later stage reads g */
} StageArguments;

KERNEL(stage, StageArguments)
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
    add_volume_term(r, u, a->inverse_jacobian, a->map, e, time);
    add_surface_term(r, u, &surroundings, e, time);

    const int uses_g = a->e != 0.0 || a->keep_g != 0;
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            const long long i = at(e, c * BASIS + j, COMPONENTS * BASIS);
            const real k = dt * r[c][j];
            real next = (scalar)a->b * u[c][j] + (scalar)a->d * k;
            if (a->a != 0.0) {
                next += (scalar)a->a * load(a->u_start + i);
            }
            if (uses_g) {
                const real g = a->alpha != 0.0 ? (scalar)a->alpha * load(a->g + i) + k : k;
                store(a->g + i, g);
                next += (scalar)a->e * g;
            }
            store(a->u_next + i, dt > 0 ? next : u[c][j]);
        }
    }
}
