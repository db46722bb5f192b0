/* The flux out of the domain through faces of the boundary, as the scheme computes it: the numerical flux between the
 * inner state and the ghost state. So what it adds up to is what the domain loses. Its first moments about a point are
 * there, too: of the flux of momentum, which is a force, they make the torque. The viscous part of all that is there
 * once more by itself: of a force, the friction. It is there at every point of the faces, too, per unit of their
 * length. */
#ifdef BOUNDARY_FLUX
#define FLUX_POINT (2 * DIM + 1)
#define FLUX_NUMBERS ((1 + DIM) * COMPONENTS)
#ifdef VISCOUS
#define FLUX_PARTS 2
#define FLUX_PENALTIES (2 + LIFTING_NUMBERS)
#define STATE_OF(side) (side).state
#else
#define FLUX_PARTS 1
#define STATE_OF(side) (side)
#endif
typedef struct {
    const scalar *u;               /* in: [COMPONENTS][BASIS] per element of the section; coefficients */
    const scalar *medium;          /* in, optional: [1] per element of the section; coefficients, see medium.cu */
    const int *flux_elements;      /* in: [1] per element; of every face: its element */
    const int *flux_faces;         /* in: [1] per element; of every face: its number among those of the boundary */
    const scalar *flux_basis;      /* in: [FACE_POINTS][BASIS] per element; of every face: the basis functions at its
                                    * points */
    const scalar *flux_points;     /* in: [FACE_POINTS][2 * DIM + 1] per element; of every face: at its points the unit
                                    * outward normal, the weight times the measure of the face, and the position from
                                    * the point of the moments */
    const scalar *flux_slopes;     /* in, optional: [FACE_POINTS][DIM][BASIS] per element; of every face: at its points
                                    * the derivatives of the basis functions by x_d; read where there is a viscous flux,
                                    * as the next */
    const scalar *flux_penalties;  /* in, optional: [2] per element; of every face: penalty and share, and its lifting,
                                    * see VISCOUS_FACE */
    const int *conditions;         /* in: [1] per boundary face */
    const scalar *boundary_points; /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    scalar *fluxes;                /* out: [numbers]; columns [COMPONENTS] the flux of every component,
                                    * [DIM][COMPONENTS] its first moments; of the whole flux, then of its viscous part.
                                    * At points [FACE_POINTS][COMPONENTS] per part */
    double time;                   /* in */
    long long stride;              /* in; the distance of two columns */
    long long numbers;             /* in; those of all columns */
} BoundaryFluxArguments;

#ifdef LIFTED_PENALTY
/* The jumps at all points of a face.     out: jumps */
DEVICE void jumps_at_face(real jumps[FACE_POINTS][COMPONENTS], const BoundaryFluxArguments *a, long long e)
{
    const ints element = load_ints(a->flux_elements + at(e, 0, 1)), face = load_ints(a->flux_faces + at(e, 0, 1));
    const real share = load(a->flux_penalties + at(e, 1, FLUX_PENALTIES));
    UNROLL
    for (int k = 0; k < FACE_POINTS; ++k) {
        real phi[BASIS];
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            phi[j] = load(a->flux_basis + at(e, k * BASIS + j, FACE_POINTS * BASIS));
        }
        const State inside = state_in(a->u, a->medium, element, phi);
        find_jump(jumps[k], inside,
                  boundary_trace(a->conditions, a->boundary_points, face, k, inside, splat((scalar)a->time)), share);
    }
}
#endif

/* The flux at point k of a face, whole and its viscous part.     out: point, its numbers in flux_points */
DEVICE void flux_at_face_point(real flux[FLUX_PARTS][COMPONENTS], real point[FLUX_POINT],
                               const BoundaryFluxArguments *a, long long e, int k)
{
    const ints element = load_ints(a->flux_elements + at(e, 0, 1)), face = load_ints(a->flux_faces + at(e, 0, 1));
    real phi[BASIS];
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        phi[j] = load(a->flux_basis + at(e, k * BASIS + j, FACE_POINTS * BASIS));
    }
    UNROLL
    for (int i = 0; i < FLUX_POINT; ++i) {
        point[i] = load(a->flux_points + at(e, k * FLUX_POINT + i, FACE_POINTS * FLUX_POINT));
    }
    const Normal normal = law_normal(point);
    Side inner;
    STATE_OF(inner) = state_in(a->u, a->medium, element, phi);
#ifdef VISCOUS
    NO_UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            phi[j] = load(a->flux_slopes + at(e, (k * DIM + d) * BASIS + j, FACE_POINTS * DIM * BASIS));
        }
        law_components(inner.slope[d], state_in(a->u, a->medium, element, phi));
    }
#endif
    const Side outer = boundary_side(a->conditions, a->boundary_points, face, k, &inner, splat((scalar)a->time));
    const State inside = STATE_OF(inner), outside = STATE_OF(outer);
    real speed, product[COMPONENTS];
    law_components(flux[0], numerical_flux(&speed, product, inside, outside, normal));
#ifdef VISCOUS
    real penalised[COMPONENTS];
#ifdef LIFTED_PENALTY
    real jumps[FACE_POINTS][COMPONENTS];
    jumps_at_face(jumps, a, e);
    lift_jump(penalised, jumps, a->flux_penalties + at(e, 2, FLUX_PENALTIES), BLOCK, k);
#else
    find_jump(penalised, inside, outside, load(a->flux_penalties + at(e, 1, FLUX_PENALTIES)));
#endif
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        flux[1][c] = splat(R(0.0));
    }
    subtract_viscous_flux(flux[1], &inner, &outer, point, penalised,
                          load(a->flux_penalties + at(e, 0, FLUX_PENALTIES)), splat(R(0.5)));
#endif
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
#ifdef NONCONSERVATIVE
        flux[0][c] += R(0.5) * product[c];
#endif
#ifdef VISCOUS
        flux[0][c] += flux[1][c];
#endif
    }
}

KERNEL(boundary_flux, BoundaryFluxArguments)
{
    real sum[FLUX_PARTS * FLUX_NUMBERS];
    UNROLL
    for (int i = 0; i < FLUX_PARTS * FLUX_NUMBERS; ++i) {
        sum[i] = splat(R(0.0));
    }
    NO_UNROLL
    for (int k = 0; k < FACE_POINTS; ++k) {
        real point[FLUX_POINT], flux[FLUX_PARTS][COMPONENTS];
        flux_at_face_point(flux, point, a, e, k);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int part = 0; part < FLUX_PARTS; ++part) {
                flux[part][c] *= point[DIM];
                sum[part * FLUX_NUMBERS + c] += flux[part][c];
                UNROLL
                for (int d = 0; d < DIM; ++d) {
                    sum[part * FLUX_NUMBERS + (1 + d) * COMPONENTS + c] += point[DIM + 1 + d] * flux[part][c];
                }
            }
        }
    }
    UNROLL
    for (int i = 0; i < FLUX_PARTS * FLUX_NUMBERS; ++i) {
        store(a->fluxes + i * a->stride + e, sum[i]);
    }
}

/* At every point of the faces. */
KERNEL(boundary_flux_at_points, BoundaryFluxArguments)
{
    NO_UNROLL
    for (int k = 0; k < FACE_POINTS; ++k) {
        real point[FLUX_POINT], flux[FLUX_PARTS][COMPONENTS];
        flux_at_face_point(flux, point, a, e, k);
        UNROLL
        for (int part = 0; part < FLUX_PARTS; ++part) {
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                store(a->fluxes + ((part * FACE_POINTS + k) * COMPONENTS + c) * a->stride + e, flux[part][c]);
            }
        }
    }
}
#endif
