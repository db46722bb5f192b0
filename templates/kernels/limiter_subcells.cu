/* Finite volumes on sub-cells, mixed into the rates of troubled elements:
 *
 *   r = (1 - alpha) r_DG + alpha r_FV
 *
 * with r_FV the rate of the sub-cells' means by a scheme of first order, and one numerical flux at a point of a face for both:
 * that of the traces and that of the means, mixed by the larger alpha of both sides.
 *
 * S. Hennemann, A. M. Rueda-Ramirez, F. J. Hindenlang & G. J. Gassner, J. Comput. Phys. 426 (2021) 109935, there by nodes on
 * quadrilaterals; here by means over as many cells as there are modes. */
#ifndef ALPHA_KIND
#define ALPHA_KIND 0
#endif
#ifndef ALPHA_MAX
#define ALPHA_MAX 1.0
#endif
#ifndef ALPHA_THRESHOLD
#define ALPHA_THRESHOLD 1.0
#endif
#ifndef ALPHA_SPREAD
#define ALPHA_SPREAD 0.5
#endif
#ifndef DECAY_FACTOR
#define DECAY_FACTOR 100.0
#endif

typedef struct {
    const scalar *u; /* in: coefficients */
    scalar *alpha;   /* out */
} TroubleArguments;

KERNEL(trouble, TroubleArguments)
{
#ifdef INDICATOR
    real part[ORDER + 1], all = splat(R(0.0));
    for (int d = 0; d <= ORDER; ++d) {
        part[d] = splat(R(0.0));
    }
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        const real u = load(a->u + at(e, j, COMPONENTS * BASIS));
        part[basis_degree[j]] += u * u;
        all += u * u;
    }
    all = real_max(all, splat(R(1e-30)));
#if ALPHA_KIND == 0
    const real threshold = splat(R(ALPHA_THRESHOLD) * R(0.5)) * real_pow(splat(R(10.0)), R(-1.8) * real_pow(splat(R(ORDER + 1)), splat(R(0.25))));
    real energy = part[ORDER] * real_reciprocal(all);
#if ORDER > 1
    energy = real_max(energy, part[ORDER - 1] * real_reciprocal(real_max(all - part[ORDER], splat(R(1e-30)))));
#endif
    const real exponent = R(9.21024) * (R(1.0) - energy * real_reciprocal(threshold));
    real alpha = real_reciprocal(R(1.0) + real_exp(real_min(exponent, splat(R(60.0)))));
    alpha = select(alpha < R(1e-3), splat(R(0.0)), select(alpha > R(0.999), splat(R(1.0)), alpha));
    alpha = real_min(alpha, splat(R(ALPHA_MAX)));
#else
    const mask troubled = part[ORDER] * R(ORDER * ORDER * ORDER * ORDER) * R(DECAY_FACTOR) * R(ALPHA_THRESHOLD) > all;
    const real alpha = select(troubled, splat(R(ALPHA_MAX)), splat(R(0.0)));
#endif
#else
    const real alpha = splat(R(1.0));
#endif
    store(a->alpha + e, alpha);
}

typedef struct {
    const scalar *alpha;   /* in */
    scalar *spread;        /* out: at least half of the neighbours' */
    const int *neighbours; /* in */
} SpreadArguments;

KERNEL(spread, SpreadArguments)
{
    const real own = load(a->alpha + e);
    real alpha = own;
    for (int f = 0; f < FACES; ++f) {
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
        const real other = select(on_boundary, own, gather(a->alpha, at_lanes(inner / FACES, 0, 1)));
        alpha = real_max(alpha, R(ALPHA_SPREAD) * other);
    }
    store(a->spread + e, alpha);
}

typedef struct {
    const scalar *u;                /* in: coefficients before the stage */
    const scalar *u_start;          /* in: coefficients at the start of the step */
    scalar *u_next;                 /* inout: coefficients after the stage */
    const double *clock;            /* in */
    const scalar *inverse_jacobian; /* in: [DIM][DIM] */
    const scalar *normals;          /* in: see Surroundings */
    const int *neighbours;          /* in */
    const int *conditions;          /* in */
    const scalar *boundary_normals; /* in */
    const scalar *map;              /* in */
    const scalar *alpha;            /* in */
    double a, b, c, d;              /* in: coefficients of the stage */
} BlendArguments;

/* first + share (second - first), but at 0 and 1 only what counts, as the other may be no number. */
DEVICE real mixed(real first, real second, real share)
{
    return select(share <= R(0.0), first, select(share >= R(1.0), second, first + share * (second - first)));
}

DEVICE State flux_between(State minus, State plus, Normal normal)
{
    return NUMERICAL_FLUX(minus, plus, normal, face_speed(minus, plus, normal));
}

#ifndef FLUX_BETWEEN_CELLS
#define FLUX_BETWEEN_CELLS NUMERICAL_FLUX
#endif
DEVICE State flux_between_cells(State minus, State plus, Normal normal)
{
    return FLUX_BETWEEN_CELLS(minus, plus, normal, face_speed(minus, plus, normal));
}

