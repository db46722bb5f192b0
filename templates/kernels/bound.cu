/* What bounds a step: the rate at which waves cross an element, the reciprocal of its longest stable step at Courant
 * number 1,
 *
 *   (2p + 1) sqrt(sum_f (lambda_f c_f)^2), or with RATES_ADD (2p + 1) sum_f lambda_f c_f,
 *
 * lambda_f the largest wave speed at face f, c_f the contribution of a wave of speed 1 there (see Mesh::crossings).
 * It is at least `passing` times max_f (lambda_f |f| / det J), where `passing` is not 0. */

/* in: lambda, crossings, measures, passing */
DEVICE real crossing_rate(const real lambda[FACES], const scalar *crossings, const scalar *measures, scalar passing,
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
    /* Where nothing moves, any step is stable; the rate stays positive. */
    sum = real_max(sum, splat(R(1.0)));
#ifndef RATES_ADD
    sum = real_sqrt(sum);
#endif
    real of_waves = R(2 * ORDER + 1) * most * sum;
    if (passing > R(0.0)) {
        UNROLL
        for (int f = 0; f < FACES; ++f) {
            of_waves = largest_or_nan(passing * lambda[f] * face_measure(measures, e, f), of_waves);
        }
    }
    return of_waves;
}

/* The Courant number of an element in a step: dt times that rate, which grows by rates of a source and of diffusion.
 * From the numbers that stages keep at the points of faces: the wave speed or, where the numerical flux has read all
 * that c_f comes from,
 *
 *   (dt lambda_f c_f)^2,   c_f^2 = 3/8 m (m + m'),
 *
 * m = |f| / det J of this element and m' of one as large as that behind the face. No square overflows or underflows
 * unless the step was far from what is stable. */
#if !defined(RATES_ADD) && !defined(WAVES_BETWEEN) && MAP_DEGREE == 0
/* What a stage keeps of the speed at a point of a face.     in: speed; measures, m of both sides; dt     out: kept */
DEVICE void keep_speed(real kept[2], real speed, const real measures[2], scalar dt)
{
    /* What is multiplied has no unit, so that its size does not depend on that of the mesh. */
    const real one = dt * speed * measures[0], other = dt * speed * measures[1], both = R(0.375) * (one + other);
    kept[0] = both * one;
    kept[1] = both * other;
}

/* in: kept, the largest at each face; crossings, measures, passing, see crossing_rate; dt */
DEVICE real courant_number(const real kept[FACES], const scalar *crossings, const scalar *measures, scalar passing,
                           scalar dt, long long e)
{
    real sum = kept[0];
    UNROLL
    for (int f = 1; f < FACES; ++f) {
        sum += kept[f];
    }
    real courant = R(2 * ORDER + 1) * real_sqrt(sum);
    if (passing > R(0.0)) {
        UNROLL
        for (int f = 0; f < FACES; ++f) {
            const real of_crossing = face_measure(measures, e, f) * real_reciprocal(crossing(crossings, e, f));
            courant = largest_or_nan(passing * of_crossing * real_sqrt(kept[f]), courant);
        }
    }
    return courant;
}
#else
DEVICE void keep_speed(real kept[2], real speed, const real measures[2], scalar dt) { kept[0] = kept[1] = speed; }
DEVICE real courant_number(const real kept[FACES], const scalar *crossings, const scalar *measures, scalar passing,
                           scalar dt, long long e)
{
    return dt * crossing_rate(kept, crossings, measures, passing, e);
}
#endif

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
