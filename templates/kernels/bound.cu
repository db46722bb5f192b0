/* The longest stable step of an element at Courant number 1:
 *
 *   1 / ((2p + 1) sqrt(sum_f (lambda_f c_f)^2)),
 *
 * lambda_f the largest wave speed at face f, c_f the contribution of a wave of speed 1 there (see Mesh::crossings).
 * Where `room` is finite, also at most room det J / max_f (lambda_f |f|).
 *     in: lambda, crossings, normals, room */
DEVICE real longest_stable(const real lambda[FACES], const scalar *crossings, const scalar *normals, scalar room,
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
        sum += share * share;
    }
    /* Where nothing moves, any step is stable; the bound stays finite. */
    sum = real_max(sum, splat(R(1.0)));
    real bound = real_reciprocal(R(2 * ORDER + 1) * most * real_sqrt(sum));
    if (room - room == R(0.0)) {
        real through = splat(R(1e-30));
        UNROLL
        for (int f = 0; f < FACES; ++f) {
            through = largest_or_nan(lambda[f] * face_measure(normals, e, f), through);
        }
        bound = real_min(bound, room * real_reciprocal(through));
    }
    return bound;
}
