/* The longest stable step of every element from the solution alone: before the first step, and wherever the solution
 * must be checked for admissibility. The speeds at a face are those at its points, of the ghost states there and of
 * the mean; and those between them, where waves there can be faster: within the element, and across to the mean behind
 * the face. */
typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium;           /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element; read where MAP_DEGREE is 0 */
    const scalar *measures;         /* in: [FACES] per element */
    const scalar *map;              /* in: [MAP] per element; read where there is a source, or MAP_DEGREE is not 0 */
    const int *neighbours;          /* in: [FACES] per element */
    const int *conditions;          /* in: [1] per boundary face */
    const scalar *boundary_points;  /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    const int *links;               /* in: [FACES] per element; see Links */
    const scalar *turns;            /* in, optional: [2] per record; where VECTORS, see Links */
    const double *clock;            /* in: [CLOCK_NUMBERS] */
    const scalar *crossings;        /* in: [FACES] per element; see crossing_rate */
    double passing;                 /* in; likewise */
    double source_share;            /* in; the Courant number over the interval of stability */
    double viscous_share;           /* in; likewise, of diffusion */
    long long first;                /* in; the number of the section's first element among those of all sections */
    long long elements;             /* in; the number of its elements */
    scalar *longest;                /* out: [1] per element; its longest stable step, NaN where inadmissible */
} TimeStepArguments;

#ifdef WAVES_BETWEEN
/* The mean of the element behind face f.     in: element, that behind; a, e */
DEVICE State mean_behind(ints element, const TimeStepArguments *a, long long e, int f)
{
    const scalar *const coefficients = a->u, *const medium = a->medium;
    const offsets first = at_lanes(element, 0, COMPONENTS * BASIS);
    real mean[FIELDS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = basis_mean[0] * gather(coefficients + c * BASIS * BLOCK, first);
    }
#ifdef VECTORS
    turn_back(mean, a->links, a->turns, e, f);
#endif
    const real mean_mode = splat(basis_mean[0]);
    gather_medium(mean + COMPONENTS, medium, element, &mean_mode, 1);
    return law_state(mean);
}
#define SPEED_BEHIND(inside, outside, normal) law_face_speed(inside, outside, normal)
#else
#define SPEED_BEHIND(inside, outside, normal) law_wave_speed(outside, normal)
#endif

KERNEL(time_step, TimeStepArguments)
{
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, e);
    const real time = splat((scalar)a->clock[CLOCK_TIME]);
    const State mean = evaluate(u, basis_mean);
    mask admissible = law_is_admissible(mean);
    real lambda[FACES];
    UNROLL_FACES
    for (int f = 0; f < FACES; ++f) {
        const Normal first = face_normal(a->METRIC_ARRAY, e, f, 0);
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints boundary_face = select_ints(on_boundary, -1 - neighbour, 0 * neighbour);
#ifdef WAVES_BETWEEN
        mask has_other = not(on_boundary);
        ints other = select_ints(on_boundary, 0 * neighbour, neighbour) / FACES;
#ifdef SEVERAL_SECTIONS
        /* The stages compare with the traces of elements in other sections. */
        has_other = has_other & not(is_elsewhere(other, a->first, a->elements));
        other = select_ints(has_other, other - (int)a->first, 0 * other);
#endif
#endif
        real fastest = law_wave_speed(mean, first);
        NO_UNROLL
        for (int k = 1; k < FACE_NORMALS; ++k) {
            fastest = real_max(fastest, law_wave_speed(mean, face_normal(a->METRIC_ARRAY, e, f, k)));
        }
        UNROLL_FACE_POINTS
        for (int k = 0; k < FACE_POINTS; ++k) {
            const Normal normal = FACE_NORMALS > 1 ? face_normal(a->METRIC_ARRAY, e, f, k) : first;
            const State state = evaluate(u, basis_at_face[f * FACE_POINTS + k]);
            admissible = admissible & law_is_admissible(state);
            fastest = real_max(fastest, law_wave_speed(state, normal));
#ifdef WAVES_BETWEEN
            const State behind = mean_behind(other, a, e, f);
            fastest = select(has_other, real_max(fastest, law_face_speed(state, behind, normal)), fastest);
#endif
            if (any(on_boundary)) {
                const State ghost = boundary_trace(a->conditions, a->boundary_points, boundary_face, k, state, time);
                fastest = select(on_boundary, real_max(fastest, SPEED_BEHIND(state, ghost, normal)), fastest);
            }
        }
        lambda[f] = fastest;
    }
#if defined(WAVES_BETWEEN) && ORDER > 0
    add_speeds_within(lambda, u, a->METRIC_ARRAY, e);
#endif
    UNROLL_VOLUME_POINTS
    for (int q = 0; q < VOLUME_POINTS; ++q) {
        admissible = admissible & law_is_admissible(evaluate(u, basis_at_volume[q]));
    }
    real rate = crossing_rate(lambda, a->crossings, a->measures, (scalar)a->passing, e);
#ifdef SOURCE_RATE
    if (a->source_share != 0) {
        rate += (scalar)a->source_share * source_rate(u, a->map, e, time);
    }
#endif
#ifdef VISCOUS
    real diffusivities[FACES];
    find_diffusivities(diffusivities, u, a->METRIC_ARRAY, e);
    rate += (scalar)a->viscous_share * viscous_rate(diffusivities, a->crossings, e);
#endif
    store(a->longest + e, select(admissible, real_reciprocal(rate), splat(R(0.0) / R(0.0))));
}
