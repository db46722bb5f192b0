/* The numerical flux between two states, and the wave speed it is found with, which the time step needs, too. Where
 * the flux is found in the frame of the normal, so is the speed: both read the same numbers. */
#define FRAME_OF_(flux) FRAME_OF_##flux
#define FRAME_OF(flux) FRAME_OF_(flux)
#define HAS_PRODUCT_(flux) HAS_PRODUCT_##flux
#define HAS_PRODUCT(flux) HAS_PRODUCT_(flux)

/* With a non-conservative product also what it is at the jump.     out: speed, product */
DEVICE State numerical_flux(real *speed, real product[COMPONENTS], State l, State r, Normal n)
{
#if FRAME_OF(NUMERICAL_FLUX)
    real along[DIM] = {splat(R(1.0))};
    UNROLL
    for (int d = 1; d < DIM; ++d) {
        along[d] = splat(R(0.0));
    }
    *speed = law_face_speed(law_into_frame(l, n), law_into_frame(r, n), law_normal(along));
#else
    *speed = law_face_speed(l, r, n);
#endif
#ifdef NONCONSERVATIVE
#if HAS_PRODUCT(NUMERICAL_FLUX)
    return exact_flux(product, l, r, n, *speed);
#else
    law_components(product, law_path_product(l, r, n));
#endif
#endif
    return NUMERICAL_FLUX(l, r, n, *speed);
}
