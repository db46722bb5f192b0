/* The flux out of the domain through faces of the boundary, as the scheme computes it: the numerical flux between the
 * inner state and the ghost state. So what it adds up to is what the domain loses. Its first moments about a point are
 * there, too: of the flux of momentum, which is a force, they make the torque. */
#ifdef BOUNDARY_FLUX
#define FLUX_POINT (2 * DIM + 1)
typedef struct {
    const scalar *u;               /* in: unchecked; coefficients, see element.cu */
    const scalar *medium;          /* in, optional: unchecked; coefficients, see medium.cu */
    const int *flux_elements;      /* in: [1] per element; of every face: its element */
    const int *flux_faces;         /* in: [1] per element; of every face: its number among those of the boundary */
    const scalar *flux_basis;      /* in: [FACE_POINTS][BASIS] per element; of every face: the basis functions at its points */
    const scalar *flux_points;     /* in: [FACE_POINTS][2 * DIM + 1] per element; of every face: at its points the unit outward
                                    * normal, the weight times the measure of the face, and the position from the point of the
                                    * moments */
    const int *conditions;         /* in: [1] per boundary face */
    const scalar *boundary_points; /* in: [FACE_POINTS][BOUNDARY_POINT] per boundary face */
    scalar *fluxes;                /* out: [(1 + DIM) * COMPONENTS][stride]; columns [COMPONENTS] the flux of every component,
                                    * [DIM][COMPONENTS] its first moments */
    double time;                   /* in */
    long long stride;              /* in; the distance of two columns */
} BoundaryFluxArguments;

KERNEL(boundary_flux, BoundaryFluxArguments)
{
    const ints element = load_ints(a->flux_elements + at(e, 0, 1)), face = load_ints(a->flux_faces + at(e, 0, 1));
    real sum[(1 + DIM) * COMPONENTS];
    UNROLL
    for (int i = 0; i < (1 + DIM) * COMPONENTS; ++i) {
        sum[i] = splat(R(0.0));
    }
    NO_UNROLL
    for (int k = 0; k < FACE_POINTS; ++k) {
        real phi[BASIS], point[FLUX_POINT], flux[COMPONENTS];
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            phi[j] = load(a->flux_basis + at(e, k * BASIS + j, FACE_POINTS * BASIS));
        }
        UNROLL
        for (int i = 0; i < FLUX_POINT; ++i) {
            point[i] = load(a->flux_points + at(e, k * FLUX_POINT + i, FACE_POINTS * FLUX_POINT));
        }
        const Normal normal = law_normal(point);
        const State inside = state_in(a->u, a->medium, element, phi);
        const State outside =
            boundary_trace(a->conditions, a->boundary_points, face, k, inside, splat((scalar)a->time));
        const real speed = law_face_speed(inside, outside, normal);
        law_components(flux, NUMERICAL_FLUX(inside, outside, normal, speed));
#ifdef NONCONSERVATIVE
        real product[COMPONENTS];
        law_components(product, law_path_product(inside, outside, normal));
#endif
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
#ifdef NONCONSERVATIVE
            flux[c] += R(0.5) * product[c];
#endif
            flux[c] *= point[DIM];
            sum[c] += flux[c];
            UNROLL
            for (int d = 0; d < DIM; ++d) {
                sum[(1 + d) * COMPONENTS + c] += point[DIM + 1 + d] * flux[c];
            }
        }
    }
    UNROLL
    for (int i = 0; i < (1 + DIM) * COMPONENTS; ++i) {
        store(a->fluxes + i * a->stride + e, sum[i]);
    }
}
#endif