KERNEL(blend, BlendArguments)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
    if (!(dt > 0)) {
        return;
    }
    const real time = splat((scalar)(a->clock[CLOCK_TIME] + a->c * a->clock[CLOCK_DT]));
    const real alpha = load(a->alpha + e);
    mask active = alpha > R(0.0);
    real at_faces[FACES];
    for (int f = 0; f < FACES; ++f) {
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
        at_faces[f] = real_max(alpha, select(on_boundary, alpha, gather(a->alpha, at_lanes(inner / FACES, 0, 1))));
        active = active | (at_faces[f] > R(0.0));
    }
    if (!any(active)) {
        return;
    }
    const Surroundings s = {a->u, a->normals, a->neighbours, a->conditions, a->boundary_normals, a->map};
    real u[COMPONENTS][BASIS], r[COMPONENTS][BASIS], mean[CELLS][COMPONENTS], rate[CELLS][COMPONENTS];
    load_coefficients(u, a->u, e);
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int i = 0; i < CELLS; ++i) {
            r[c][i] = rate[i][c] = mean[i][c] = splat(R(0.0));
            for (int j = 0; j < BASIS; ++j) {
                mean[i][c] += cell_means[i][j] * u[c][j];
            }
        }
    }
    add_volume_term(r, u, a->inverse_jacobian, a->map, e, time);
    for (int f = 0; f < FACES; ++f) {
        real n[DIM];
        for (int d = 0; d < DIM; ++d) {
            n[d] = load(a->normals + at(e, f * DIM + d, FACES * (DIM + 1)));
        }
        const Normal normal = normal_of(n);
        const real scale = load(a->normals + at(e, FACES * DIM + f, FACES * (DIM + 1)));
        const ints neighbour = load_ints(a->neighbours + at(e, f, FACES));
        const mask on_boundary = mask_of(neighbour < 0);
        const ints inner = select_ints(on_boundary, 0 * neighbour, neighbour);
        const ints boundary_face = select_ints(on_boundary, -1 - neighbour, 0 * neighbour);
        const ints side = inner % FACES;
        const offsets first = at_lanes(inner / FACES, 0, COMPONENTS * BASIS);
        real trace[FACE_POINTS][COMPONENTS], cell_trace[FACE_POINTS][COMPONENTS];
        for (int k = 0; k < FACE_POINTS; ++k) {
            for (int c = 0; c < COMPONENTS; ++c) {
                trace[k][c] = cell_trace[k][c] = splat(R(0.0));
            }
        }
        for (int j = 0; j < BASIS; ++j) {
            real other[COMPONENTS];
            for (int c = 0; c < COMPONENTS; ++c) {
                other[c] = gather(a->u, first + (c * BASIS + j) * BLOCK);
            }
            for (int k = 0; k < FACE_POINTS; ++k) {
                const real phi = lookup(basis_at_neighbour, (side * FACE_POINTS + k) * BASIS + j);
                const real of_cell = lookup(cell_means_at_neighbour, (side * FACE_POINTS + k) * BASIS + j);
                for (int c = 0; c < COMPONENTS; ++c) {
                    trace[k][c] += phi * other[c];
                    cell_trace[k][c] += of_cell * other[c];
                }
            }
        }
        for (int k = 0; k < FACE_POINTS; ++k) {
            const int cell = cell_at_face[f * FACE_POINTS + k];
            const State minus = evaluate(u, basis_at_face[f * FACE_POINTS + k]), cell_minus = state_of(mean[cell]);
            State plus = state_of(trace[k]), cell_plus = state_of(cell_trace[k]);
            if (any(on_boundary)) {
                plus = select_State(on_boundary, boundary_trace(&s, e, f, k, boundary_face, minus, time), plus);
                cell_plus = select_State(on_boundary, boundary_trace(&s, e, f, k, boundary_face, cell_minus, time), cell_plus);
            }
            real of_traces[COMPONENTS], of_cells[COMPONENTS];
            components_of_state(of_traces, flux_between(minus, plus, normal));
            components_of_state(of_cells, flux_between_cells(cell_minus, cell_plus, normal));
            for (int c = 0; c < COMPONENTS; ++c) {
                const real flux = scale * mixed(of_traces[c], of_cells[c], at_faces[f]);
                for (int j = 0; j < BASIS; ++j) {
                    r[c][j] -= weighted_basis_at_face[f * FACE_POINTS + k][j] * flux;
                }
                rate[cell][c] -= face_weights[k] * cell_inverse_measure[cell] * flux;
            }
        }
    }
    real inverse[DIM][DIM];
    load_inverse_jacobian(inverse, a->inverse_jacobian, e);
    for (int i = 0; i < INTERFACES; ++i) {
        const int left = interface_cells[i][0], right = interface_cells[i][1];
        real n[DIM], square = splat(R(0.0));
        for (int d = 0; d < DIM; ++d) {
            n[d] = splat(R(0.0));
            for (int k = 0; k < DIM; ++k) {
                n[d] += inverse[k][d] * interface_area[i][k];
            }
            square += n[d] * n[d];
        }
        const real area = real_sqrt(square), unit = real_reciprocal(area);
        for (int d = 0; d < DIM; ++d) {
            n[d] *= unit;
        }
        real flux[COMPONENTS];
        components_of_state(flux, flux_between_cells(state_of(mean[left]), state_of(mean[right]), normal_of(n)));
        for (int c = 0; c < COMPONENTS; ++c) {
            rate[left][c] -= cell_inverse_measure[left] * area * flux[c];
            rate[right][c] += cell_inverse_measure[right] * area * flux[c];
        }
    }
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int j = 0; j < BASIS; ++j) {
            const long long i = at(e, c * BASIS + j, COMPONENTS * BASIS);
            real of_cells = splat(R(0.0));
            for (int k = 0; k < CELLS; ++k) {
                of_cells += cell_modes[j][k] * rate[k][c];
            }
            real next = (scalar)a->b * u[c][j] + (scalar)a->d * (dt * mixed(r[c][j], of_cells, alpha));
            if (a->a != 0.0) {
                next += (scalar)a->a * load(a->u_start + i);
            }
            store(a->u_next + i, select(active, next, load(a->u_next + i)));
        }
    }
}
