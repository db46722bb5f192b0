/* One stage of a Runge-Kutta method with at most three registers, u^n, u and g:
 *
 *   k  = dt R(u, t + c dt)     with WELL_BALANCED less dt R(u_s), u_s a steady solution of the law
 *   g <- alpha g + k
 *   u <- a u^n + b u + d k + e g     with a = 1 - b or a = 0
 *
 * The last stage of a step also bounds the next step, by the wave speeds of its numerical fluxes; or, with a
 * tolerance, by the error of the step, which it estimates from its registers:
 *
 *   error = ESTIMATE_U (u - u^n) + ESTIMATE_K k + ESTIMATE_G g */
typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients; the residual is that of u */
    const scalar *u_start;          /* in: [COMPONENTS][BASIS] per element; coefficients at the start of the step, read
                                     * where a != 0 */
    scalar *g;                      /* inout, optional: [COMPONENTS][BASIS] per element; register, used where e != 0 or
                                     * keep_g != 0 */
    const scalar *balance;          /* in, optional: [COMPONENTS][BASIS] per element; R(u_s), read where
                                     * WELL_BALANCED */
    scalar *u_next;                 /* out: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *records;          /* in: [FACE_POINTS][TRACE] per record; of u */
    scalar *records_next;           /* out: [FACE_POINTS][TRACE] per record; of u_next */
    const double *clock;            /* in: [CLOCK_NUMBERS] */
    const scalar *medium;           /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *face_medium;      /* in, optional: [2] per face; likewise */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element; read where MAP_DEGREE is 0 */
    const scalar *inverse_mass;     /* in, optional: [MASS] per element; read where it is kept */
    const scalar *measures;         /* in: [FACES] per element */
    const scalar *map;              /* in: [MAP] per element; read where there is a source, or MAP_DEGREE is not 0 */
    const int *patches;             /* in: [2] per patch start; see faces_of */
    const int *faces;               /* in: [1] per face; see face_flux */
    const scalar *face_geometry;    /* in: [FACE_GEOMETRY] per face */
    const int *rim_links;           /* in: [1] per record; the link of the face that reads it */
    const int *links;               /* in: [FACES] per element; see Links */
    const int *boundary_records;    /* in: [1] per boundary face */
    const int *conditions;          /* in: [1] per boundary face */
    const scalar *boundary_points;  /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    const scalar *turns;            /* in, optional: [2] per record; where VECTORS, see Links */
    const scalar *crossings;        /* in: [FACES] per element; see crossing_rate */
    double passing;                 /* in; likewise */
    double source_share;            /* in; the Courant number over the interval of stability */
    double viscous_share;           /* in; likewise, of diffusion */
    const scalar *viscous_faces;    /* in, optional: [2] per face; numbers of a viscous flux, of CDG one more, see
                                     * face_flux */
    const scalar *determinants;     /* in: [1] per element; det J, read where the error is estimated */
    const scalar *weights;          /* in: [COMPONENTS]; the factor of an error in each component, likewise */
    scalar *bounds;                 /* out: [1] per element; where bound_next != 0: its Courant number in this step, or
                                     * with a tolerance its share of the squared error; NaN where inadmissible */
    scalar *warp_bounds;            /* out: [warps] per patch; on CUDA, likewise: what `bounds` of a warp's elements
                                     * amount to */
    long long warps;                /* in; the warps that have the elements of a patch */
    long long past_caches;          /* in; whether u_next is stored past the host's caches, because they hold less than
                                     * the registers */
    long long elements;             /* in; the number of the section's elements */
    double a, b, c, d, e, alpha;    /* in; coefficients of the stage; with ADER c is the number of the mean, see
                                     * mean_weight */
    double c_next;                  /* in; time of the stage after this one, in steps after the start of the step */
    long long keep_g;               /* in; whether a later stage reads g */
    long long bound_next;           /* in; whether this is the last stage of a step that bounds the next */
} StageArguments;

/* Whether a stage estimates the error of the step. */
DEVICE int estimates(const StageArguments *a) { return HAS_TOLERANCE && a->bound_next != 0; }

