/* Viscous fluxes G(u, grad u), which are linear in the gradient: the numerical flux at faces, states and slopes behind boundaries, and
 * the bound on steps. A `slope` is a derivative of the state by a coordinate x_d. */
#ifdef VISCOUS
/* Sides of faces have so many values of every component: the state and its slopes. */
#define SIDE_VALUES (1 + DIM)
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

/* The gradient of a jump at a face: the jump along the normal.     in: jump, n     out: slope */
DEVICE void slope_of_jump(real slope[DIM][COMPONENTS], const real jump[COMPONENTS], const real n[DIM])
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            slope[d][c] = n[d] * jump[c];
        }
    }
}

/* Symmetric interior penalty at a point of a face (R. Hartmann & P. Houston, Int. J. Numer. Anal. Model. 3 (2006) 1-20): with the jump
 * [u] = share (u- - u+), half the flux G(u-, grad u- - penalty [u] n) . n and half that of the other side are subtracted from `flux`;
 * what is tested with gradients is returned.
 *     in: minus, plus, normal; penalty, 1 over a length; share, 2 where the outer state is the value on the face, else 1
 *     inout: flux     out: of_jump, G(u, [u] n) with the state of each side */
DEVICE void subtract_viscous_flux(real flux[COMPONENTS], real of_jump[2][DIM][COMPONENTS], const Side *minus, const Side *plus,
                                  Normal normal, real penalty, real share)
{
    real n[DIM], inner[FIELDS], outer[FIELDS], jump[COMPONENTS], slope[DIM][COMPONENTS];
    law_normal_components(n, normal);
    law_fields(inner, minus->state);
    law_fields(outer, plus->state);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        jump[c] = share * (inner[c] - outer[c]);
    }
    slope_of_jump(slope, jump, n);
    UNROLL
    for (int side = 0; side < 2; ++side) {
        const Side *const own = side == 0 ? minus : plus;
        real of_slope[DIM][COMPONENTS];
        law_viscous_flux(of_jump[side], own->state, slope);
        law_viscous_flux(of_slope, own->state, own->slope);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int d = 0; d < DIM; ++d) {
                flux[c] -= R(0.5) * n[d] * (of_slope[d][c] - penalty * of_jump[side][d][c]);
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

/* sum_f nu_f c_f^2 of an element, nu_f the largest diffusivity at face f and c_f as in bound.cu.     in: u, normals, crossings */
DEVICE real viscous_rate(const real u[FIELDS][BASIS], const scalar *normals, const scalar *crossings, long long e)
{
    real rate = splat(R(0.0));
    NO_UNROLL
    for (int f = 0; f < FACES; ++f) {
        const Normal normal = face_normal(normals, e, f);
        real most = diffusivity(evaluate(u, basis_mean), normal);
        NO_UNROLL
        for (int k = 0; k < FACE_POINTS; ++k) {
            most = largest_or_nan(diffusivity(evaluate(u, basis_at_face[f * FACE_POINTS + k]), normal), most);
        }
        rate += most * crossing(crossings, e, f) * crossing(crossings, e, f);
    }
    return rate;
}
#else
#define SIDE_VALUES 1
typedef State Side;
#endif
