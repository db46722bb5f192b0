/* Volume term of the weak form on the elements of a patch, and the source:
 *
 *   r_j += sum_q w_q [ F(u(xi_q)) . J^-T grad phi_j(xi_q)  +  S(u(xi_q), x_q, t) phi_j(xi_q) ]
 *
 * with the weights already in the tables. */
#ifdef SOURCE
#define TERMS (DIM + 1) /* values per point and component: the flux in each direction, and the source */
#else
#define TERMS DIM
#endif

/* The terms at a point.     in: value, the fields there; e, q     out: terms */
DEVICE void volume_terms(real terms[TERMS][COMPONENTS], const real value[FIELDS], const Metric *metric,
                         const StageArguments *a, long long e, int q)
{
    const State state = law_state(value);
    reference_flux(terms, state, metric, q);
#ifdef SOURCE
    const real time = splat((scalar)(a->clock[CLOCK_TIME] + a->c * a->clock[CLOCK_DT]));
    law_components(terms[DIM], law_source(state, position(a->map, e, volume_points[q]), time));
#endif
}
