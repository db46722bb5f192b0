/* The ghost state of a far field: outgoing waves leave undisturbed, incoming waves are those of a given state:
 *
 *   g = u + P (given - u),   A = d(F . n)/du at u
 *
 * P projects onto the eigenvectors of A with negative eigenvalues, along the others: incoming characteristic
 * variables become those of the given state, outgoing ones stay (J.-M. Ghidaglia & F. Pascal, Eur. J. Mech. B 24,
 * 2005). P is the polynomial in A that is 1 at negative eigenvalues and 0 at the others (N. J. Higham, Functions of
 * Matrices, SIAM 2008, section 1.2). Its Newton form,
 *
 *   P = sum_k c_k (A - lambda_0) ... (A - lambda_{k-1}),
 *
 * needs only products of A with vectors. An eigenvalue that equals an earlier one adds no term. One very near an
 * earlier one adds none either: its wave counts as the earlier one's. Two near ones of different signs belong to
 * nearly stationary waves. */
#define NEAR R(1e-3)
#define NEAR_ACROSS_ZERO R(0.03)

/* in: u, given, n */
DEVICE State law_far_field(State u, State given, Normal n)
{
    real lambda[COMPONENTS];
    law_eigenvalues(lambda, u, n);
    real fastest = splat(R(0.0));
    for (int k = 0; k < COMPONENTS; ++k) {
        fastest = real_max(fastest, real_abs(lambda[k]));
    }
    const real unit = real_reciprocal(select(fastest > R(0.0), fastest, splat(R(1.0))));

    real own[COMPONENTS], v[COMPONENTS], beyond[FIELDS];
    law_components(own, u);
    law_components(v, given);
    law_fields(beyond, u);
    for (int i = 0; i < COMPONENTS; ++i) {
        v[i] -= own[i];
    }
    real c[COMPONENTS];
    mask adds[COMPONENTS];
    NO_UNROLL
    for (int k = 0; k < COMPONENTS; ++k) {
        lambda[k] *= unit;
        const real incoming = select(lambda[k] < R(0.0), splat(R(1.0)), splat(R(0.0)));
        real polynomial = splat(R(0.0)), product = splat(R(1.0));
        adds[k] = everywhere();
        for (int i = 0; i < k; ++i) {
            polynomial += c[i] * product;
            const real distance = lambda[k] - lambda[i];
            const real near = select(lambda[k] * lambda[i] < R(0.0), splat(NEAR_ACROSS_ZERO), splat(NEAR));
            adds[k] = adds[k] & (not(adds[i]) | (real_abs(distance) > near));
            product = select(adds[i], product * distance, product);
        }
        c[k] = select(adds[k], (incoming - polynomial) * real_reciprocal(select(adds[k], product, splat(R(1.0)))), splat(R(0.0)));
        real change[COMPONENTS];
        law_components(change, law_normal_flux_change(u, law_change(v), n));
        for (int i = 0; i < COMPONENTS; ++i) {
            beyond[i] += c[k] * v[i];
            v[i] = select(adds[k], unit * change[i] - lambda[k] * v[i], v[i]);
        }
    }
    /* Far from u the linearisation may give an inadmissible state: then the whole given state. */
    const State found = law_state(beyond);
    return select_State(law_is_admissible(found), found, given);
}
