/* Sources of laws with a linear flux, which are linear, too: S = E u + s(x, t). */
#ifdef SOURCE_IS_PRODUCT
/* E u, with E of parameters and medium alone. */
DEVICE State source_of_state(State u)
{
    real nowhere[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        nowhere[d] = splat(R(0.0));
    }
    return law_source(u, law_point(nowhere), splat(R(0.0)));
}
#endif

#if defined(ADER) && defined(SOURCE)
/* Mean n of the source over the step.     in: u, that mean of the state; x     out: source */
DEVICE void mean_source(real source[COMPONENTS], State u, Point x, const double clock[CLOCK_NUMBERS], int n)
{
#ifdef SOURCE_IS_PRODUCT
    law_components(source, source_of_state(u));
#else
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        source[c] = splat(R(0.0));
    }
    NO_UNROLL
    for (int i = 0; i < TIME_POINTS; ++i) {
        real now[COMPONENTS];
        law_components(now, law_source(u, x, splat((scalar)time_at(clock, time_points[i]))));
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            source[c] += mean_weight(i, n) * now[c];
        }
    }
#endif
}
#endif
