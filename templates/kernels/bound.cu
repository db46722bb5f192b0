/* The longest stable step of an element at Courant number 1:
 *
 *   1 / ((2p + 1) sqrt(sum_f (lambda_f c_f)^2)), or with RATES_ADD 1 / ((2p + 1) sum_f lambda_f c_f),
 *
 * lambda_f the largest wave speed at face f, c_f the contribution of a wave of speed 1 there (see Mesh::crossings).
 * Where `room` is finite, also at most room det J / max_f (lambda_f |f|).
 *     in: lambda, crossings, measures, room */
DEVICE real longest_stable(const real lambda[FACES], const scalar *crossings, const scalar *measures, scalar room,
                           long long e)
{
    real rate[FACES];
    /* NaN where a speed is NaN. */
    real most = splat(R(1e-30));
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        rate[f] = lambda[f] * crossing(crossings, e, f);
        most = largest_or_nan(rate[f], most);
    }
    /* Rates are divided by the largest, so that no square overflows or underflows. */
    real sum = splat(R(0.0));
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        const real share = rate[f] * real_reciprocal(most);
#ifdef RATES_ADD
        sum += share;
#else
        sum += share * share;
#endif
    }
    /* Where nothing moves, any step is stable; the bound stays finite. */
    sum = real_max(sum, splat(R(1.0)));
#ifndef RATES_ADD
    sum = real_sqrt(sum);
#endif
    real bound = real_reciprocal(R(2 * ORDER + 1) * most * sum);
    if (room - room == R(0.0)) {
        real through = splat(R(1e-30));
        UNROLL
        for (int f = 0; f < FACES; ++f) {
            through = largest_or_nan(lambda[f] * face_measure(measures, e, f), through);
        }
        bound = real_min(bound, room * real_reciprocal(through));
    }
    return bound;
}

#if defined(WAVES_BETWEEN) && ORDER > 0
/* Raises the speed at each face to those of waves between the element's own states: bounds on means rest on fluxes
 * between its faces (X. Zhang, Y. Xia & C.-W. Shu, J. Sci. Comput. 50 (2012) 29-62). Those of a scalar law all lie
 * between two of them; of a system's states, those between the mean and the states at the same face are taken.
 *     in: u, metric_array, that of METRIC_ARRAY     inout: lambda */
DEVICE void add_speeds_within(real lambda[FACES], const real u[FIELDS][BASIS], const scalar *metric_array,
                              long long e)
{
    const State mean = evaluate(u, basis_mean);
#if COMPONENTS == 1
    real least[FIELDS], most[FIELDS];
    law_fields(least, mean);
    law_fields(most, mean);
    NO_UNROLL
    for (int i = 0; i < FACES * FACE_POINTS; ++i) {
        real value[1];
        law_components(value, evaluate(u, basis_at_face[i]));
        least[0] = real_min(least[0], value[0]);
        most[0] = real_max(most[0], value[0]);
    }
#endif
    NO_UNROLL
    for (int f = 0; f < FACES; ++f) {
#if COMPONENTS == 1
        NO_UNROLL
        for (int k = 0; k < FACE_NORMALS; ++k) {
            const Normal normal = face_normal(metric_array, e, f, k);
            lambda[f] = largest_or_nan(lambda[f], law_face_speed(law_state(least), law_state(most), normal));
        }
#else
        NO_UNROLL
        for (int k = 0; k < FACE_POINTS; ++k) {
            const Normal normal = face_normal(metric_array, e, f, k);
            const State state = evaluate(u, basis_at_face[f * FACE_POINTS + k]);
            lambda[f] = largest_or_nan(lambda[f], law_face_speed(mean, state, normal));
        }
#endif
    }
}
#endif
