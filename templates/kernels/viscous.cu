/* Viscous fluxes G(u, grad u), which are linear in the gradient: the numerical flux at faces, states and slopes behind
 * boundaries, and the bound on steps. A `slope` is a derivative of the state by a coordinate x_d. */
#ifdef VISCOUS
/* Sides of faces have so many values of every component: the state and its slopes. */
#define SIDE_VALUES (1 + DIM)
/* On affine elements the term of jumps that makes the form symmetric is a part of the volume term, by the lifting of
 * jumps; a non-conservative product there takes slopes without it. Products lift jumps along the lines through their
 * own points, which are those of faces unless other elements have a higher degree. */
#if MAP_DEGREE == 0 && !defined(NONCONSERVATIVE) && !(defined(IS_PRODUCT) && FACE_POINTS != LINES)
#define LIFTED
/* Tables of triangles serve twice, for values and for integrals, whose weights are in what is integrated. */
#ifndef IS_PRODUCT
#define WEIGHTED_TERMS
#endif
#endif
typedef struct {
    State state;
    real slope[DIM][COMPONENTS];
} Side;

/* The slopes at point i of those of all faces.     in: u, metric     out: slope */
DEVICE void evaluate_slopes(real slope[DIM][COMPONENTS], const real u[FIELDS][BASIS], const Metric *metric, int i)
{
    real terms[DIM][DIM];
    inverse_at_face(terms, metric, i);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        real along[DIM];
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            along[d] = splat(R(0.0));
            UNROLL
            for (int j = 1; j < BASIS; ++j) {
                along[d] += gradient_at_face[i][d][j] * u[c][j];
            }
        }
        UNROLL
        for (int x = 0; x < DIM; ++x) {
            slope[x][c] = terms[0][x] * along[0];
            UNROLL
            for (int d = 1; d < DIM; ++d) {
                slope[x][c] += terms[d][x] * along[d];
            }
        }
    }
}

/* The slopes of all components along n whose viscous flux along n is `flux`: the solution of a system with the matrix
 * of the viscous flux in direction n, whose blocks have positive minors. Components that do not diffuse have none.
 *     in: u, n, flux     out: slope */
DEVICE void slope_of_flux(real slope[COMPONENTS], State u, Normal n, const real flux[COMPONENTS])
{
    real a[COMPONENTS][COMPONENTS];
    law_diffusion(a, u, n);
    for (int c = 0; c < COMPONENTS; ++c) {
        slope[c] = flux[c];
    }
    for (int k = 0; k < COMPONENTS; ++k) {
        const mask diffuses = a[k][k] > R(0.0);
        const real inverse = select(diffuses, real_reciprocal(select(diffuses, a[k][k], splat(R(1.0)))), splat(R(0.0)));
        slope[k] *= inverse;
        for (int j = k + 1; j < COMPONENTS; ++j) {
            a[k][j] *= inverse;
        }
        for (int i = k + 1; i < COMPONENTS; ++i) {
            slope[i] -= a[i][k] * slope[k];
            for (int j = k + 1; j < COMPONENTS; ++j) {
                a[i][j] -= a[i][k] * a[k][j];
            }
        }
    }
    for (int k = COMPONENTS - 1; k >= 0; --k) {
        for (int j = k + 1; j < COMPONENTS; ++j) {
            slope[k] -= a[k][j] * slope[j];
        }
    }
}

/* The flux of a jump at a face, whose gradient is the jump along the normal.     in: state, jump, n     out: of_jump */
DEVICE void flux_of_jump(real of_jump[DIM][COMPONENTS], State state, const real jump[COMPONENTS], const real n[DIM])
{
    real slope[DIM][COMPONENTS];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            slope[d][c] = n[d] * jump[c];
        }
    }
    law_viscous_flux(of_jump, state, slope);
}

/* A face has so many numbers: penalty, 1 over a length; share of a jump, 2 where the outer state is the value on the
 * face, else 1; of CDG the weight of the first side, see WEIGHT; and where KEPT_LIFTINGS how it lifts jumps,
 * [FACE_POINTS][FACE_POINTS] with the penalty. */
#ifdef ONE_SIDED
#define FACE_LIFTING 3
#else
#define FACE_LIFTING 2
#endif
#ifdef KEPT_LIFTINGS
#define LIFTING_NUMBERS (FACE_POINTS * FACE_POINTS)
#else
#define LIFTING_NUMBERS 0
#endif
#define VISCOUS_FACE (FACE_LIFTING + LIFTING_NUMBERS)
/* The weight of a side in the viscous flux of a face, and in the lifting of its jump: a half; of CDG `of_first`, 1 or
 * 0, and the rest. */
