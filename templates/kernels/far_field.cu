/* The waves of a state in direction of a normal, as parts of a change of the state, and the ghost state of a far field.
 *
 * The part of the waves that come from outside is P v, where P projects onto the eigenvectors of A = d(F . n)/du with
 * negative eigenvalues, along the others. P is the polynomial in A that is 1 at negative eigenvalues and 0 at the
 * others (N. J. Higham, Functions of Matrices, SIAM 2008, section 1.2). Its Newton form,
 *
 *   P = sum_k c_k (A - lambda_0) ... (A - lambda_{k-1}),
 *
 * needs only products of A with vectors. An eigenvalue that equals an earlier one, up to NEAR by the fastest, adds no
 * term. Near waves of different directions would have large coefficients, the larger the more there are. So waves
 * slower than SLOW by the fastest count as waves at rest, and those up to twice as fast go their way in part. Where
 * such a limit lies between waves near each other, a term that would spoil digits is left out. */
#if LANES_SINGLE
#define NEAR R(1e-3)
#define SLOW R(COMPONENTS > 5 ? 0.1 : 0.01)
#define LARGEST_TERM R(1e5)
#else
#define NEAR R(1e-7)
#define SLOW R(COMPONENTS > 6 ? 0.02 : COMPONENTS > 5 ? 2e-3 : 1e-4)
#define LARGEST_TERM R(1e10)
#endif

/* The numerical flux of exact_upwind.cu takes waves at every point of every face: unrolled, their loop needs no array.
 * At boundaries alone it would only make the code longer. */
#ifdef HAS_EXACT_UPWIND
#define UNROLL_WAVES UNROLL
#else
#define UNROLL_WAVES NO_UNROLL
#endif

/* The largest absolute value of the eigenvalues, 1 if all are zero. */
DEVICE real fastest_wave(const real lambda[COMPONENTS])
{
    real fastest = splat(R(0.0));
    for (int k = 0; k < COMPONENTS; ++k) {
        fastest = real_max(fastest, real_abs(lambda[k]));
    }
    return select(fastest > R(0.0), fastest, splat(R(1.0)));
}

/* Of each wave its direction along the normal, -1 or 1, and 0 or what is between for slow ones.     in: u, n */
DEVICE void directions_of(real direction[COMPONENTS], State u, Normal n)
{
    law_eigenvalues(direction, u, n);
    const real scale = real_reciprocal(SLOW * fastest_wave(direction));
    for (int k = 0; k < COMPONENTS; ++k) {
        const real speed = scale * direction[k], part = real_min(splat(R(1.0)), real_abs(speed) - R(1.0));
        direction[k] = select(part > R(0.0), select(speed < R(0.0), -part, part), splat(R(0.0)));
    }
}

/* The part of a change v that belongs to waves at u, each with its share.     in: v, u, n, share     out: part */
DEVICE void waves_of(real part[COMPONENTS], const real change[COMPONENTS], State u, Normal n,
                     const real share[COMPONENTS])
{
    real lambda[COMPONENTS];
    law_eigenvalues(lambda, u, n);
    const real unit = real_reciprocal(fastest_wave(lambda));

    real v[COMPONENTS];
    for (int i = 0; i < COMPONENTS; ++i) {
        v[i] = change[i];
        part[i] = splat(R(0.0));
    }
    real c[COMPONENTS];
    mask adds[COMPONENTS];
    UNROLL_WAVES
    for (int k = 0; k < COMPONENTS; ++k) {
        lambda[k] *= unit;
        real polynomial = splat(R(0.0)), product = splat(R(1.0));
        adds[k] = everywhere();
        for (int i = 0; i < k; ++i) {
            polynomial += c[i] * product;
            const real distance = lambda[k] - lambda[i];
            adds[k] = adds[k] & (not(adds[i]) | (real_abs(distance) > NEAR));
            product = select(adds[i], product * distance, product);
        }
        const real term = (share[k] - polynomial) * real_reciprocal(select(adds[k], product, splat(R(1.0))));
        adds[k] = adds[k] & (real_abs(term) <= LARGEST_TERM);
        c[k] = select(adds[k], term, splat(R(0.0)));
        real next[COMPONENTS];
        law_components(next, law_normal_flux_change(u, law_change(v), n));
        for (int i = 0; i < COMPONENTS; ++i) {
            part[i] += c[k] * v[i];
            v[i] = select(adds[k], unit * next[i] - lambda[k] * v[i], v[i]);
        }
    }
}

/* Outgoing waves leave undisturbed, incoming waves are those of a given state: g = u + P (given - u) (J.-M. Ghidaglia &
 * F. Pascal, Eur. J. Mech. B 24, 2005).     in: u, given, n */
DEVICE State law_far_field(State u, State given, Normal n)
{
    real own[COMPONENTS], change[COMPONENTS], incoming[COMPONENTS], beyond[FIELDS];
    law_components(own, u);
    law_components(change, given);
    law_fields(beyond, u);
    for (int i = 0; i < COMPONENTS; ++i) {
        change[i] -= own[i];
    }
    real share[COMPONENTS];
    directions_of(share, u, n);
    for (int k = 0; k < COMPONENTS; ++k) {
        share[k] = real_max(splat(R(0.0)), -share[k]);
    }
    waves_of(incoming, change, u, n, share);
    for (int i = 0; i < COMPONENTS; ++i) {
        beyond[i] += incoming[i];
    }
    /* Far from u the linearisation may give an inadmissible state: then the whole given state. */
    const State found = law_state(beyond);
    return select_State(law_is_admissible(found), found, given);
}