/* What an update does; constants where code is to be made for one case. */
typedef struct {
    int steps;     /* whether dt > 0 */
    int starts;    /* whether a != 0 */
    int uses_g;    /* whether it reads or writes the register g */
    int reads_g;   /* whether alpha != 0 */
    int estimates; /* see estimates */
} Form;
DEVICE Form form_of(const StageArguments *a, scalar dt)
{
    const Form form = {dt > 0, a->a != 0.0, a->e != 0.0 || a->keep_g != 0, a->alpha != 0.0, estimates(a)};
    return form;
}

/* Prefetches the registers of `count` coefficients from number i on. The conditions on the stage are tested once for
 * all. */
DEVICE void prefetch_update(const StageArguments *a, long long i, int count)
{
    if (a->a != 0.0 || estimates(a)) {
        for (int j = 0; j < count; j += LINE_ROWS) {
            EACH_ELEMENT(w) prefetch(a->u_start + i + j * BLOCK + w * STRIDE_OF(COMPONENTS * BASIS));
        }
    }
#ifdef WELL_BALANCED
    for (int j = 0; j < count; j += LINE_ROWS) {
        EACH_ELEMENT(w) prefetch(a->balance + i + j * BLOCK + w * STRIDE_OF(COMPONENTS * BASIS));
    }
#endif
    if (a->alpha != 0.0) {
        for (int j = 0; j < count; j += LINE_ROWS) {
            EACH_ELEMENT(w) prefetch(a->g + i + j * BLOCK + w * STRIDE_OF(COMPONENTS * BASIS));
        }
    }
}

#ifdef ONE_COLUMN
/* Prefetches, part by part while a group is computed, the coefficients of the group that begins with element e. What
 * is asked for at once keeps a core waiting. */
DEVICE void prefetch_part(const scalar *coefficients, long long e, int part, int parts)
{
    const int n = COMPONENTS * BASIS;
    for (int i = part * n / parts; i < (part + 1) * n / parts; i += LINE_ROWS) {
        prefetch(coefficients + at(e, i, n));
    }
}

/* The same of the registers that the group's update reads. */
DEVICE void prefetch_part_of_update(const StageArguments *a, long long e, int part, int parts)
{
    const int n = COMPONENTS * BASIS, first = part * n / parts;
    prefetch_update(a, at(e, first, n), (part + 1) * n / parts - first);
}
#endif

/* The factor of an error in component c. */
DEVICE scalar error_weight(const StageArguments *a, int c) { return estimates(a) ? a->weights[c] : R(0.0); }

/* The coefficients of u^n and of g, where the stage uses them. */
typedef struct {
    wide u_start, g;
#ifdef WELL_BALANCED
    wide balance;
#endif
} Registers;

/* Loads those of `count` coefficients from number i on; all loads are issued before one is waited for.     out:
 * registers */
DEVICE void load_registers(Registers *registers, const StageArguments *a, Form form, long long i, int count)
{
    /* Zeros first: then the compiler issues conditional loads early, instead of branching. */
    UNROLL
    for (int j = 0; j < count; ++j) {
        registers[j].u_start = registers[j].g = wide_of(R(0.0));
    }
#ifdef WELL_BALANCED
    UNROLL
    for (int j = 0; j < count; ++j) {
        registers[j].balance = load_wide(a->balance + i + j * BLOCK, STRIDE_OF(COMPONENTS * BASIS));
    }
#endif
    if (form.starts || form.estimates) {
        UNROLL
        for (int j = 0; j < count; ++j) {
            registers[j].u_start = load_wide(a->u_start + i + j * BLOCK, STRIDE_OF(COMPONENTS * BASIS));
        }
    }
    if (form.reads_g) {
        UNROLL
        for (int j = 0; j < count; ++j) {
            registers[j].g = load_wide(a->g + i + j * BLOCK, STRIDE_OF(COMPONENTS * BASIS));
        }
    }
}

