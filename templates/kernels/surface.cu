/* Surface term of the weak form on one element:
 *
 *   r_j -= sum_faces |f| / det J  sum_k w_k f*(u-, u+, n) phi_j(xi_k)
 *
 * u- is the trace of this element, u+ that of the neighbour or the ghost state of a boundary. */

/* Values of a neighbour at the points of the shared face, in the order of this element's points.
 * `side` says which of its faces that is.     in: coefficients, neighbour     out: trace */
DEVICE void neighbour_trace(real trace[FACE_POINTS][COMPONENTS], const scalar *coefficients, ints neighbour)
{
    const ints side = neighbour % FACES;
    const offsets first = at_lanes(neighbour / FACES, 0, COMPONENTS * BASIS);
    UNROLL
    for (int k = 0; k < FACE_POINTS; ++k) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            trace[k][c] = splat(R(0.0));
        }
    }
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        real u[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            u[c] = gather(coefficients, first + (c * BASIS + j) * BLOCK);
        }
        UNROLL
        for (int k = 0; k < FACE_POINTS; ++k) {
            const real phi = lookup(basis_at_neighbour, (side * FACE_POINTS + k) * BASIS + j);
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                trace[k][c] += phi * u[c];
            }
        }
    }
}

/* in: u, s, time      inout: r      out: lambda, the largest wave speed met at each face */
DEVICE void add_surface_term(real r[COMPONENTS][BASIS], real lambda[FACES], const real u[COMPONENTS][BASIS],
                             const Surroundings *s, long long e, real time)
{
    UNROLL_FACES
    for (int f = 0; f < FACES; ++f) {
        real n[DIM];
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            n[d] = load(s->normals + at(e, f * DIM + d, FACES * (DIM + 1)));
        }
        const Normal normal = normal_of(n);
        const real scale = load(s->normals + at(e, FACES * DIM + f, FACES * (DIM + 1)));
        const ints neighbour = load_ints(s->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
        const ints boundary_face = select_ints(on_boundary, -1 - neighbour, 0 * neighbour);

        real trace[FACE_POINTS][COMPONENTS];
        neighbour_trace(trace, s->coefficients, inner);
        real fastest = splat(R(0.0));
        UNROLL_FACE_POINTS
        for (int k = 0; k < FACE_POINTS; ++k) {
            const State minus = evaluate(u, basis_at_face[f * FACE_POINTS + k]);
            State plus = state_of(trace[k]);
            if (any(on_boundary)) {
                plus = select_State(on_boundary, boundary_trace(s, e, f, k, boundary_face, minus, time), plus);
            }
            const real speed = face_speed(minus, plus, normal);
            fastest = largest_or_nan(fastest, speed);
            real flux[COMPONENTS];
            components_of_state(flux, NUMERICAL_FLUX(minus, plus, normal, speed));
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                const real scaled = scale * flux[c];
                UNROLL
                for (int j = 0; j < BASIS; ++j) {
                    r[c][j] -= weighted_basis_at_face[f * FACE_POINTS + k][j] * scaled;
                }
            }
        }
        lambda[f] = fastest;
    }
}