#ifdef ONE_SIDED
#define WEIGHT(side, of_first) ((side) == 0 ? (of_first) : R(1.0) - (of_first))
#else
#define WEIGHT(side, of_first) R(0.5)
#endif

/* The jump [u] = share (u- - u+) at a point of a face.     in: minus, plus, share     out: jump */
DEVICE void find_jump(real jump[COMPONENTS], State minus, State plus, real share)
{
    real inner[FIELDS], outer[FIELDS];
    law_fields(inner, minus);
    law_fields(outer, plus);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        jump[c] = share * (inner[c] - outer[c]);
    }
}

#ifdef LIFTED_PENALTY
/* What the penalty takes for the jump at point k of a face: the normal part of the lifting of the face's own jump,
 * times |K| / |f| unless it is kept with the face.
 *     in: jumps, at all points of the face; kept, the first number of the face's lifting, each `stride` after the last
 *     out: penalised */
DEVICE void lift_jump(real penalised[COMPONENTS], const real jumps[FACE_POINTS][COMPONENTS], const scalar *kept,
                      long long stride, int k)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        penalised[c] = splat(R(0.0));
    }
    UNROLL
    for (int i = 0; i < FACE_POINTS; ++i) {
#ifdef KEPT_LIFTINGS
        const real lifting = load(kept + (k * FACE_POINTS + i) * stride);
#else
        const scalar lifting = lifting_at_face[k][i];
#endif
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            penalised[c] += lifting * jumps[i][c];
        }
    }
}
#endif

/* The viscous flux at a point of a face, see dg-runtime/src/solver/setup/viscous_scheme.rs for the schemes: half the
 * flux G(u-, grad u- - penalty [u] n) . n and half that of the other side, or other WEIGHTs of them, are subtracted
 * from `flux`.
 *     in: minus, plus, n; penalised, [u], or its lifting; penalty, of_first, see VISCOUS_FACE     inout: flux */
DEVICE void subtract_viscous_flux(real flux[COMPONENTS], const Side *minus, const Side *plus, const real n[DIM],
                                  const real penalised[COMPONENTS], real penalty, real of_first)
{
    UNROLL
    for (int side = 0; side < 2; ++side) {
        const Side *const own = side == 0 ? minus : plus;
        real slope[DIM][COMPONENTS], of_slope[DIM][COMPONENTS];
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                slope[d][c] = own->slope[d][c] - penalty * n[d] * penalised[c];
            }
        }
        law_viscous_flux(of_slope, own->state, slope);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int d = 0; d < DIM; ++d) {
                flux[c] -= WEIGHT(side, of_first) * n[d] * of_slope[d][c];
            }
        }
    }
}

/* A bound on the eigenvalues of the matrix of the viscous flux in direction n. */
DEVICE real diffusivity(State u, Normal n)
{
    real most = splat(R(0.0)), d[COMPONENTS][COMPONENTS];
    law_diffusion(d, u, n);
    DIFFUSION_BLOCKS(RATE_OF_ONE, RATE_OF_TWO, RATE_OF_MORE)
    return most;
}

/* sum_f nu_f c_f^2 of an element, c_f as in bound.cu.
 *     in: most, nu_f, the largest diffusivity at each face; crossings */
DEVICE real viscous_rate(const real most[FACES], const scalar *crossings, long long e)
{
    real rate = splat(R(0.0));
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        rate += most[f] * crossing(crossings, e, f) * crossing(crossings, e, f);
    }
    return rate;
}

/* The largest diffusivity at each face of a solution, and of its mean.
 *     in: u, metric_array, that of METRIC_ARRAY     out: most */
DEVICE void find_diffusivities(real most[FACES], const real u[FIELDS][BASIS], const scalar *metric_array,
                               long long e)
{
    for (int f = 0; f < FACES; ++f) {
        most[f] = splat(R(0.0));
        NO_UNROLL
        for (int k = 0; k < FACE_NORMALS; ++k) {
            const Normal normal = face_normal(metric_array, e, f, k);
            most[f] = largest_or_nan(diffusivity(evaluate(u, basis_mean), normal), most[f]);
        }
        NO_UNROLL
        for (int k = 0; k < FACE_POINTS; ++k) {
            const Normal normal = face_normal(metric_array, e, f, k);
            most[f] = largest_or_nan(diffusivity(evaluate(u, basis_at_face[f * FACE_POINTS + k]), normal), most[f]);
        }
    }
}
#else
#define SIDE_VALUES 1
typedef State Side;
#endif