/* Updates a coefficient u, and replaces its residual r by its g. A step of length zero leaves the coefficient as it
 * is, bit for bit; a selection, not a branch, so that loads can be issued before it. All coefficients of an element are
 * updated before any is stored: no load must wait for a store.
 *     in: registers, weight (of an error in the component), dt      inout: u, r, error (the sum of squares) */
DEVICE void update(wide *u, wide *r, wide *error, const StageArguments *a, Form form, Registers registers,
                   scalar weight, scalar dt)
{
#ifdef WELL_BALANCED
    /* Equal residuals cancel exactly. */
    *r -= registers.balance;
#endif
    const wide k = dt * *r;
    /* Rounded, 1 - b and b need not add up to 1: the mass would drift. */
    const wide from = form.starts ? registers.u_start : wide_of(R(0.0));
    wide next = from + (scalar)a->b * (*u - from) + (scalar)a->d * k, estimate = ESTIMATE_K * k;
    if (form.estimates) {
        estimate += ESTIMATE_U * (*u - registers.u_start);
    }
    if (form.uses_g) {
        *r = form.reads_g ? (scalar)a->alpha * registers.g + k : k;
        next += (scalar)a->e * *r;
        estimate += ESTIMATE_G * *r;
    }
    if (form.estimates) {
        estimate = weight * estimate;
        *error += estimate * estimate;
    }
    *u = form.steps ? next : *u;
}

/* Stores and returns the bound on the next step: NaN if the mean is inadmissible, or if a wave speed or the error is
 * NaN, as it is for an inadmissible trace.
 *     in: first_coefficients, of the patch's elements, of which this is number `local`; at_faces, the largest of what
 * is kept of the wave speed at each face, and with a viscous flux the largest diffusivity; error, the weighted sum of
 * squares of all coefficients; dt */
DEVICE real keep_bound(const StageArguments *a, const scalar first_coefficients[COMPONENTS][ROW], long long e,
                       int local, const real at_faces[FACE_BOUNDS][FACES], real error, scalar dt)
{
    real mean[FIELDS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = basis_mean[0] * load(first_coefficients[c] + local);
    }
    load_medium_mean(mean + COMPONENTS, a->medium, e);
#if HAS_TOLERANCE
    real bound = determinant(a->determinants, e) * error;
#else
    real bound = courant_number(at_faces[0], a->crossings, a->measures, (scalar)a->passing, dt, e);
#ifdef SOURCE_RATE
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, e);
    bound += dt * (scalar)a->source_share * source_rate(u, a->map, e, splat((scalar)time_at(a->clock, 1.0)));
#endif
#ifdef VISCOUS
    bound += dt * (scalar)a->viscous_share * viscous_rate(at_faces[1], a->crossings, e);
#endif
#endif
    bound = select(law_is_admissible(law_state(mean)), bound, splat(R(0.0) / R(0.0)));
    store(a->bounds + e, bound);
    return bound;
}

#ifdef __CUDACC__
/* The larger of two bounds; with a tolerance their sum. */
DEVICE scalar both_bounds(scalar a, scalar b) { return reduce_pair(HAS_TOLERANCE ? REDUCE_SUM : REDUCE_MAX, a, b); }

/* Stores what the bounds of a warp amount to, so that the clock has fewer of them to read. The last warp may have
 * threads of other members, too, which do not take part.
 *     in: bound, that of the thread's elements */
DEVICE void keep_bound_of_warp(const StageArguments *a, scalar bound, long long patch, int thread)
{
    const unsigned all = ~0u, some = (1u << STRIDE % 32) - 1;
    const unsigned taking_part = STRIDE % 32 == 0 || thread / 32 < STRIDE / 32 ? all : some;
    UNROLL
    for (int distance = 16; distance > 0; distance /= 2) {
        const scalar other = __shfl_xor_sync(taking_part, bound, distance);
        if (STRIDE % 32 == 0 || (thread ^ distance) < STRIDE) {
            bound = both_bounds(bound, other);
        }
    }
    if (thread % 32 == 0) {
        a->warp_bounds[patch * a->warps + thread / 32] = bound;
    }
}
#endif
