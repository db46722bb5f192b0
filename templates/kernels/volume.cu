/* Volume term of the weak form on the elements of a patch, and the source:
 *
 *   r_j += sum_q w_q [ F(u(xi_q)) . J^-T grad phi_j(xi_q)  +  S(u(xi_q), x_q, t) phi_j(xi_q) ]
 *
 * with the weights already in the tables. The items of the sum are the points of the quadrature; or, QUADRATURE_FREE, the
 * coefficients themselves, since the flux acts on them like on states. */
#ifdef SOURCE
#define TERMS (DIM + 1) /* values per item and component: the flux in each direction, and the source */
#else
#define TERMS DIM
#endif
#if defined(COEFFICIENTS_LIKE_STATES) && SCHEDULE != TENSOR
#define QUADRATURE_FREE
/* The flux of the highest degree is integrated with no gradient. */
#define VOLUME_ITEMS (TERMS > DIM ? BASIS : basis_up_to[ORDER > 0 ? ORDER - 1 : 0])
#define basis_at_item(q) basis_mean
#else
#define VOLUME_ITEMS VOLUME_POINTS
#define basis_at_item(q) basis_at_volume[q]
#endif

/* The terms at an item.     in: value, the fields there; e, q     out: terms */
DEVICE void volume_terms(real terms[TERMS][COMPONENTS], const real value[FIELDS], const Metric *metric,
                         const StageArguments *a, long long e, int q)
{
    const State state = law_state(value);
    reference_flux(terms, state, metric, q);
#ifdef SOURCE
#if defined(QUADRATURE_FREE)
    law_components(terms[DIM], source_of_state(state));
#elif defined(ADER)
    mean_source(terms[DIM], state, position(a->map, e, volume_points[q]), a->clock);
#else
    const real time = splat((scalar)(a->clock[CLOCK_TIME] + a->c * a->clock[CLOCK_DT]));
    law_components(terms[DIM], law_source(state, position(a->map, e, volume_points[q]), time));
#endif
#endif
}
